import FoundationEssentials
import Glibc

exit(
    CommandLineTool(
        arguments: Array(CommandLine.arguments.dropFirst()),
        environment: ProcessInfo.processInfo.environment
    ).run()
)
