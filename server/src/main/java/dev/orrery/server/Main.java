package dev.orrery.server;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line of Orrery. */
@Command(
        name = "orrery",
        description = "A document database that speaks the Azure Cosmos DB for NoSQL protocol.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class)
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }

    /** The version that the build wrote into the manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"orrery " + (version == null ? "(not packaged)" : version)};
        }
    }
}
