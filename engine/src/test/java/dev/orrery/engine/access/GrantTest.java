package dev.orrery.engine.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.PermissionDefinition;
import dev.orrery.model.definition.PermissionDefinition.Mode;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.key.PartitionKey;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrantTest {
    private static final Rid RID = Rid.container(Rid.database(1), 2);

    @ParameterizedTest
    @CsvSource({
        "dbs/d, dbs/d",
        "dbs/d/colls/c, dbs/d/colls/c",
        "/dbs/d/colls/a container/, dbs/d/colls/a container",
        "dbs/AQIDBA==/colls/AQIDBIAAAAE=/, dbs/AQIDBA==/colls/AQIDBIAAAAE=",
        "dbs/d/colls/c/docs/i, dbs/d/colls/c",
        "dbs/d/colls/c/docs/i/sprocs/s, dbs/d/colls/c",
        "dbs/d/colls/c/sprocs/s, dbs/d/colls/c"
    })
    void aPermissionIsAboutADatabaseOrAContainer(String link, String owner) {
        assertThat(Grant.owner(permission(link, ""))).hasToString(owner);
    }

    @Test
    void aPermissionForAllOfAContainerGrantsAllOfIt() {
        assertThat(Grant.of(permission("dbs/d/colls/c", ""), RID))
                .isEqualTo(new Grant(Mode.READ, RID, Optional.empty(), Optional.empty()));
    }

    @Test
    void aPermissionForAnItemGrantsThatItemInItsPartition() {
        var permission = permission("dbs/d/colls/c/docs/i", ",\"resourcePartitionKey\":[\"x\",1]");

        assertThat(Grant.of(permission, RID))
                .isEqualTo(new Grant(
                        Mode.READ,
                        RID,
                        Optional.of(new Address.Segment(ResourceKind.ITEM, "i")),
                        Optional.of(PartitionKey.parse("[\"x\",1]"))));
    }

    @Test
    void anItemMayHaveSlashesInItsId() {
        assertThat(Grant.of(permission("/dbs/d/colls/c/docs/a/b/", ""), RID).child())
                .contains(new Address.Segment(ResourceKind.ITEM, "a/b"));
    }

    private static PermissionDefinition permission(String link, String more) {
        return PermissionDefinition.parse((Obj) JsonReader.parse(
                "{\"id\":\"p\",\"permissionMode\":\"read\",\"resource\":\"" + link + "\"" + more + "}"));
    }
}
