package dev.orrery.example.modeling;

/**
 * What one task takes in both models.
 *
 * @param task in words that go after "to", such as "read a person"
 */
public record Row(String task, Cost pattern, Cost opposite) {
    /** Differences below this are not worth a word. */
    private static final double NOTICEABLE = 1.05;

    public boolean isCheaperWithPattern() {
        return opposite.requestUnits() > pattern.requestUnits() * NOTICEABLE;
    }

    public boolean isCheaperWithOpposite() {
        return pattern.requestUnits() > opposite.requestUnits() * NOTICEABLE;
    }

    /** How many times the cheaper one the dearer one is. */
    double factor() {
        return Math.max(pattern.requestUnits(), opposite.requestUnits())
                / Math.min(pattern.requestUnits(), opposite.requestUnits());
    }

    double savedRequestUnits() {
        return Math.abs(pattern.requestUnits() - opposite.requestUnits());
    }
}
