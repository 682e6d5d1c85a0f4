package dev.orrery.engine.key;

import java.util.Set;

/** First byte of every stored key. The tags are on disk: append only, never renumber or reuse. */
public enum KeySpace {
    /** Account partition: {@code rid -> resource as JSON}; see {@code CatalogRow}. */
    RESOURCE(0x01),
    /** Account partition: the counters that rids are drawn from. */
    COUNTER(0x02),
    /** Account partition: how all rows are laid out; see {@link DataFormat}. */
    DATA_FORMAT(0x03),
    /** Account partition: how far the catalog has come; see {@link CatalogVersion}. */
    CATALOG_VERSION(0x04),
    /** Account partition: {@code version -> the resources that it changed}; see {@link CatalogVersion}. */
    CATALOG_LOG(0x05),
    /** {@code epk | partition key | id -> stored item}; see {@link ItemKey}, {@link StoredItem}. */
    ITEM(0x10),
    /** {@code document number -> item key}; see {@link DocumentKey}. */
    DOCUMENT(0x11),
    /** {@code lsn | sequence -> what changed}; see {@link LogKey}, {@link LogEntry}. */
    LOG(0x12),
    /** {@code epk | partition key | rule | values -> id}; see {@link UniqueClaim}. */
    UNIQUE(0x13),
    /** {@code second | item key -> nothing}; see {@link ExpiryKey}. */
    EXPIRY(0x14),
    /** What a partition must remember as a whole; see {@link PartitionState}. */
    PARTITION_STATE(0x15),
    /** {@code outline -> the places of items that have it}; see {@link OutlineKey}. */
    OUTLINE(0x16),
    /** {@code lsn | sequence -> stored item}: versions that are no longer the latest; see {@link VersionKey}. */
    VERSION(0x17),
    /** {@code view | item key -> keys in the view}, beside the source of a view; see {@link ViewKeys}. */
    VIEW_PLACES(0x18),
    /** {@code view -> lsn} up to which it has been made, beside the source of a view; see {@link ViewKeys}. */
    VIEW_PROGRESS(0x19),
    /** {@code item key -> item key in the source}, in a view; see {@link ViewKeys}. */
    VIEW_OWNER(0x1a),
    /** When other regions took over; see {@link Epochs}. */
    EPOCHS(0x1b),
    /** How far a copy that is being made must come; see {@link CopyState}. */
    COPY_STATE(0x1c),
    /** {@code lsn | sequence -> write}: what was written here and is not settled yet; see {@link Tentative}. */
    TENTATIVE(0x1d),
    /** {@code item key -> place of its last tentative write}; see {@link Tentative}. */
    HELD(0x1e),
    /** {@code region -> its last write that was settled}; see {@link Frontier}. */
    FRONTIER(0x1f),
    /** {@code kind | place | value | document number -> locator}; see {@link IndexKey}. Lives in files of its own. */
    INDEX(0x20),
    /** Up to where the settled copy has been taken over; see {@link Confirmed}. */
    CONFIRMED(0x21),
    /** {@code item key | place}: settled changes that clients here were not shown yet; see {@link PassedOver}. */
    PASSED_OVER(0x22),
    /** {@code item key -> place of its last version}, of items whose time was over; see {@link Expired}. */
    EXPIRED(0x23);

    private final byte tag;

    KeySpace(int tag) {
        this.tag = (byte) tag;
    }

    public byte tag() {
        return tag;
    }

    /** The tags of the spaces whose rows come in random order and are only ever scanned: a store keeps them apart. */
    public static Set<Byte> scattered() {
        return Set.of(INDEX.tag);
    }

    /** A writer that has written the tag already. */
    KeyWriter writer(int bytesExpected) {
        return new KeyWriter(bytesExpected + 1).writeByte(tag);
    }

    /** The least key of this space; the space ends before the {@link #end}. */
    public byte[] start() {
        return new byte[] {tag};
    }

    public byte[] end() {
        return new byte[] {(byte) (tag + 1)};
    }
}
