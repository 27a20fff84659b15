// Tools for measurements and load tests; scripts/bench and scripts/soak drive them. Loopback only.
//
//     LedgerBench sign --chain DIR --count N --seed S --out FILE [--customers K] [--paths FILE] [--until MS]
//     LedgerBench post --targets 127.0.0.1:PORT[,…] --connections C --file FILE [--shuffle S] [--repeat-every R]
//                      [--expect recorded] [--check-positions]
//     LedgerBench get  --target 127.0.0.1:PORT --connections C --seconds T --path-file FILE [--seed S] [--check]
//     LedgerBench batch --target 127.0.0.1:PORT --connections C --seconds T --file FILE --keys N [--seed S]
//     LedgerBench append --database CONNINFO --events N --batch B [--window N] [--seed S] [--refunded]
//                        [--customer-each E [--customers K]] [--paths FILE]
//     LedgerBench commit --database CONNINFO --writers W --clients C --seconds T [--batch-max B] [--seed S]
//
// All but `sign` print one JSON object. Exit status: 0 done and every check held, 1 not, 2 wrong usage.

internal import Glibc

let commands = "sign, post, get, batch, append or commit"

/// Runs the command and returns the exit status.
func run(_ words: ArraySlice<String>) -> Int32 {
    do throws(BenchError) {
        guard let command = words.first else { throw .usage("a command is missing: \(commands)") }
        var options = try Options(words.dropFirst(), flags: ["check", "check-positions", "refunded"])
        switch command {
        case "sign": return try SignCommand(&options).run()
        case "post": return try PostCommand(&options).run()
        case "get": return try GetCommand(&options).run()
        case "batch": return try BatchCommand(&options).run()
        case "append": return try AppendCommand(&options).run()
        case "commit": return try CommitCommand(&options).run()
        default: throw .usage("unknown command \(command): \(commands)")
        }
    } catch {
        writeLine("LedgerBench: \(error)", to: STDERR_FILENO)
        return error.exitStatus
    }
}

exit(run(CommandLine.arguments.dropFirst()))
