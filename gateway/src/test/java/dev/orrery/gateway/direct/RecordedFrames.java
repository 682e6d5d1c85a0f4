package dev.orrery.gateway.direct;

import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.memory.MemoryBudget;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** Frames that the Java SDK and a server have exchanged. */
final class RecordedFrames {
    private RecordedFrames() {}

    @SuppressWarnings("ArrayRecordComponent") // Carried, never compared.
    record Recorded(int number, boolean fromClient, String what, byte[] bytes) {
        /** The frame as a server reads it; anything but the first frame of a connection comes after one. */
        RequestFrame frame() {
            var channel = new EmbeddedChannel(new FrameReader(MemoryBudget.unlimited()));
            if (number != 1) {
                channel.writeInbound(Unpooled.wrappedBuffer(context()));
                channel.readInbound();
            }
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));
            RequestFrame frame = channel.readInbound();
            channel.finishAndReleaseAll();
            return frame;
        }

        @Override
        public String toString() {
            return number + " " + what;
        }
    }

    static byte[] context() {
        return all().getFirst().bytes();
    }

    static List<Recorded> requests() {
        return all().stream().filter(Recorded::fromClient).toList();
    }

    static List<Recorded> all() {
        try (var lines = new BufferedReader(new InputStreamReader(
                RecordedFrames.class.getResourceAsStream("frames.jsonl"), StandardCharsets.UTF_8))) {
            return lines.lines().map(RecordedFrames::recorded).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Recorded recorded(String line) {
        var json = (Obj) JsonReader.parse(line);
        return new Recorded(
                (int) ((Num) json.member("n")).value(),
                ((Str) json.member("direction")).value().startsWith("client"),
                ((Str) json.member("what")).value(),
                HexFormat.of().parseHex(((Str) json.member("hex")).value()));
    }
}
