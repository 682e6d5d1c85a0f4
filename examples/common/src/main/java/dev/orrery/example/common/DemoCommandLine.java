package dev.orrery.example.common;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The command line of a demo, which tells mistakes and failures in one sentence. */
public final class DemoCommandLine {
    private DemoCommandLine() {}

    /**
     * Makes one.
     *
     * @param demo an object with the annotations of a command
     */
    public static CommandLine of(Object demo) {
        var help = OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("show this help and exit")
                .build();
        return new CommandLine(CommandSpec.forAnnotatedObject(demo).addOption(help))
                .setExecutionExceptionHandler((problem, command, _) -> {
                    if (!Ending.hasBegun()) {
                        complain(command, Explanation.of(problem).orElseThrow(() -> problem));
                    }
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .setParameterExceptionHandler((mistake, _) -> explain(mistake));
    }

    /** Refuses the arguments unless a condition holds. */
    public static void demand(CommandSpec demo, boolean condition, String words) {
        if (!condition) {
            throw new ParameterException(demo.commandLine(), words);
        }
    }

    public static void complain(CommandLine command, String words) {
        command.getErr().println(command.getCommandName() + ": " + words);
    }

    private static int explain(ParameterException mistake) {
        var command = mistake.getCommandLine();
        complain(command, mistake.getMessage());
        command.getErr().println("See: " + command.getCommandName() + " --help");
        return CommandLine.ExitCode.USAGE;
    }
}
