package dev.orrery.engine.feed;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ChangeMode;
import dev.orrery.engine.operation.Operation.ChangesWanted;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Somebody who reads the changes of the test container and remembers the place. */
final class FeedReader {
    private final TestDatabase database;
    private final ChangeMode mode;
    private final Scope scope;
    private Optional<String> after = Optional.empty();
    private Optional<Instant> since = Optional.empty();
    private Optional<Integer> pageSize = Optional.empty();
    private boolean wrapped;
    private boolean previous;

    FeedReader(TestDatabase database, ChangeMode mode, Scope scope) {
        this.database = database;
        this.mode = mode;
        this.scope = scope;
    }

    static FeedReader latest(TestDatabase database) {
        return new FeedReader(database, ChangeMode.LATEST_VERSION, Scope.ALL);
    }

    static FeedReader allVersions(TestDatabase database) {
        return new FeedReader(database, ChangeMode.ALL_VERSIONS, Scope.ALL);
    }

    FeedReader from(String tag) {
        after = Optional.of(tag);
        return this;
    }

    FeedReader since(Instant time) {
        since = Optional.of(time);
        return this;
    }

    FeedReader wrapped() {
        wrapped = true;
        return this;
    }

    FeedReader withPrevious() {
        previous = true;
        return this;
    }

    FeedReader pageSize(int items) {
        pageSize = Optional.of(items);
        return this;
    }

    Optional<String> place() {
        return after;
    }

    Outcome ask() {
        return database.execute(new Operation.ReadChanges(
                TestDatabase.CONTAINER, scope, new ChangesWanted(mode, after, since, wrapped, previous), pageSize));
    }

    /** The next page; empty when nothing has changed. */
    List<Obj> page() {
        var outcome = ask();
        if (outcome.answer() instanceof Answer.Refused(var failure)) {
            throw new FailureException(failure);
        }
        after = outcome.facts().etag();
        return outcome.answer() instanceof Answer.NotModified
                ? List.of()
                : TestDatabase.rows(outcome).stream().map(Obj.class::cast).toList();
    }

    /** Everything until nothing more has changed. */
    List<Obj> drain() {
        var all = new ArrayList<Obj>();
        for (var page = page(); !page.isEmpty(); page = page()) {
            all.addAll(page);
        }
        return all;
    }

    List<String> ids() {
        return drain().stream().map(item -> TestDatabase.text(item, "id")).toList();
    }

    static List<String> stories(List<Obj> changes) {
        return changes.stream().map(FeedReader::story).toList();
    }

    /** A change in short: what happened to whom, and the values of {@code n} after and before. */
    private static String story(Obj change) {
        var metadata = (Obj) change.member("metadata");
        var current = (Obj) change.member("current");
        var id = current.member("id").isUndefined() ? metadata.member("id") : current.member("id");
        var text = TestDatabase.text(metadata, "operationType") + " " + ((Str) id).value();
        if (current.member("n") instanceof Num(double n, var _)) {
            text += " " + (int) n;
        }
        if (change.member("previous") instanceof Obj before && before.member("n") instanceof Num(double n, var _)) {
            text += " was " + (int) n;
        }
        return metadata.member("timeToLiveExpired").isUndefined() ? text : text + " expired";
    }
}
