package dev.orrery.engine.key;

import dev.orrery.model.Rid;
import java.util.ArrayList;
import java.util.List;

/**
 * The version of the catalog, {@code tag -> format:1 | epoch:8 | version:8}, and which resources each version changed,
 * {@code tag | version:8 -> format:1 | (rid length:1 | rid)*}, so that other copies can be told of just those.
 *
 * @param epoch of the account in which the last change was made
 */
public record CatalogVersion(long epoch, long version) {
    private static final int FORMAT = 1;

    public static byte[] key() {
        return KeySpace.CATALOG_VERSION.start();
    }

    public byte[] encode() {
        return new KeyWriter(17)
                .writeByte(FORMAT)
                .writeLong(epoch)
                .writeLong(version)
                .toBytes();
    }

    public static CatalogVersion decode(byte[] value) {
        var reader = new KeyReader(value, 0);
        Formats.demand("version of the catalog", FORMAT, reader.readByte());
        return new CatalogVersion(reader.readLong(), reader.readLong());
    }

    public static byte[] logKey(long version) {
        return KeySpace.CATALOG_LOG.writer(8).writeLong(version).toBytes();
    }

    public static long logVersion(byte[] key) {
        return new KeyReader(key, 1).readLong();
    }

    public static byte[] encodeLog(List<Rid> changed) {
        var writer = new KeyWriter(1 + 24 * changed.size()).writeByte(FORMAT);
        for (var rid : changed) {
            var bytes = ResourceKey.encode(rid);
            writer.writeByte(bytes.length).writeRaw(bytes);
        }
        return writer.toBytes();
    }

    public static List<Rid> decodeLog(byte[] value) {
        var reader = new KeyReader(value, 0);
        Formats.demand("log of the catalog", FORMAT, reader.readByte());
        var changed = new ArrayList<Rid>();
        for (int left = value.length - 1; left > 0; ) {
            int length = reader.readByte();
            changed.add(ResourceKey.decode(reader.readBytes(length)));
            left -= 1 + length;
        }
        return changed;
    }
}
