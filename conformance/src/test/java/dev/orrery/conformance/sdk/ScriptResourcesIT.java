package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosTriggerProperties;
import com.azure.cosmos.models.CosmosUserDefinedFunctionProperties;
import com.azure.cosmos.models.TriggerOperation;
import com.azure.cosmos.models.TriggerType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stored procedures, triggers and user-defined functions: created, read, replaced, listed, queried, deleted. */
class ScriptResourcesIT extends SdkSuite {
    private static final String BODY = "function () { getContext().getResponse().setBody(1); }";

    private CosmosContainer container;

    @BeforeEach
    void openContainer() {
        container = container("/pk");
    }

    @Test
    void storedProcedures() {
        var scripts = container.getScripts();
        var created = scripts.createStoredProcedure(new CosmosStoredProcedureProperties("p", BODY));
        assertThat(created.getStatusCode()).isEqualTo(201);
        assertThat(created.getProperties().getBody()).isEqualTo(BODY);
        assertThat(created.getProperties().getETag()).startsWith("\"");
        assertRefused(409, () -> scripts.createStoredProcedure(new CosmosStoredProcedureProperties("p", BODY)));

        var procedure = scripts.getStoredProcedure("p");
        procedure.replace(procedure.read().getProperties().setBody("function changed() {}"));
        assertThat(procedure.read().getProperties().getBody()).isEqualTo("function changed() {}");
        assertThat(scripts.readAllStoredProcedures())
                .extracting(CosmosStoredProcedureProperties::getId)
                .containsExactly("p");
        assertThat(scripts.queryStoredProcedures(
                        "SELECT * FROM r WHERE r.id = 'none'", new CosmosQueryRequestOptions()))
                .isEmpty();

        assertThat(procedure.delete().getStatusCode()).isEqualTo(204);
        assertRefused(404, procedure::read);
    }

    @Test
    void triggers() {
        var scripts = container.getScripts();
        scripts.createTrigger(new CosmosTriggerProperties("t", BODY)
                .setTriggerType(TriggerType.POST)
                .setTriggerOperation(TriggerOperation.REPLACE));
        var trigger = scripts.getTrigger("t");
        var properties = trigger.read().getProperties();
        assertThat(properties.getTriggerType()).isEqualTo(TriggerType.POST);
        assertThat(properties.getTriggerOperation()).isEqualTo(TriggerOperation.REPLACE);

        trigger.replace(properties.setTriggerType(TriggerType.PRE).setTriggerOperation(TriggerOperation.ALL));
        assertThat(scripts.readAllTriggers())
                .extracting(CosmosTriggerProperties::getTriggerType)
                .containsExactly(TriggerType.PRE);
        assertThat(scripts.queryTriggers("SELECT * FROM r WHERE r.id = 't'", new CosmosQueryRequestOptions()))
                .extracting(CosmosTriggerProperties::getTriggerOperation)
                .containsExactly(TriggerOperation.ALL);
        trigger.delete();
        assertRefused(404, trigger::read);
    }

    @Test
    void userDefinedFunctions() {
        var scripts = container.getScripts();
        scripts.createUserDefinedFunction(new CosmosUserDefinedFunctionProperties("f", BODY));
        var function = scripts.getUserDefinedFunction("f");
        function.replace(function.read().getProperties().setBody("function (x) { return x; }"));
        assertThat(scripts.readAllUserDefinedFunctions())
                .extracting(CosmosUserDefinedFunctionProperties::getBody)
                .containsExactly("function (x) { return x; }");
        assertThat(scripts.queryUserDefinedFunctions(
                        "SELECT * FROM r WHERE r.id = 'f'", new CosmosQueryRequestOptions()))
                .hasSize(1);
        function.delete();
        assertRefused(404, function::read);
    }
}
