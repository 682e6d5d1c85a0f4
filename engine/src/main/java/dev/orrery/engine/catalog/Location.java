package dev.orrery.engine.catalog;

/**
 * A container by its names.
 *
 * @param container empty for the database itself
 * @param database empty for the account, which has no name here
 */
public record Location(String database, String container) {
    public static final Location ACCOUNT = new Location("", "");

    public boolean isContainer() {
        return !container.isEmpty();
    }
}
