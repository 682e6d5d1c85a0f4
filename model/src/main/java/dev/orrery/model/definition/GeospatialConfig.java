package dev.orrery.model.definition;

import dev.orrery.model.json.JsonValue.Obj;

/** Whether coordinates are degrees on the globe or lengths on a plane. */
public record GeospatialConfig(Type type, Obj others) {
    public static final GeospatialConfig DEFAULT = new GeospatialConfig(Type.GEOGRAPHY, Obj.EMPTY);

    public enum Type implements Spelled {
        GEOGRAPHY("Geography"),
        GEOMETRY("Geometry");

        private final String spelling;

        Type(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    static GeospatialConfig parse(MemberReader json) {
        return new GeospatialConfig(json.choice("type", Type.class).orElse(Type.GEOGRAPHY), json.others());
    }

    Obj toJson() {
        return Obj.builder().put("type", type.spelling()).putAll(others).build();
    }
}
