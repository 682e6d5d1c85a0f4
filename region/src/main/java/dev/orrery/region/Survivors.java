package dev.orrery.region;

import dev.orrery.engine.key.CatalogVersion;
import dev.orrery.engine.replica.RangeId;
import dev.orrery.engine.replica.RangeNews;
import dev.orrery.engine.replica.Replica;
import dev.orrery.region.Message.News;
import dev.orrery.region.Message.Position;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the regions that are left have of the one that took the writes before. Whoever takes over asks them first: what it does
 * not know when it begins, they give up.
 */
final class Survivors {
    private static final Logger LOG = LoggerFactory.getLogger(Survivors.class);

    private final Replica replica;
    private final Questions questions;
    private final RandomGenerator random;
    private final Duration patience;

    /** @param patience after how long without an answer of anybody no more is awaited */
    Survivors(Replica replica, Questions questions, RandomGenerator random, Duration patience) {
        this.replica = replica;
        this.questions = questions;
        this.random = random;
        this.patience = patience;
    }

    /** What one has said, nothing when it could not be asked. */
    private record Answer(Member from, Optional<Message> message) {}

    /**
     * Asks all of them at once and takes over what they have.
     *
     * @param predecessor who took the writes before: nobody has more than it, but nobody waits for it either, for it may be lost
     * @param isOver whether it does not matter any more
     * @return how many items had to be put aside for it
     */
    long catchUp(List<Member> others, String predecessor, BooleanSupplier isOver) {
        var awaited = new HashSet<String>();
        others.stream()
                .map(Member::name)
                .filter(name -> !name.equals(predecessor))
                .forEach(awaited::add);
        if (awaited.isEmpty()) {
            return 0;
        }
        var answers = new LinkedBlockingQueue<Answer>();
        others.forEach(member -> ask(member, answers));
        long putAside = 0;
        while (!awaited.isEmpty() && !isOver.getAsBoolean()) {
            var answer = next(answers);
            if (answer.isEmpty()) {
                LOG.warn("{} could not be asked what they have of the former write region", awaited);
                return putAside;
            }
            var from = answer.get().from();
            var news = answer.get().message().flatMap(Survivors::newsIn);
            if (news.filter(this::isUseful).isPresent()) {
                putAside += take(news.get());
                awaited.add(from.name());
                ask(from, answers); // It may have more.
            } else {
                boolean isMissed = awaited.remove(from.name()) && news.isEmpty();
                if (isMissed) {
                    LOG.info("{} could not be asked what it has of the former write region", from.name());
                }
                if (news.isPresent() && from.name().equals(predecessor)) {
                    return putAside;
                }
            }
        }
        return putAside;
    }

    private void ask(Member member, BlockingQueue<Answer> answers) {
        var positions = new LinkedHashMap<RangeId, Position>();
        for (var range : replica.ranges()) {
            positions.put(range, new Position(replica.epochs(range).last(), replica.lsn(range)));
        }
        var pull = new Message.Pull(random.nextLong(), true, replica.catalogVersion(), positions, List.of(), 0);
        var _ = questions
                .send(member, pull)
                .handle((answer, _) -> answers.add(new Answer(member, Optional.ofNullable(answer))));
    }

    private Optional<Answer> next(BlockingQueue<Answer> answers) {
        try {
            return Optional.ofNullable(answers.poll(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static Optional<News> newsIn(Message message) {
        return message instanceof News news ? Optional.of(news) : Optional.empty();
    }

    private boolean isUseful(News news) {
        return news.catalog().filter(shipment -> isLater(shipment.version())).isPresent()
                || news.ranges().stream().anyMatch(this::isAhead);
    }

    private boolean isLater(CatalogVersion other) {
        var mine = replica.catalogVersion();
        return other.epoch() > mine.epoch() || (other.epoch() == mine.epoch() && other.version() > mine.version());
    }

    /** That another one lacks something, or has what was given up since, is no reason to give something up. */
    private boolean isAhead(RangeNews news) {
        return !news.isParted()
                && news.epochs().last() >= replica.epochs(news.range()).last();
    }

    private long take(News news) {
        long putAside = news.catalog()
                .filter(shipment -> isLater(shipment.version()))
                .map(replica::follow)
                .orElse(0L);
        CompletableFuture.allOf(news.ranges().stream()
                        .filter(range -> replica.has(range.range()))
                        .filter(this::isAhead)
                        .map(replica::apply)
                        .toArray(CompletableFuture[]::new))
                .join();
        return putAside;
    }
}
