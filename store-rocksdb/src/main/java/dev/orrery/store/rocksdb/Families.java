package dev.orrery.store.rocksdb;

import java.util.List;
import java.util.Set;
import org.rocksdb.ColumnFamilyHandle;

/** Says in which column family a key lives. */
final class Families {

    static final String MAIN = "default"; // RocksDB demands one of this name.
    static final String SEPARATE = "separate";

    private final ColumnFamilyHandle main;
    private final ColumnFamilyHandle separate;
    private final int mainId;
    private final int separateId;
    private final boolean[] isSeparate = new boolean[256];

    Families(ColumnFamilyHandle main, ColumnFamilyHandle separate, Set<Byte> separateKeySpaces) {
        this.main = main;
        this.separate = separate;
        this.mainId = main.getID();
        this.separateId = separate.getID();
        for (byte keySpace : separateKeySpaces) {
            isSeparate[Byte.toUnsignedInt(keySpace)] = true;
        }
    }

    ColumnFamilyHandle of(byte[] key) {
        return isSeparate[Byte.toUnsignedInt(key[0])] ? separate : main;
    }

    List<ColumnFamilyHandle> all() {
        return List.of(main, separate);
    }

    ColumnFamilyHandle main() {
        return main;
    }

    /** The number of the family in batches. */
    int id(byte[] key) {
        return isSeparate[Byte.toUnsignedInt(key[0])] ? separateId : mainId;
    }

    int mainId() {
        return mainId;
    }

    int[] ids() {
        return new int[] {mainId, separateId};
    }
}
