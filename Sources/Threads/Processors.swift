internal import Glibc

/// The machine's processors.
package enum Processors {
    /// How many are there to run on; at least 1.
    package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
