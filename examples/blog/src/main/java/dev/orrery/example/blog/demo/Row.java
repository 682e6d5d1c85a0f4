package dev.orrery.example.blog.demo;

import dev.orrery.example.blog.Version;

/**
 * What one request took in one version.
 *
 * @param units the mean of all calls
 * @param lean whether each call was one operation on one partition
 */
record Row(
        Request request,
        Version version,
        double p50Millis,
        double p99Millis,
        double units,
        double operations,
        boolean lean) {
    Request.Reference reference() {
        return request.reference(version);
    }

    double millisRatio() {
        return p50Millis / reference().millis();
    }

    double unitsRatio() {
        return units / reference().units();
    }

    /** As the scenario marks them: a warning where several operations are needed or all partitions are asked. */
    String mark() {
        return lean ? "✅" : "⚠";
    }
}
