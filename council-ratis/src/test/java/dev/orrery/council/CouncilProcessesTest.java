package dev.orrery.council;

import dev.orrery.store.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three members in three processes, with the clock of the machine; they are killed, not asked to stop. */
class CouncilProcessesTest {
    @TempDir
    Path folder;

    @Test
    void theWriteRegionIsKilledAndAnotherTakesOverAndItReturnsAsAFollower() throws IOException {
        var ports = freePorts(3);
        var members = members(ports);
        try {
            Await.until("one is leased", () -> leased(members).isPresent());
            int first = leased(members).orElseThrow();
            members.get(first).kill();
            // Which one depends on how quick each is; that there is one does not.
            Await.until("another is leased", () -> leased(members).isPresent());
            members.set(first, member(first, ports));
            Await.until("it knows of its successor", () -> epoch(members.get(first)) > 1);
            // By hand it comes back; what fails because something else was quicker is tried again.
            Await.until("the first writes again", () -> {
                leased(members)
                        .filter(writer -> writer != first)
                        .ifPresent(writer -> members.get(writer).ask("name m" + first));
                return leased(members).filter(writer -> writer == first).isPresent();
            });
        } finally {
            members.forEach(MemberProcess::kill);
        }
    }

    @Test
    void aCharterOutlivesTheKillOfAll() throws IOException {
        var ports = freePorts(3);
        var members = members(ports);
        try {
            Await.until("one hands over, and all know", () -> {
                leased(members).ifPresent(writer -> members.get(writer).ask("name m" + (writer + 1) % 3));
                return members.stream().allMatch(member -> epoch(member) > 1);
            });
            members.forEach(MemberProcess::kill);
            for (int number = 1; number < 3; number++) {
                members.set(number, member(number, ports));
            }
            Await.until("two of three know it again", () -> epoch(members.get(1)) > 1 && epoch(members.get(2)) > 1);
        } finally {
            members.forEach(MemberProcess::kill);
        }
    }

    private List<MemberProcess> members(List<Integer> ports) throws IOException {
        var members = new ArrayList<MemberProcess>();
        for (int number = 0; number < ports.size(); number++) {
            members.add(member(number, ports));
        }
        return members;
    }

    private MemberProcess member(int number, List<Integer> ports) throws IOException {
        return new MemberProcess(folder.resolve("m" + number), "m" + number, ports);
    }

    private static Optional<Integer> leased(List<MemberProcess> members) {
        return IntStream.range(0, members.size())
                .filter(number -> members.get(number).ask("state").endsWith("leased"))
                .boxed()
                .findFirst();
    }

    /** None, and so 0, where the process is gone. */
    private static int epoch(MemberProcess member) {
        String state = member.ask("state");
        return state.equals("gone") ? 0 : Integer.parseInt(state.split(" ", 2)[0]);
    }

    private static List<Integer> freePorts(int count) {
        return IntStream.range(0, count).mapToObj(_ -> Regions.freePort()).toList();
    }
}
