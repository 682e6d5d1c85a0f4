package dev.orrery.bench.harness;

import dev.orrery.gateway.auth.HttpDate;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The requests of all scenarios as bytes, signed like those of an SDK. */
public record Requests(Endpoint endpoint, String key) {
    public static final String DATABASE_LINK = "dbs/bench";
    public static final String CONTAINER_LINK = DATABASE_LINK + "/colls/items";

    public byte[] createDatabase() {
        return request("POST", "dbs", "", "/dbs", "", "{\"id\":\"bench\"}");
    }

    public byte[] createContainer() {
        return request(
                "POST",
                "colls",
                DATABASE_LINK,
                "/" + DATABASE_LINK + "/colls",
                "",
                "{\"id\":\"items\",\"partitionKey\":{\"paths\":[\"/id\"],\"kind\":\"Hash\",\"version\":2}}");
    }

    public byte[] deleteContainer() {
        return request("DELETE", "colls", CONTAINER_LINK, "/" + CONTAINER_LINK, "", "");
    }

    public byte[] create(String id) {
        return request(
                "POST", "docs", CONTAINER_LINK, "/" + CONTAINER_LINK + "/docs", partitionKey(id), SampleItem.json(id));
    }

    public byte[] read(String id) {
        return readItem(CONTAINER_LINK, id, id);
    }

    public byte[] readItem(String containerLink, String id, String partitionKey) {
        return readItem(containerLink, id, partitionKey, "");
    }

    public byte[] readItem(String containerLink, String id, String partitionKey, String headers) {
        var link = containerLink + "/docs/" + id;
        return request("GET", "docs", link, "/" + link, partitionKey(partitionKey) + headers, "");
    }

    public byte[] replaceItem(String containerLink, String id, String partitionKey, String etag, String json) {
        var link = containerLink + "/docs/" + id;
        return request(
                "PUT", "docs", link, "/" + link, partitionKey(partitionKey) + "If-Match: " + etag + "\r\n", json);
    }

    public byte[] execute(String procedureLink, String partitionKey, String arguments) {
        return request("POST", "sprocs", procedureLink, "/" + procedureLink, partitionKey(partitionKey), arguments);
    }

    /** Finds what {@link #read} reads. */
    public byte[] query(String id) {
        var headers = partitionKey(id) + "x-ms-documentdb-isquery: true\r\nContent-Type: application/query+json\r\n";
        return request(
                "POST",
                "docs",
                CONTAINER_LINK,
                "/" + CONTAINER_LINK + "/docs",
                headers,
                "{\"query\":\"SELECT * FROM c WHERE c.id = @id\",\"parameters\":[{\"name\":\"@id\",\"value\":\"" + id
                        + "\"}]}");
    }

    public static String partitionKey(String id) {
        return "x-ms-documentdb-partitionkey: [\"" + id + "\"]\r\n";
    }

    /** Any request that makes something or asks a query, below the given link. */
    public byte[] post(String kind, String link, String headers, String body) {
        var path = (link.isEmpty() ? "" : "/" + link) + "/" + kind;
        return request("POST", kind, link, path, headers, body);
    }

    /** What lies below the given link. */
    public byte[] list(String kind, String link, String headers) {
        return request("GET", kind, link, "/" + link + "/" + kind, headers, "");
    }

    /** The stream of changes, from now on. */
    public byte[] followChanges(String containerLink) {
        return request(
                "GET",
                "docs",
                containerLink,
                "/" + containerLink + "/changes?from=now",
                "Accept: text/event-stream\r\n",
                "");
    }

    /** What only Orrery has, for people who look after it. */
    public byte[] order(String path, String body) {
        return request("POST", "", "", path, "", body);
    }

    public byte[] look(String path) {
        return request("GET", "", "", path, "", "");
    }

    private byte[] request(String verb, String kind, String link, String path, String moreHeaders, String body) {
        var date = HttpDate.format(Instant.now());
        var type = moreHeaders.contains("Content-Type") ? "" : "Content-Type: application/json\r\n";
        var content = body.isEmpty() ? "" : type + "Content-Length: " + body.length() + "\r\n";
        var text = verb + " " + path + " HTTP/1.1\r\n"
                + "Host: " + endpoint.host() + "\r\n"
                + "User-Agent: orrery-bench\r\n"
                + (moreHeaders.contains("Accept") ? "" : "Accept: application/json\r\n")
                + "x-ms-version: 2020-07-15\r\n"
                + "x-ms-date: " + date + "\r\n"
                + "authorization: " + authorization(verb, kind, link, date) + "\r\n"
                + moreHeaders
                + content
                + "\r\n"
                + body;
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    public String authorization(String verb, String type, String link, String date) {
        var text = verb.toLowerCase(Locale.ROOT) + "\n" + type + "\n" + link + "\n" + date.toLowerCase(Locale.ROOT)
                + "\n\n";
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            var signature = Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
            return URLEncoder.encode("type=master&ver=1.0&sig=" + signature, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
