package dev.orrery.region;

import dev.orrery.engine.catalog.CatalogShipment;
import dev.orrery.engine.feed.Shipment;
import dev.orrery.engine.hub.Offer;
import dev.orrery.engine.hub.Settled;
import dev.orrery.engine.item.ShippedChange;
import dev.orrery.engine.key.CatalogVersion;
import dev.orrery.engine.key.Epochs;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.replica.LostChange;
import dev.orrery.engine.replica.RangeId;
import dev.orrery.engine.replica.RangeNews;
import dev.orrery.region.Message.Position;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * A message with who sent it, as bytes: {@code "ORRL" | format:1 | account | sender | charter | kind:1 | body}, deflated
 * behind the format.
 */
record Envelope(String account, String sender, Charter charter, Message message) {
    private static final int MAGIC = 0x4f52524c;
    private static final int FORMAT = 3;
    private static final int NULL = -1;

    /** Of another account, another format, or damaged. */
    static final class UnreadableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnreadableException(String message) {
            super(message);
        }
    }

    byte[] encode() {
        var bytes = new ByteArrayOutputStream();
        try {
            var plain = new DataOutputStream(bytes);
            plain.writeInt(MAGIC);
            plain.writeByte(FORMAT);
            var deflater = new Deflater(Deflater.BEST_SPEED);
            try (var out = new DataOutputStream(new DeflaterOutputStream(bytes, deflater))) {
                out.writeUTF(account);
                out.writeUTF(sender);
                CharterFormat.write(out, charter);
                write(out, message);
            } finally {
                deflater.end();
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    static Envelope decode(byte[] bytes) {
        try {
            var plain = new DataInputStream(new ByteArrayInputStream(bytes));
            if (bytes.length < 5 || plain.readInt() != MAGIC) {
                throw new UnreadableException("What arrived is no message between regions.");
            }
            int format = plain.readByte();
            if (format != FORMAT) {
                throw new UnreadableException("The other region speaks format " + format + ", this one format " + FORMAT
                        + ". Run the same version of Orrery in all regions.");
            }
            try (var in = new DataInputStream(new InflaterInputStream(plain))) {
                return new Envelope(in.readUTF(), in.readUTF(), CharterFormat.read(in), readMessage(in));
            }
        } catch (IOException | IllegalStateException | IllegalArgumentException damaged) {
            throw new UnreadableException("A message between regions is damaged: " + damaged.getMessage());
        }
    }

    // ---- messages; the numbers of kinds are on the wire: append only ----

    private static void write(DataOutputStream out, Message message) throws IOException {
        switch (message) {
            case Message.Pull pull -> {
                out.writeByte(1);
                out.writeLong(pull.session());
                out.writeBoolean(pull.isFirst());
                write(out, pull.catalog());
                out.writeInt(pull.positions().size());
                for (var entry : pull.positions().entrySet()) {
                    write(out, entry.getKey());
                    out.writeLong(entry.getValue().epoch());
                    out.writeLong(entry.getValue().lsn());
                }
                out.writeInt(pull.gone().size());
                for (var range : pull.gone()) {
                    write(out, range);
                }
                out.writeInt(pull.waitMillis());
            }
            case Message.News news -> {
                out.writeByte(2);
                out.writeBoolean(news.catalog().isPresent());
                if (news.catalog().isPresent()) {
                    write(out, news.catalog().get());
                }
                out.writeInt(news.ranges().size());
                for (var range : news.ranges()) {
                    write(out, range);
                }
                out.writeInt(news.stable().size());
                for (var entry : news.stable().entrySet()) {
                    write(out, entry.getKey());
                    out.writeLong(entry.getValue());
                }
                out.writeBoolean(news.isAll());
                out.writeBoolean(news.isLeased());
            }
            case Message.Unknown _ -> out.writeByte(3);
            case Message.Lost lost -> {
                out.writeByte(4);
                out.writeInt(lost.changes().size());
                for (var change : lost.changes()) {
                    write(out, change.range());
                    out.writeLong(change.epoch());
                    out.writeLong(change.lsn());
                    out.writeInt(change.sequence());
                    write(out, change.entry().encode());
                    write(out, change.item().map(StoredItem::encode).orElse(null));
                }
            }
            case Message.Greeting _ -> out.writeByte(5);
            case Message.Handover handover -> {
                out.writeByte(6);
                out.writeUTF(handover.to());
            }
            case Message.Done _ -> out.writeByte(7);
            case Message.Join join -> {
                out.writeByte(9);
                out.writeUTF(join.name());
                out.writeUTF(join.endpoint());
                out.writeUTF(join.council());
                out.writeBoolean(join.isWitness());
            }
            case Message.Leave leave -> {
                out.writeByte(10);
                out.writeUTF(leave.name());
            }
            case Message.Offers offers -> {
                out.writeByte(11);
                out.writeInt(offers.offers().size());
                for (var offer : offers.offers()) {
                    write(out, offer.range());
                    out.writeInt(offer.writes().size());
                    for (var one : offer.writes()) {
                        write(out, one.place());
                        write(out, one.encode());
                    }
                }
            }
            case Message.Settlements settlements -> {
                out.writeByte(12);
                out.writeInt(settlements.settled().size());
                for (var settled : settlements.settled()) {
                    write(out, settled.range());
                    write(out, settled.upTo());
                    out.writeLong(settled.epoch());
                    out.writeLong(settled.lsn());
                }
            }
            case Message.Refusal refusal -> {
                out.writeByte(8);
                out.writeUTF(refusal.reason());
            }
        }
    }

    private static Message readMessage(DataInputStream in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case 1 -> {
                long session = in.readLong();
                boolean first = in.readBoolean();
                var catalog = readVersion(in);
                Map<RangeId, Position> positions = new LinkedHashMap<>();
                for (int left = in.readInt(); left > 0; left--) {
                    positions.put(readRange(in), new Position(in.readLong(), in.readLong()));
                }
                var gone = new ArrayList<RangeId>();
                for (int left = in.readInt(); left > 0; left--) {
                    gone.add(readRange(in));
                }
                yield new Message.Pull(session, first, catalog, positions, gone, in.readInt());
            }
            case 2 -> {
                Optional<CatalogShipment> catalog = in.readBoolean() ? Optional.of(readCatalog(in)) : Optional.empty();
                var ranges = new ArrayList<RangeNews>();
                for (int left = in.readInt(); left > 0; left--) {
                    ranges.add(readNews(in));
                }
                Map<RangeId, Long> stable = new LinkedHashMap<>();
                for (int left = in.readInt(); left > 0; left--) {
                    stable.put(readRange(in), in.readLong());
                }
                yield new Message.News(catalog, ranges, stable, in.readBoolean(), in.readBoolean());
            }
            case 3 -> new Message.Unknown();
            case 4 -> {
                var changes = new ArrayList<LostChange>();
                for (int left = in.readInt(); left > 0; left--) {
                    changes.add(new LostChange(
                            readRange(in),
                            in.readLong(),
                            in.readLong(),
                            in.readInt(),
                            LogEntry.decode(readBytes(in)),
                            Optional.ofNullable(readBytes(in)).map(StoredItem::decode)));
                }
                yield new Message.Lost(changes);
            }
            case 5 -> new Message.Greeting();
            case 6 -> new Message.Handover(in.readUTF());
            case 7 -> new Message.Done();
            case 8 -> new Message.Refusal(in.readUTF());
            case 9 -> new Message.Join(in.readUTF(), in.readUTF(), in.readUTF(), in.readBoolean());
            case 10 -> new Message.Leave(in.readUTF());
            case 11 -> {
                var offers = new ArrayList<Offer>();
                for (int left = in.readInt(); left > 0; left--) {
                    var range = readRange(in);
                    var writes = new ArrayList<Tentative>();
                    for (int more = in.readInt(); more > 0; more--) {
                        writes.add(Tentative.decode(readPlace(in), readBytes(in)));
                    }
                    offers.add(new Offer(range, writes));
                }
                yield new Message.Offers(offers);
            }
            case 12 -> {
                var settled = new ArrayList<Settled>();
                for (int left = in.readInt(); left > 0; left--) {
                    settled.add(new Settled(readRange(in), readPlace(in), in.readLong(), in.readLong()));
                }
                yield new Message.Settlements(settled);
            }
            default -> throw new UnreadableException("A message between regions is of the unknown kind " + kind + ".");
        };
    }

    private static void write(DataOutputStream out, RangeId range) throws IOException {
        out.writeInt(range.container());
        out.writeInt(range.range());
    }

    private static RangeId readRange(DataInputStream in) throws IOException {
        return new RangeId(in.readInt(), in.readInt());
    }

    private static void write(DataOutputStream out, LogKey place) throws IOException {
        out.writeLong(place.lsn());
        out.writeInt(place.sequence());
    }

    private static LogKey readPlace(DataInputStream in) throws IOException {
        return new LogKey(in.readLong(), in.readInt());
    }

    private static void write(DataOutputStream out, CatalogVersion version) throws IOException {
        out.writeLong(version.epoch());
        out.writeLong(version.version());
    }

    private static CatalogVersion readVersion(DataInputStream in) throws IOException {
        return new CatalogVersion(in.readLong(), in.readLong());
    }

    private static void write(DataOutputStream out, CatalogShipment catalog) throws IOException {
        write(out, catalog.version());
        out.writeBoolean(catalog.isComplete());
        out.writeInt(catalog.lastNumber());
        out.writeInt(catalog.rows().size());
        for (var row : catalog.rows()) {
            write(out, row.key());
            write(out, row.value());
        }
    }

    private static CatalogShipment readCatalog(DataInputStream in) throws IOException {
        var version = readVersion(in);
        boolean complete = in.readBoolean();
        int lastNumber = in.readInt();
        List<CatalogShipment.Row> rows = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            rows.add(new CatalogShipment.Row(readBytes(in), readBytes(in)));
        }
        return new CatalogShipment(version, complete, lastNumber, rows);
    }

    private static void write(DataOutputStream out, RangeNews news) throws IOException {
        write(out, news.range());
        write(out, news.epochs().encode());
        out.writeLong(news.lsn());
        out.writeLong(news.forgottenLsn());
        out.writeLong(news.forgottenSecond());
        out.writeLong(news.fork());
        out.writeLong(news.shipment().completeLsn());
        out.writeLong(news.shipment().completeSecond());
        out.writeLong(news.shipment().documents());
        out.writeInt(news.shipment().frontier().size());
        for (var settled : news.shipment().frontier().entrySet()) {
            out.writeInt(settled.getKey());
            write(out, settled.getValue());
        }
        out.writeInt(news.shipment().bundles().size());
        for (var bundle : news.shipment().bundles()) {
            out.writeLong(bundle.lsn());
            out.writeLong(bundle.second());
            out.writeInt(bundle.changes().size());
            for (var change : bundle.changes()) {
                out.writeInt(change.sequence());
                write(out, change.entry().encode());
                write(out, change.item().map(StoredItem::encode).orElse(null));
                write(out, change.owner().map(ItemKey::bytes).orElse(null));
            }
        }
    }

    private static RangeNews readNews(DataInputStream in) throws IOException {
        var range = readRange(in);
        var epochs = Epochs.ofStored(readBytes(in));
        long lsn = in.readLong();
        long forgotten = in.readLong();
        long forgottenSecond = in.readLong();
        long fork = in.readLong();
        long completeLsn = in.readLong();
        long completeSecond = in.readLong();
        long documents = in.readLong();
        var frontier = new TreeMap<Integer, LogKey>();
        for (int left = in.readInt(); left > 0; left--) {
            frontier.put(in.readInt(), readPlace(in));
        }
        var bundles = new ArrayList<Shipment.Bundle>();
        for (int left = in.readInt(); left > 0; left--) {
            long bundleLsn = in.readLong();
            long second = in.readLong();
            var changes = new ArrayList<ShippedChange>();
            for (int more = in.readInt(); more > 0; more--) {
                changes.add(new ShippedChange(
                        in.readInt(),
                        LogEntry.decode(readBytes(in)),
                        Optional.ofNullable(readBytes(in)).map(StoredItem::decode),
                        Optional.ofNullable(readBytes(in)).map(ItemKey::decode)));
            }
            bundles.add(new Shipment.Bundle(bundleLsn, second, changes));
        }
        return new RangeNews(
                range,
                epochs,
                lsn,
                forgotten,
                forgottenSecond,
                new Shipment(bundles, completeLsn, completeSecond, documents, frontier),
                fork);
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes == null ? NULL : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length == NULL ? null : in.readNBytes(length);
    }
}
