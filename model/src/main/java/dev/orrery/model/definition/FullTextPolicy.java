package dev.orrery.model.definition;

import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Where items hold texts to be searched by words, and in which language. */
public record FullTextPolicy(Language defaultLanguage, List<TextPath> paths, Obj others) {

    /** A text; without a language of its own it is in the policy's. */
    public record TextPath(JsonPath path, Optional<Language> language, Obj others) {}

    public enum Language implements Spelled {
        ENGLISH("en-US", 1033),
        GERMAN("de-DE", 1031),
        SPANISH("es-ES", 3082),
        FRENCH("fr-FR", 1036),
        ITALIAN("it-IT", 1040),
        PORTUGUESE("pt-PT", 2070),
        BRAZILIAN_PORTUGUESE("pt-BR", 1046);

        private final String spelling;
        private final String localeNumber;

        Language(String spelling, int localeNumber) {
            this.spelling = spelling;
            this.localeNumber = Integer.toString(localeNumber);
        }

        /** Clients name a language by its tag, or by the number that Windows has for it. */
        private static Language read(String place, String text) {
            return Arrays.stream(values())
                    .filter(language -> language.spelling.equalsIgnoreCase(text) || language.localeNumber.equals(text))
                    .findFirst()
                    .orElseThrow(() -> MemberReader.refusalAt(
                            place,
                            "is wrong: The Full Text Policy contains an unsupported language " + text
                                    + ". Supported languages are: "
                                    + Arrays.stream(values())
                                            .map(language -> '"' + language.spelling + '"')
                                            .collect(Collectors.joining(", "))
                                    + "."));
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
        var language = language(json, "defaultLanguage").orElse(Language.ENGLISH);
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
        return new TextPath(json.requiredPath("path"), language(json, "language"), json.others());
    }

    private static Optional<Language> language(MemberReader json, String member) {
        return json.text(member).map(text -> Language.read(json.place(member), text));
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
