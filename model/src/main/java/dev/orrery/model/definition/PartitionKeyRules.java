package dev.orrery.model.definition;

import dev.orrery.model.json.SystemProperties;
import dev.orrery.model.key.PartitionKeyDefinition;
import dev.orrery.model.key.PartitionKeyDefinition.Kind;

/** What is asked of the partition key of a container, beyond what makes it a partition key at all. */
final class PartitionKeyRules {
    private static final String MEMBER = "partitionKey";
    private static final String PATHS = MEMBER + ".paths";

    private PartitionKeyRules() {}

    static PartitionKeyDefinition read(MemberReader container) {
        if (!container.has(MEMBER)) {
            throw container.refusal(MEMBER, "is required: an object with paths, such as {\"paths\": [\"/tenant\"]}.");
        }
        var key = PartitionKeyDefinition.parse(container.value(MEMBER));
        if (key.kind() == Kind.RANGE) {
            throw MemberReader.refusalAt(MEMBER + ".kind", "is Range, but must be Hash or MultiHash.");
        }
        if (key.kind() == Kind.HASH && key.paths().size() > 1) {
            throw MemberReader.refusalAt(PATHS, "may have several paths only with the kind MultiHash.");
        }
        for (var path : key.paths()) {
            PropertyPath.check(PATHS, path);
            if (SystemProperties.isSystemName(path.names().getFirst())) {
                throw MemberReader.refusalAt(
                        PATHS,
                        "contains the system property '" + path + "', which has no value before an item is stored.");
            }
        }
        return key;
    }
}
