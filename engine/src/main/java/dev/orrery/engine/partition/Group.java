package dev.orrery.engine.partition;

import dev.orrery.engine.key.PartitionState;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The units that go down in one commit, each seeing those before it. */
final class Group {
    private final PartitionStore store;
    private final long nowSecond;
    private final PartitionState firstState;
    private final Map<ByteKey, byte[]> changes = new HashMap<>();
    private long lsn;
    private PartitionState state;
    private long bytes;

    Group(PartitionStore store, long lsn, PartitionState state, long nowSecond) {
        this.store = store;
        this.lsn = lsn;
        this.state = state;
        this.firstState = state;
        this.nowSecond = nowSecond;
    }

    Unit begin() {
        return new Unit(this, lsn + 1, state);
    }

    /** Takes over what the unit changed; a unit that changed nothing uses up no LSN. */
    void accept(Unit unit) {
        if (unit.changes().isEmpty()) {
            return;
        }
        unit.changes().forEach((key, value) -> {
            changes.put(key, value);
            bytes += key.bytes().length + (value == null ? 0 : value.length);
        });
        lsn = unit.lsn();
        state = unit.state();
    }

    byte[] get(ByteKey key) {
        return changes.containsKey(key) ? changes.get(key) : store.get(key.bytes());
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    long bytes() {
        return bytes;
    }

    long lsn() {
        return lsn;
    }

    PartitionState state() {
        return state;
    }

    long nowSecond() {
        return nowSecond;
    }

    List<Mutation> mutations() {
        var mutations = new ArrayList<Mutation>(changes.size() + 1);
        changes.forEach((key, value) ->
                mutations.add(value == null ? new Mutation.Delete(key.bytes()) : new Mutation.Put(key.bytes(), value)));
        if (!state.equals(firstState)) {
            mutations.add(new Mutation.Put(PartitionState.key(), state.encode()));
        }
        return mutations;
    }
}
