import Foundation

/// How often a test of random cases repeats, where the environment can ask for another number than the usual one.
package enum Repetitions {
    /// The number (1 or more) that stands in an environment variable, such as `LEDGERD_STORIES=20000`; without one the
    /// usual number, which takes a few seconds in a debug build.
    ///
    /// Anything else ends the run: tests that do less than they were asked to would prove less than they seem to.
    package static func count(_ variable: String, usually usual: Int) -> Int {
        guard let text = ProcessInfo.processInfo.environment[variable] else { return usual }
        guard let count = Int(text), count > 0 else {
            preconditionFailure("\(variable) is \(text): it has to be a number of repetitions, 1 or more.")
        }
        return count
    }
}
