package dev.orrery.sql.text;

import dev.orrery.model.definition.FullTextPolicy.Language;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.br.BrazilianAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/** Cuts texts of one language into words. Only English passes over words that say nothing. */
final class Analysis {
    private static final CharArraySet ENGLISH_STOP_WORDS =
            CharArraySet.unmodifiableSet(new CharArraySet(EnglishStopWords.ALL, false));

    private final Analyzer analyzer;

    Analysis(Language language) {
        analyzer = switch (language) {
            case ENGLISH -> new EnglishAnalyzer(ENGLISH_STOP_WORDS);
            case GERMAN -> new GermanAnalyzer(CharArraySet.EMPTY_SET);
            case SPANISH -> new SpanishAnalyzer(CharArraySet.EMPTY_SET);
            case FRENCH -> new FrenchAnalyzer(CharArraySet.EMPTY_SET);
            case ITALIAN -> new ItalianAnalyzer(CharArraySet.EMPTY_SET);
            case PORTUGUESE -> new PortugueseAnalyzer(CharArraySet.EMPTY_SET);
            case BRAZILIAN_PORTUGUESE -> new BrazilianAnalyzer(CharArraySet.EMPTY_SET);
        };
    }

    Words words(String text) {
        var words = new Words();
        var place = -1;
        try (var stream = analyzer.tokenStream("", text)) {
            var word = stream.addAttribute(CharTermAttribute.class);
            var step = stream.addAttribute(PositionIncrementAttribute.class);
            stream.reset();
            while (stream.incrementToken()) {
                place += step.getPositionIncrement();
                words.add(word.toString(), place);
            }
            stream.end();
        } catch (IOException impossible) {
            throw new UncheckedIOException("A text in memory could not be read.", impossible);
        }
        return words;
    }
}
