package dev.orrery.bench.query;

import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.CreateSystem;
import dev.orrery.bench.harness.SampleItem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** PostgreSQL with the items as JSONB: a primary key as the partition key has, and a GIN index over all of the JSON. */
final class PostgresSystem implements QuerySystem, CreateSystem {
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");
    private static final int BATCH = 500;

    private final String folder;
    private final String address;
    private final Connection connection;

    private PostgresSystem(String folder, String address) throws SQLException {
        this.folder = folder;
        this.address = address;
        this.connection = connect();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(address, "bench", "");
    }

    /** Empty, after a message, where it is not installed. */
    static Optional<PostgresSystem> start() throws InterruptedException {
        if (!Files.exists(PROGRAMS.resolve("initdb"))) {
            System.err.println("Without PostgreSQL: there is none in " + PROGRAMS + " (Debian: postgresql-15)");
            return Optional.empty();
        }
        try {
            int port = freePort();
            var folder = run("mktemp", "-d");
            run(PROGRAMS + "/initdb", "-D", folder, "-U", "bench", "-A", "trust", "-E", "UTF8", "--locale=C");
            run(
                    PROGRAMS + "/pg_ctl",
                    "-D",
                    folder,
                    "-w",
                    "-l",
                    folder + "/log",
                    "-o",
                    "-p " + port
                            + " -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c shared_buffers=256MB"
                            + " -c fsync=on -c synchronous_commit=on",
                    "start");
            return Optional.of(new PostgresSystem(folder, "jdbc:postgresql://127.0.0.1:" + port + "/postgres"));
        } catch (IOException | SQLException e) {
            throw new BenchException("PostgreSQL cannot be started: " + e.getMessage(), e);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Runs a command, as the user of the Debian package where we are root, whom PostgreSQL does not serve. */
    private static String run(String... command) throws IOException, InterruptedException {
        var whole = new ArrayList<String>();
        if (System.getProperty("user.name").equals("root")) {
            whole.addAll(List.of("runuser", "-u", "postgres", "--"));
        }
        whole.addAll(List.of(command));
        var output = Files.createTempFile("postgres", ".out");
        var process = new ProcessBuilder(whole)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int status = process.waitFor();
        var text = Files.readString(output, StandardCharsets.UTF_8).strip();
        Files.delete(output);
        if (status != 0) {
            throw new BenchException(String.join(" ", command) + " failed: " + text);
        }
        return text;
    }

    @Override
    public String name() {
        return "PostgreSQL 15";
    }

    @Override
    public void load(int items) {
        try (var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE items (pk text, id text, doc jsonb NOT NULL, PRIMARY KEY (pk, id))");
            try (var insert = connection.prepareStatement("INSERT INTO items VALUES (?, ?, ?::jsonb)")) {
                for (int number = 0; number < items; number++) {
                    insert.setString(1, QueryItem.customer(number / QueryItem.PER_CUSTOMER));
                    insert.setString(2, SampleItem.id(number));
                    insert.setString(3, QueryItem.json(number));
                    insert.addBatch();
                    if (number % BATCH == BATCH - 1) {
                        insert.executeBatch();
                    }
                }
                insert.executeBatch();
            }
            statement.execute("CREATE INDEX ON items USING gin (doc jsonb_path_ops)");
            statement.execute("VACUUM ANALYZE items");
        } catch (SQLException e) {
            throw new BenchException("PostgreSQL does not take the items: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<Long> ask(QueryCase question) {
        try (var statement = connection.prepareStatement(question.sql());
                var rows = statement.executeQuery()) {
            boolean counts = rows.getMetaData().getColumnCount() == 1
                    && rows.getMetaData().getColumnName(1).equals("count");
            long found = 0;
            while (rows.next()) {
                found = counts ? rows.getLong(1) : found + 1;
                var _ = rows.getString(1);
            }
            return Optional.of(found);
        } catch (SQLException e) {
            throw new BenchException("PostgreSQL does not understand " + question.sql() + ": " + e.getMessage(), e);
        }
    }

    // ---- creates ----

    @Override
    public void prepareCreates() {
        try (var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE created (pk text, id text, doc jsonb NOT NULL, PRIMARY KEY (pk, id))");
            statement.execute("CREATE INDEX ON created USING gin (doc jsonb_path_ops)");
        } catch (SQLException e) {
            throw new BenchException("PostgreSQL does not make a table: " + e.getMessage(), e);
        }
    }

    @Override
    public Creator openCreator() {
        try {
            var own = connect();
            return new JdbcCreator(own, own.prepareStatement("INSERT INTO created VALUES (?, ?, ?::jsonb)"));
        } catch (SQLException e) {
            throw new BenchException("PostgreSQL takes no connection: " + e.getMessage(), e);
        }
    }

    /** One connection that commits each insert. */
    private record JdbcCreator(Connection connection, PreparedStatement insert) implements Creator {
        @Override
        public void create(long number) {
            try {
                insert.setString(1, QueryItem.customer(number / QueryItem.PER_CUSTOMER));
                insert.setString(2, SampleItem.id(number));
                insert.setString(3, QueryItem.json(number));
                insert.executeUpdate();
            } catch (SQLException e) {
                throw new BenchException("PostgreSQL does not take an item: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new BenchException("A connection to PostgreSQL cannot be closed: " + e.getMessage(), e);
            }
        }
    }

    /** That of the server and of those processes of it that still run: one for each connection, and some helpers. */
    @Override
    public Optional<Duration> cpu() {
        try {
            var server = ProcessHandle.of(Long.parseLong(run("head", "-n", "1", folder + "/postmaster.pid")))
                    .orElseThrow(() -> new BenchException("PostgreSQL has ended."));
            return Stream.concat(Stream.of(server), server.descendants())
                    .map(process -> process.info().totalCpuDuration())
                    .reduce(Optional.of(Duration.ZERO), (sum, one) -> sum.flatMap(some -> one.map(some::plus)));
        } catch (IOException e) {
            throw new BenchException("The processes of PostgreSQL are not known: " + e.getMessage(), e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
            run(PROGRAMS + "/pg_ctl", "-D", folder, "-m", "immediate", "stop");
            run("rm", "-r", folder);
        } catch (SQLException | IOException e) {
            throw new BenchException("PostgreSQL cannot be stopped: " + e.getMessage(), e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
