package dev.orrery.model.definition;

import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** Where items hold texts to be searched by words, and in which language. */
public record FullTextPolicy(Language defaultLanguage, List<TextPath> paths, Obj others) {

    /** A text; without a language of its own it is in the policy's. */
    public record TextPath(JsonPath path, Optional<Language> language, Obj others) {}

    public enum Language implements Spelled {
        ENGLISH("en-US"),
        GERMAN("de-DE"),
        SPANISH("es-ES"),
        FRENCH("fr-FR"),
        ITALIAN("it-IT"),
        PORTUGUESE("pt-PT"),
        BRAZILIAN_PORTUGUESE("pt-BR");

        private final String spelling;

        Language(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    public FullTextPolicy {
        paths = List.copyOf(paths);
    }

    static FullTextPolicy parse(MemberReader json) {
        var language = json.choice("defaultLanguage", Language.class).orElse(Language.ENGLISH);
        var paths = json.objects("fullTextPaths", Limits.INDEX_SPECIAL_PATHS_MAX, FullTextPolicy::parsePath);
        var seen = new HashSet<JsonPath>();
        for (var path : paths) {
            if (!seen.add(path.path())) {
                throw json.refusal(
                        "fullTextPaths", "contains the path '" + path.path().text() + "' twice.");
            }
        }
        return new FullTextPolicy(language, paths, json.others());
    }

    private static TextPath parsePath(MemberReader json) {
        return new TextPath(json.requiredPath("path"), json.choice("language", Language.class), json.others());
    }

    /** The text at a path, however the path is written. */
    public Optional<TextPath> find(JsonPath path) {
        return paths.stream().filter(text -> text.path().equals(path)).findFirst();
    }

    /** The language of the text at a path, whether the policy names the path or not. */
    public Language languageAt(JsonPath path) {
        return find(path).flatMap(TextPath::language).orElse(defaultLanguage);
    }

    Obj toJson() {
        return Obj.builder()
                .put("defaultLanguage", defaultLanguage.spelling())
                .put(
                        "fullTextPaths",
                        new Arr(paths.stream()
                                .<JsonValue>map(FullTextPolicy::toJson)
                                .toList()))
                .putAll(others)
                .build();
    }

    private static Obj toJson(TextPath text) {
        var json = Obj.builder().put("path", text.path().text());
        text.language().ifPresent(language -> json.put("language", language.spelling()));
        return json.putAll(text.others()).build();
    }
}
