package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.ChangeFeedPolicy;
import com.azure.cosmos.models.CompositePath;
import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.ComputedProperty;
import com.azure.cosmos.models.ConflictResolutionMode;
import com.azure.cosmos.models.ConflictResolutionPolicy;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosContainerRequestOptions;
import com.azure.cosmos.models.CosmosFullTextIndex;
import com.azure.cosmos.models.CosmosFullTextPath;
import com.azure.cosmos.models.CosmosFullTextPolicy;
import com.azure.cosmos.models.CosmosVectorDataType;
import com.azure.cosmos.models.CosmosVectorDistanceFunction;
import com.azure.cosmos.models.CosmosVectorEmbedding;
import com.azure.cosmos.models.CosmosVectorEmbeddingPolicy;
import com.azure.cosmos.models.CosmosVectorIndexSpec;
import com.azure.cosmos.models.CosmosVectorIndexType;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingMode;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.SpatialSpec;
import com.azure.cosmos.models.SpatialType;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Containers: what a definition holds is kept and returned, with the defaults of the service filled in. */
class ContainerIT extends SdkSuite {
    @Test
    void aMinimalContainerGetsTheDefaultsOfTheService() {
        var name = freshName();
        var created = database.createContainer(name, "/pk");
        assertThat(created.getStatusCode()).isEqualTo(201);
        var properties = database.getContainer(name).read().getProperties();
        assertThat(properties.getId()).isEqualTo(name);
        assertThat(properties.getResourceId()).hasSize(12);
        assertThat(properties.getPartitionKeyDefinition().getPaths()).containsExactly("/pk");
        assertThat(properties.getPartitionKeyDefinition().getKind()).isEqualTo(PartitionKind.HASH);
        assertThat(properties.getPartitionKeyDefinition().getVersion()).isEqualTo(PartitionKeyDefinitionVersion.V1);
        assertThat(properties.getIndexingPolicy().getIndexingMode()).isEqualTo(IndexingMode.CONSISTENT);
        assertThat(properties.getIndexingPolicy().isAutomatic()).isTrue();
        assertThat(properties.getIndexingPolicy().getIncludedPaths())
                .extracting(IncludedPath::getPath)
                .containsExactly("/*");
        assertThat(properties.getIndexingPolicy().getExcludedPaths())
                .extracting(ExcludedPath::getPath)
                .containsExactly("/\"_etag\"/?");
        assertThat(properties.getUniqueKeyPolicy().getUniqueKeys()).isNullOrEmpty();
        assertThat(properties.getConflictResolutionPolicy().getMode())
                .isEqualTo(ConflictResolutionMode.LAST_WRITER_WINS);
        assertThat(properties.getConflictResolutionPolicy().getConflictResolutionPath())
                .isEqualTo("/_ts");
        assertThat(properties.getDefaultTimeToLiveInSeconds()).isNull();
        var wire = wire().get("/dbs/" + database.getId() + "/colls/" + name).json();
        assertThat(wire.path("geospatialConfig").path("type").textValue()).isEqualTo("Geography");
        assertThat(wire.path("_docs").textValue()).isEqualTo("docs/");
        assertThat(wire.path("_conflicts").textValue()).isEqualTo("conflicts/");
        assertThat(wire.path("partitionKey").path("version").intValue()).isEqualTo(1);
    }

    @Test
    void theIndexingPolicyIsKept() {
        var policy = new IndexingPolicy()
                .setIndexingMode(IndexingMode.CONSISTENT)
                .setIncludedPaths(List.of(new IncludedPath("/name/?"), new IncludedPath("/tags/[]/?")))
                .setExcludedPaths(List.of(new ExcludedPath("/*")))
                .setCompositeIndexes(List.of(List.of(
                        new CompositePath().setPath("/name").setOrder(CompositePathSortOrder.ASCENDING),
                        new CompositePath().setPath("/age").setOrder(CompositePathSortOrder.DESCENDING))))
                .setSpatialIndexes(List.of(new SpatialSpec()
                        .setPath("/place/*")
                        .setSpatialTypes(List.of(SpatialType.POINT, SpatialType.POLYGON))));
        var kept = kept(new CosmosContainerProperties(freshName(), "/pk").setIndexingPolicy(policy))
                .getIndexingPolicy();
        assertThat(kept.getIncludedPaths())
                .extracting(IncludedPath::getPath)
                .containsExactlyInAnyOrder("/name/?", "/tags/[]/?");
        assertThat(kept.getExcludedPaths()).extracting(ExcludedPath::getPath).contains("/*");
        assertThat(kept.getCompositeIndexes()).hasSize(1);
        assertThat(kept.getCompositeIndexes().getFirst())
                .extracting(path -> path.getPath() + " " + path.getOrder())
                .containsExactly("/name ascending", "/age descending");
        assertThat(kept.getSpatialIndexes()).hasSize(1);
        assertThat(kept.getSpatialIndexes().getFirst().getSpatialTypes())
                .contains(SpatialType.POINT, SpatialType.POLYGON);
    }

    @Test
    void indexingCanBeSwitchedOff() {
        var policy = new IndexingPolicy().setAutomatic(false).setIndexingMode(IndexingMode.NONE);
        var kept = kept(new CosmosContainerProperties(freshName(), "/pk").setIndexingPolicy(policy));
        assertThat(kept.getIndexingPolicy().getIndexingMode()).isEqualTo(IndexingMode.NONE);
        assertThat(kept.getIndexingPolicy().isAutomatic()).isFalse();
    }

    @Test
    void timeToLiveIsKept() {
        var container = new CosmosContainerProperties(freshName(), "/pk");
        assertThat(kept(container.setDefaultTimeToLiveInSeconds(3600)).getDefaultTimeToLiveInSeconds())
                .isEqualTo(3600);
        container = new CosmosContainerProperties(freshName(), "/pk");
        assertThat(kept(container.setDefaultTimeToLiveInSeconds(-1)).getDefaultTimeToLiveInSeconds())
                .isEqualTo(-1);
    }

    @Test
    void uniqueKeysAreKept() {
        var policy = new UniqueKeyPolicy()
                .setUniqueKeys(
                        List.of(new UniqueKey(List.of("/mail")), new UniqueKey(List.of("/first", "/last/name"))));
        var kept = kept(new CosmosContainerProperties(freshName(), "/pk").setUniqueKeyPolicy(policy));
        assertThat(kept.getUniqueKeyPolicy().getUniqueKeys())
                .extracting(UniqueKey::getPaths)
                .containsExactly(List.of("/mail"), List.of("/first", "/last/name"));
    }

    @Test
    void conflictResolutionIsKept() {
        var byPath = ConflictResolutionPolicy.createLastWriterWinsPolicy("/version");
        var kept = kept(new CosmosContainerProperties(freshName(), "/pk").setConflictResolutionPolicy(byPath));
        assertThat(kept.getConflictResolutionPolicy().getConflictResolutionPath())
                .isEqualTo("/version");

        var name = freshName();
        var byProcedure = ConflictResolutionPolicy.createCustomPolicy(database.getId(), name, "merge");
        kept = kept(new CosmosContainerProperties(name, "/pk").setConflictResolutionPolicy(byProcedure));
        assertThat(kept.getConflictResolutionPolicy().getMode()).isEqualTo(ConflictResolutionMode.CUSTOM);
        assertThat(kept.getConflictResolutionPolicy().getConflictResolutionProcedure())
                .endsWith("sprocs/merge");
    }

    @Test
    void computedPropertiesAreKept() {
        var kept = kept(new CosmosContainerProperties(freshName(), "/pk")
                .setComputedProperties(List.of(new ComputedProperty("lower", "SELECT VALUE LOWER(c.name) FROM c"))));
        assertThat(kept.getComputedProperties())
                .extracting(property -> property.getName() + ": " + property.getQuery())
                .containsExactly("lower: SELECT VALUE LOWER(c.name) FROM c");
    }

    @Test
    void vectorPoliciesAreKept() {
        var embeddings = new CosmosVectorEmbeddingPolicy();
        embeddings.setCosmosVectorEmbeddings(List.of(new CosmosVectorEmbedding()
                .setPath("/vector")
                .setDataType(CosmosVectorDataType.FLOAT32)
                .setEmbeddingDimensions(128)
                .setDistanceFunction(CosmosVectorDistanceFunction.COSINE)));
        var indexing = new IndexingPolicy()
                .setVectorIndexes(List.of(new CosmosVectorIndexSpec()
                        .setPath("/vector")
                        .setType(CosmosVectorIndexType.QUANTIZED_FLAT.toString())
                        .setQuantizationSizeInBytes(32)))
                .setIncludedPaths(List.of(new IncludedPath("/*")))
                .setExcludedPaths(List.of(new ExcludedPath("/vector/*")));
        var kept = kept(new CosmosContainerProperties(freshName(), "/pk")
                .setVectorEmbeddingPolicy(embeddings)
                .setIndexingPolicy(indexing));
        var embedding = kept.getVectorEmbeddingPolicy().getVectorEmbeddings().getFirst();
        assertThat(embedding.getPath()).isEqualTo("/vector");
        assertThat(embedding.getDataType()).isEqualTo(CosmosVectorDataType.FLOAT32);
        assertThat(embedding.getEmbeddingDimensions()).isEqualTo(128);
        assertThat(embedding.getDistanceFunction()).isEqualTo(CosmosVectorDistanceFunction.COSINE);
        var index = kept.getIndexingPolicy().getVectorIndexes().getFirst();
        assertThat(index.getType()).isEqualTo("quantizedFlat");
        assertThat(index.getQuantizationSizeInBytes()).isEqualTo(32);
    }

    @Test
    void fullTextPoliciesAreKept() {
        var policy = new CosmosFullTextPolicy()
                .setDefaultLanguage("en-US")
                .setPaths(List.of(new CosmosFullTextPath().setPath("/text").setLanguage("en-US")));
        var indexing =
                new IndexingPolicy().setCosmosFullTextIndexes(List.of(new CosmosFullTextIndex().setPath("/text")));
        var kept = kept(new CosmosContainerProperties(freshName(), "/pk")
                .setFullTextPolicy(policy)
                .setIndexingPolicy(indexing));
        assertThat(kept.getFullTextPolicy().getDefaultLanguage()).isEqualTo("en-US");
        assertThat(kept.getFullTextPolicy().getPaths())
                .extracting(path -> path.getPath() + " " + path.getLanguage())
                .containsExactly("/text en-US");
        assertThat(kept.getIndexingPolicy()
                        .getCosmosFullTextIndexes()
                        .getFirst()
                        .getPath())
                .isEqualTo("/text");
    }

    @Test
    void theChangeFeedPolicyIsKept() {
        var retention = Duration.ofMinutes(10);
        var kept = kept(new CosmosContainerProperties(freshName(), "/pk")
                .setChangeFeedPolicy(ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(retention)));
        assertThat(kept.getChangeFeedPolicy().getRetentionDurationForAllVersionsAndDeletesPolicy())
                .isEqualTo(retention);
    }

    @Test
    void policiesThisSdkHasNoWordForAreKeptToo() {
        var name = freshName();
        var created = wire().post("/dbs/" + database.getId() + "/colls", """
            {"id":"%s","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},
             "geospatialConfig":{"type":"Geometry"},"analyticalStorageTtl":-1,
             "indexingPolicy":{"indexingMode":"Consistent","spatialIndexes":[{"path":"/place/*","types":["Point"],
             "boundingBox":{"xmin":-10,"ymin":-5,"xmax":10,"ymax":5}}]}}\
            """.formatted(name));
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        var read = wire().get("/dbs/" + database.getId() + "/colls/" + name).json();
        assertThat(read.path("geospatialConfig").path("type").textValue()).isEqualTo("Geometry");
        assertThat(read.path("analyticalStorageTtl").intValue()).isEqualTo(-1);
        assertThat(read.path("indexingPolicy").path("indexingMode").textValue()).isEqualTo("consistent");
        assertThat(read.findPath("boundingBox").path("xmax").intValue()).isEqualTo(10);
    }

    @Test
    void partitionKeyDefinitionsOfEveryKindAndVersionAreKept() {
        var first = new PartitionKeyDefinition().setPaths(List.of("/a/b")).setVersion(PartitionKeyDefinitionVersion.V1);
        var kept = kept(new CosmosContainerProperties(freshName(), first)).getPartitionKeyDefinition();
        assertThat(kept.getVersion()).isEqualTo(PartitionKeyDefinitionVersion.V1);
        assertThat(kept.getPaths()).containsExactly("/a/b");

        var container = hierarchicalContainer("/tenant", "/user", "/session");
        var hierarchical = container.read().getProperties().getPartitionKeyDefinition();
        assertThat(hierarchical.getKind()).isEqualTo(PartitionKind.MULTI_HASH);
        assertThat(hierarchical.getVersion()).isEqualTo(PartitionKeyDefinitionVersion.V2);
        assertThat(hierarchical.getPaths()).containsExactly("/tenant", "/user", "/session");
    }

    @Test
    void containersAreListedAndFoundById() {
        var first = container("/pk");
        var second = container("/pk");
        assertThat(database.readAllContainers())
                .extracting(CosmosContainerProperties::getId)
                .contains(first.getId(), second.getId());
        assertThat(database.queryContainers("SELECT * FROM c WHERE c.id = '" + second.getId() + "'"))
                .extracting(CosmosContainerProperties::getId)
                .containsExactly(second.getId());
    }

    @Test
    void aSecondContainerOfTheSameNameIsAConflict() {
        var container = container("/pk");
        assertRefused(409, () -> database.createContainer(container.getId(), "/other"));
        var again = database.createContainerIfNotExists(new CosmosContainerProperties(container.getId(), "/pk"));
        assertThat(again.getStatusCode()).isEqualTo(200);
    }

    @Test
    void aDeletedContainerIsGoneAndItsNameIsFreeForAnEmptyOne() {
        var container = container("/pk");
        container.createItem(json("{'id':'1','pk':'a'}"));
        assertThat(container.delete().getStatusCode()).isEqualTo(204);
        assertRefused(404, container::read);
        database.createContainer(container.getId(), "/pk");
        // The client still knows the old container's id; the server's 400/1024 makes it look again.
        assertRefused(404, () -> read(container, "1", key("a")));
        container.createItem(json("{'id':'2','pk':'a'}"));
        assertThat(read(container, "2", key("a")).path("id").textValue()).isEqualTo("2");
    }

    @Test
    void quotaInformationComesOnRequest() {
        var container = container("/pk");
        container.createItem(json("{'id':'1','pk':'a'}"));
        var read = container.read(new CosmosContainerRequestOptions().setQuotaInfoEnabled(true));
        assertThat(read.getCurrentResourceQuotaUsage()).contains("documentsCount=1");
        assertThat(read.getMaxResourceQuota()).contains("storedProcedures=");
        assertThat(read.getIndexTransformationProgress()).isEqualTo(100);
    }

    @Test
    void everyWriteOfAnItemTellsWhatIsThereAfterIt() {
        var container = container("/pk");
        var created = container.createItem(json("{'id':'1','pk':'a'}"));
        assertThat(created.getMaxResourceQuota()).contains("documentSize=2048;").contains("documentsCount=-1");
        assertThat(created.getCurrentResourceQuotaUsage()).contains("documentsCount=1");
        var upserted = container.upsertItem(json("{'id':'2','pk':'a'}"));
        assertThat(upserted.getCurrentResourceQuotaUsage())
                .contains("documentsCount=2;")
                .contains("documentsSize=1;");
        var replaced = container.replaceItem(json("{'id':'2','pk':'a','x':1}"), "2", key("a"), null);
        assertThat(replaced.getCurrentResourceQuotaUsage()).contains("documentsCount=2;");
        var deleted = container.deleteItem("1", key("a"), null);
        assertThat(deleted.getCurrentResourceQuotaUsage()).contains("documentsCount=1;");
    }

    private CosmosContainerProperties kept(CosmosContainerProperties properties) {
        return container(properties).read().getProperties();
    }
}
