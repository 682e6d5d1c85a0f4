package dev.orrery.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class WriteQueueTest {

    private final List<Integer> groups = new ArrayList<>();

    @Test
    void aLoneWriteIsWrittenByItsOwnThread() {
        var writers = new ArrayList<Thread>();
        var queue = new WriteQueue(group -> writers.add(Thread.currentThread()));

        queue.submit(write(10));

        assertThat(writers).containsExactly(Thread.currentThread());
    }

    @Test
    void writesThatComeMeanwhileAreWrittenTogether() throws Exception {
        int waiting = 5;
        var firstIsWriting = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var queue = new WriteQueue(group -> {
            groups.add(group.size());
            firstIsWriting.countDown();
            await(goOn);
        });
        var threads = new ArrayList<Thread>();
        threads.add(Thread.ofPlatform().start(() -> queue.submit(write(10))));
        firstIsWriting.await();
        for (int i = 0; i < waiting; i++) {
            threads.add(Thread.ofPlatform().start(() -> queue.submit(write(10))));
        }
        awaitParked(threads.subList(1, threads.size()));
        goOn.countDown();
        join(threads);

        assertThat(groups).containsExactly(1, waiting);
    }

    @Test
    void aGroupIsBoundedInBytes() throws Exception {
        var firstIsWriting = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var queue = new WriteQueue(group -> {
            groups.add(group.size());
            firstIsWriting.countDown();
            await(goOn);
        });
        var threads = new ArrayList<Thread>();
        threads.add(Thread.ofPlatform().start(() -> queue.submit(write(10))));
        firstIsWriting.await();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> queue.submit(write(2_000_000))));
        }
        awaitParked(threads.subList(1, threads.size()));
        goOn.countDown();
        join(threads);

        assertThat(groups).containsExactly(1, 2, 2);
    }

    @Test
    void everyWriteIsWrittenOnceByOneThreadAtATime() throws Exception {
        int threadCount = 8;
        int rounds = 2_000;
        var inside = new AtomicInteger();
        var written = new AtomicInteger();
        var queue = new WriteQueue(group -> {
            assertThat(inside.incrementAndGet()).isOne();
            written.addAndGet(group.size());
            inside.decrementAndGet();
        });
        var start = new CyclicBarrier(threadCount);
        var done = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (int t = 0; t < threadCount; t++) {
            var builder = t % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
            threads.add(builder.start(() -> {
                await(start);
                for (int i = 0; i < rounds; i++) {
                    queue.submit(write(10));
                }
                done.incrementAndGet();
            }));
        }
        join(threads);

        assertThat(done).hasValue(threadCount);
        assertThat(written).hasValue(threadCount * rounds);
    }

    @Test
    void aWriterThatBreaksLeavesNobodyWaiting() throws Exception {
        var firstIsWriting = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var queue = new WriteQueue(group -> {
            firstIsWriting.countDown();
            await(goOn);
            throw new AssertionError("broken");
        });
        var refused = new AtomicInteger();
        Runnable submit = () -> {
            var write = write(10);
            assertThatThrownBy(() -> {
                        queue.submit(write);
                        write.result();
                    })
                    .isInstanceOfAny(AssertionError.class, StoreException.class);
            refused.incrementAndGet();
        };
        var threads = new ArrayList<Thread>();
        threads.add(Thread.ofPlatform().start(submit));
        firstIsWriting.await();
        for (int i = 0; i < 3; i++) {
            threads.add(Thread.ofPlatform().start(submit));
        }
        awaitParked(threads.subList(1, threads.size()));
        goOn.countDown();
        join(threads);

        assertThat(refused).hasValue(4);
    }

    @Test
    void anInterruptIsKeptUntilTheWriteIsSettled() throws Exception {
        var firstIsWriting = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var queue = new WriteQueue(group -> {
            firstIsWriting.countDown();
            await(goOn);
        });
        var first = Thread.ofPlatform().start(() -> queue.submit(write(10)));
        firstIsWriting.await();
        var interrupted = new AtomicInteger();
        var second = Thread.ofPlatform().start(() -> {
            queue.submit(write(10));
            interrupted.addAndGet(Thread.interrupted() ? 1 : 0);
        });
        awaitParked(List.of(second));
        second.interrupt();
        goOn.countDown();
        join(List.of(first, second));

        assertThat(interrupted).hasValue(1);
    }

    private static Write write(int bytes) {
        var partition = new Partition(new PartitionId(1), Guard.NONE);
        var put = new Mutation.Put(new byte[] {1}, new byte[bytes]);
        return new Write.OfCommit(partition, 1, new Commit(new CommitId(1, 1), 0, 1, List.of(put)));
    }

    private static void awaitParked(List<Thread> threads) {
        for (Thread thread : threads) {
            while (!(LockSupport.getBlocker(thread) instanceof Write)) {
                Thread.onSpinWait();
            }
        }
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
