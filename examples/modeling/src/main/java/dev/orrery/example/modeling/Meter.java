package dev.orrery.example.modeling;

/** Adds up the request units of everything that is asked of the containers of a workbench. */
final class Meter {
    private double requestUnits;

    void add(double charge) {
        requestUnits += charge;
    }

    double requestUnits() {
        return requestUnits;
    }
}
