package dev.orrery.tidy;

import dev.orrery.tidy.SourceTree.SourceFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which package of a module may know which: those on a line know those on the lines below it, and nothing else of their
 * module. So there are no cycles. A dot is the package that is called like the module.
 */
final class PackageOrder {
    private static final Pattern NAME = Pattern.compile("\\S+");

    private static final List<PackageOrder> ALL = List.of(
            new PackageOrder("model", "dev.orrery.model", """
                definition
                key
                json memory
                .
                """),
            new PackageOrder("sql", "dev.orrery.sql", """
                .
                plan
                run
                bind
                function
                text
                memory spatial syntax vector
                """),
            new PackageOrder("store", "dev.orrery.store", """
                memory
                .
                """),
            new PackageOrder("engine", "dev.orrery.engine", """
                .
                advice hub
                replica
                resource
                view
                feed script
                check expiry query
                item
                access budget index observe
                catalog
                operation partition
                charge key
                """),
            new PackageOrder("gateway", "dev.orrery.gateway", """
                .
                direct link reply
                client request
                auth page stream
                http
                binaryjson hybridrow route socket tls
                """),
            new PackageOrder("server", "dev.orrery.server", """
                .
                backup transfer
                """),
            new PackageOrder("bench", "dev.orrery.bench", """
                .
                charges direct http query regions restart scale script search
                changes
                harness
                """),
            new PackageOrder("examples/blog", "dev.orrery.example.blog", """
                demo
                .
                """),
            new PackageOrder("examples/publishing", "dev.orrery.example.publishing", """
                demo
                .
                """),
            new PackageOrder("examples/modeling", "dev.orrery.example.modeling", """
                demo
                .
                """));

    private static final Pattern PACKAGE = Pattern.compile("\\bdev\\.orrery(\\.[a-z]\\w*)+");

    private final String module;
    private final Map<String, Integer> heights = new HashMap<>();

    private PackageOrder(String module, String base, String lines) {
        this.module = module;
        List<String> fromBelow = lines.lines().toList().reversed();
        for (int height = 0; height < fromBelow.size(); height++) {
            var names = NAME.matcher(fromBelow.get(height));
            while (names.find()) {
                heights.put(names.group().equals(".") ? base : base + "." + names.group(), height);
            }
        }
    }

    /** What a file knows that it must not; of modules with one package only there is nothing to say. */
    static List<String> complaints(SourceFile file) {
        return of(file).map(order -> order.check(file)).orElse(List.of());
    }

    private static Optional<PackageOrder> of(SourceFile file) {
        return ALL.stream()
                .filter(order -> file.isMainJava() && order.module.equals(file.module()))
                .findFirst();
    }

    private List<String> check(SourceFile file) {
        var complaints = new ArrayList<String>();
        var own = packageOf(file);
        var height = heights.get(own);
        if (height == null) {
            return List.of("%s: package %s has no place in PackageOrder".formatted(file.path(), own));
        }
        var lines = Rule.code(file.text()).lines().toList();
        for (int line = 0; line < lines.size(); line++) {
            var names = PACKAGE.matcher(lines.get(line));
            while (names.find()) {
                var other = names.group();
                if (heights.containsKey(other) && !other.equals(own) && heights.get(other) >= height) {
                    complaints.add("%s:%d: %s must not know %s; PackageOrder says who may know whom"
                            .formatted(file.path(), line + 1, own, other));
                }
            }
        }
        return complaints;
    }

    /** Whether there is an order for a module. */
    static boolean isOf(String module) {
        return ALL.stream().anyMatch(order -> order.module.equals(module));
    }

    static String packageOf(SourceFile file) {
        int start = file.path().indexOf("dev/");
        return file.path().substring(start, file.path().lastIndexOf('/')).replace('/', '.');
    }
}
