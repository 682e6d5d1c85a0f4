package dev.orrery.gateway.direct;

import dev.orrery.engine.Database;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.gateway.direct.DirectReply.Progress;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.model.Rid;
import java.util.Arrays;
import java.util.Optional;

/** Knows how far a range has come, which every reply says: from the reply itself, or else from the database. */
record RangeProgress(Database database) {
    private static final int DATABASE_RID_BYTES = 4;
    /** Clients take 0 for nothing known. */
    private static final long LSN_LEAST = 1;

    Progress of(ReplicaPath replica, HttpReply reply) {
        var lsn = reply.header("lsn").map(Long::parseLong);
        var session = reply.header("x-ms-session-token");
        var range = reply.header("x-ms-documentdb-partitionkeyrangeid").orElse(replica.range());
        if (lsn.isPresent() && (session.isPresent() || replica.isAccount())) {
            return progress(lsn.get(), range, session);
        }
        var facts = ask(replica);
        return progress(facts.lsn().orElse(LSN_LEAST), replica.range(), facts.sessionToken());
    }

    private static Progress progress(long lsn, String range, Optional<String> session) {
        return new Progress(
                Math.max(lsn, LSN_LEAST),
                range,
                session.map(RangeProgress::withoutRange).orElse(""));
    }

    /** {@code 0:-1#5} without its beginning, which clients put before it again. */
    private static String withoutRange(String token) {
        return token.substring(token.indexOf(':') + 1);
    }

    private Facts ask(ReplicaPath replica) {
        var all = replica.rangeOfContainer()
                .map(range -> new Scope(Optional.of(range), Optional.empty(), Optional.empty()))
                .orElse(Scope.ALL);
        return database.execute(new Operation.ReadProgress(address(replica), all), Caller.owner())
                .toCompletableFuture()
                .join()
                .facts();
    }

    private static Address address(ReplicaPath replica) {
        return Rid.find(replica.containerRid())
                .map(rid -> Address.ACCOUNT
                        .child(
                                ResourceKind.DATABASE,
                                Rid.ofBytes(Arrays.copyOf(rid.bytes(), DATABASE_RID_BYTES))
                                        .toString())
                        .child(ResourceKind.CONTAINER, rid.toString()))
                .orElse(Address.ACCOUNT);
    }
}
