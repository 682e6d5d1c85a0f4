package dev.orrery.model.definition;

import dev.orrery.model.json.JsonValue.Obj;

/**
 * Which of two writes made in different regions stays: the one with the greater number at a path, or what a stored
 * procedure decides. Without a procedure, conflicts of a custom policy are kept for the application.
 */
public record ConflictResolutionPolicy(Mode mode, String path, String procedure, Obj others) {
    public static final ConflictResolutionPolicy DEFAULT =
            new ConflictResolutionPolicy(Mode.LAST_WRITER_WINS, "/_ts", "", Obj.EMPTY);

    private static final String PATH = "conflictResolutionPath";
    private static final String PROCEDURE = "conflictResolutionProcedure";

    public enum Mode implements Spelled {
        LAST_WRITER_WINS("LastWriterWins"),
        CUSTOM("Custom");

        private final String spelling;

        Mode(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    static ConflictResolutionPolicy parse(MemberReader json) {
        var mode = json.choice("mode", Mode.class).orElse(Mode.LAST_WRITER_WINS);
        var path = json.text(PATH).orElse("");
        var procedure = json.text(PROCEDURE).orElse("");
        return switch (mode) {
            case LAST_WRITER_WINS -> {
                if (!procedure.isEmpty()) {
                    throw json.refusal(PROCEDURE, "is only allowed with the mode Custom.");
                }
                var used = path.isEmpty()
                        ? DEFAULT.path
                        : PropertyPath.read(json.place(PATH), path).text();
                yield new ConflictResolutionPolicy(mode, used, "", json.others());
            }
            case CUSTOM -> {
                if (!path.isEmpty()) {
                    throw json.refusal(PATH, "is only allowed with the mode LastWriterWins.");
                }
                if (!procedure.isEmpty() && !procedure.matches("/?dbs/[^/]+/colls/[^/]+/sprocs/[^/]+/?")) {
                    throw json.refusal(
                            PROCEDURE, "is '" + procedure + "', but must be a link like dbs/d/colls/c/sprocs/s.");
                }
                yield new ConflictResolutionPolicy(mode, "", procedure, json.others());
            }
        };
    }

    Obj toJson() {
        return Obj.builder()
                .put("mode", mode.spelling())
                .put(PATH, path)
                .put(PROCEDURE, procedure)
                .putAll(others)
                .build();
    }
}
