package dev.orrery.gateway.reply;

import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Bill.Line;
import dev.orrery.gateway.http.HeaderJson;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;

/** What a charge is made of, as one line of JSON. */
final class BillHeader {
    private BillHeader() {}

    static String text(Bill bill) {
        return HeaderJson.text(Obj.builder()
                .put("requestUnits", bill.requestUnits())
                .put(
                        "items",
                        new Arr(bill.lines().stream()
                                .<JsonValue>map(BillHeader::line)
                                .toList()))
                .build());
    }

    private static Obj line(Line line) {
        var json = Obj.builder().put("what", line.effort().label()).put("count", (double) line.count());
        if (line.bytes() > 0) {
            json.put("bytes", (double) line.bytes());
        }
        return json.put("requestUnits", line.requestUnits()).build();
    }
}
