package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosGlobalSecondaryIndexDefinition;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Global secondary indexes of the service, which are materialised views. */
class ViewsIT extends SdkSuite {
    @Test
    void aViewFollowsItsSourceUnderAnotherKey() {
        var users = container("/pk");
        users.createItem(json("{'id':'1','pk':'a','email':'one@x.org','age':30}"));
        var byEmail = view(users, "/email", "SELECT c.email, c.pk FROM c");
        users.createItem(json("{'id':'2','pk':'b','email':'two@x.org','age':40}"));
        await(byEmail, "1 one@x.org", "2 two@x.org");

        users.upsertItem(json("{'id':'1','pk':'a','email':'new@x.org','age':31}"));
        users.deleteItem("2", key("b"), new CosmosItemRequestOptions());

        await(byEmail, "1 new@x.org");
        var item = read(byEmail, "1", key("new@x.org"));
        assertThat(item.path("pk").textValue()).isEqualTo("a");
        assertThat(item.has("age")).isFalse();
        assertRefused(404, () -> read(byEmail, "1", key("one@x.org")));
    }

    @Test
    void aFilterChoosesItems() {
        var source = container("/pk");
        var grown = view(source, "/email", "SELECT c.email FROM c WHERE c.age >= 18");
        source.createItem(json("{'id':'1','pk':'a','email':'one@x.org','age':17}"));
        source.createItem(json("{'id':'2','pk':'a','email':'two@x.org','age':18}"));
        await(grown, "2 two@x.org");
    }

    @Test
    void clientsCannotWriteToAView() {
        var source = container("/pk");
        var view = view(source, "/email", "SELECT c.email FROM c");
        assertRefused(403, () -> view.createItem(json("{'id':'1','email':'one@x.org'}")));
        assertRefused(403, () -> view.deleteItem("1", key("one@x.org"), new CosmosItemRequestOptions()));
        assertRefused(400, source::delete);
    }

    @Test
    void theDefinitionIsToldToReaders() {
        var source = container("/pk");
        var definition = view(source, "/email", "SELECT c.email FROM c")
                .read()
                .getProperties()
                .getGlobalSecondaryIndexDefinition();
        assertThat(definition.getSourceContainerId()).isEqualTo(source.getId());
        assertThat(definition.getSourceContainerRid())
                .isEqualTo(source.read().getProperties().getResourceId());
        assertThat(definition.getDefinition()).isEqualTo("SELECT c.email FROM c");
        assertThat(definition.getStatus()).isNotNull();
    }

    /** The SDK itself looks for the source before it asks for the view. */
    @Test
    void aViewOfNothingIsRefused() {
        var properties = new CosmosContainerProperties(freshName(), "/email")
                .setGlobalSecondaryIndexDefinition(
                        new CosmosGlobalSecondaryIndexDefinition("nowhere", "SELECT c.email FROM c"));
        assertRefused(404, () -> database.createContainer(properties));
    }

    private CosmosContainer view(CosmosContainer source, String path, String query) {
        return container(new CosmosContainerProperties(freshName(), path)
                .setGlobalSecondaryIndexDefinition(new CosmosGlobalSecondaryIndexDefinition(source.getId(), query)));
    }

    /** Waits until a view has these emails by id, and nothing else. */
    private static void await(CosmosContainer view, String... emails) {
        Await.value("the view", () -> emails(view), List.of(emails));
    }

    /** While an item moves, it may be seen in both places. */
    private static List<String> emails(CosmosContainer view) {
        return view.queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), ObjectNode.class).stream()
                .map(item ->
                        item.path("id").textValue() + " " + item.path("email").textValue())
                .sorted()
                .toList();
    }
}
