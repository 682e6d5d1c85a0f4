package dev.orrery.engine.key;

import dev.orrery.store.KeyRange;
import java.util.ArrayList;
import java.util.List;

/**
 * What has to be remembered to keep a view up to date. Views are known by the number of their container.
 *
 * <pre>
 * in the source   tag | view:4 | item key -> (length:4 | key in the view)..
 *                 tag | view:4            -> {@link ViewProgress}
 * in the view     tag | item key          -> item key in the source
 * </pre>
 */
public final class ViewKeys {
    private static final int VIEW_BYTES = 4;

    private ViewKeys() {}

    /** Where what an item has in a view may lie. */
    public static byte[] places(int view, ItemKey source) {
        return KeySpace.VIEW_PLACES
                .writer(VIEW_BYTES + source.bytes().length)
                .writeInt(view)
                .writeRaw(source.bytes())
                .toBytes();
    }

    /** The places of all items. */
    public static KeyRange allPlaces(int view) {
        return KeyRange.prefix(
                KeySpace.VIEW_PLACES.writer(VIEW_BYTES).writeInt(view).toBytes());
    }

    /** Up to where a view has followed its source. */
    public static byte[] progress(int view) {
        return KeySpace.VIEW_PROGRESS.writer(VIEW_BYTES).writeInt(view).toBytes();
    }

    /** The view that a key of progress is of. */
    public static int view(byte[] progress) {
        return new KeyReader(progress, 1).readInt();
    }

    /** Of all items of a view, whose they are. */
    public static KeyRange allOwners() {
        return KeyRange.prefix(KeySpace.VIEW_OWNER.start());
    }

    /** Whose an item of a view is. */
    public static byte[] owner(ItemKey inView) {
        return KeySpace.VIEW_OWNER
                .writer(inView.bytes().length)
                .writeRaw(inView.bytes())
                .toBytes();
    }

    static ItemKey placesItem(byte[] key) {
        var reader = new KeyReader(key, 1);
        reader.readInt();
        return ItemKey.decode(reader.readRest());
    }

    public static ItemKey ownerItem(byte[] key) {
        return ItemKey.decode(new KeyReader(key, 1).readRest());
    }

    public static byte[] encodePlaces(List<ItemKey> places) {
        var writer = new KeyWriter(64);
        places.forEach(place -> writer.writeInt(place.bytes().length).writeRaw(place.bytes()));
        return writer.toBytes();
    }

    /** No places for null. */
    public static List<ItemKey> decodePlaces(byte[] value) {
        var places = new ArrayList<ItemKey>();
        if (value != null) {
            var reader = new KeyReader(value, 0);
            while (reader.position() < value.length) {
                places.add(ItemKey.decode(reader.readBytes(reader.readInt())));
            }
        }
        return places;
    }
}
