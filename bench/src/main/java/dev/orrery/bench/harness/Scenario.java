package dev.orrery.bench.harness;

import java.util.List;

/**
 * One thing to measure.
 *
 * @param contenders Orrery first, then the yardstick that the aim is about, then others
 * @param aimPercent of the yardstick's rate
 */
public record Scenario(
        String title, RequestKind operation, boolean secure, int aimPercent, List<Contender> contenders) {
    public Scenario {
        contenders = List.copyOf(contenders);
    }
}
