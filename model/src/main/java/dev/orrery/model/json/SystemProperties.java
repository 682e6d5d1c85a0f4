package dev.orrery.model.json;

/**
 * The properties that the server adds to an item and that a client cannot set.
 *
 * @param etag the entity tag with its quotes, as in the header
 * @param timestampSeconds the time of the last write, since 1970
 */
public record SystemProperties(String rid, String self, String etag, long timestampSeconds) {
    public static final String RID = "_rid";
    public static final String SELF = "_self";
    public static final String ETAG = "_etag";
    public static final String TIMESTAMP = "_ts";
    public static final String ATTACHMENTS = "_attachments";

    private static final int SIZE_EXPECTED = 256;

    public static boolean isSystemName(String name) {
        return switch (name) {
            case RID, SELF, ETAG, TIMESTAMP, ATTACHMENTS -> true;
            default -> false;
        };
    }

    /** The same question about a name in text, where it may be escaped. */
    static boolean isSystemName(byte[] text, int nameStart, int nameEnd) {
        return nameStart < nameEnd
                && (text[nameStart] == '_' || text[nameStart] == '\\')
                && isSystemName(JsonText.string(text, nameStart, nameEnd));
    }

    /** An object of these properties alone. */
    JsonScan scan() {
        var writer = new JsonWriter(SIZE_EXPECTED);
        writer.raw("{").name(RID).string(rid);
        writer.raw(",").name(SELF).string(self);
        writer.raw(",").name(ETAG).string(etag);
        writer.raw(",").name(TIMESTAMP).number(timestampSeconds);
        writer.raw(",").name(ATTACHMENTS).raw("\"attachments/\"}");
        return JsonScanner.scan(writer.buffer(), 0, writer.size());
    }
}
