package dev.orrery.example.publishing.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A region, and the account that is written there. */
enum Region {
    WEST_US("West US", "contentpubdatabase-usa"),
    NORTH_EUROPE("North Europe", "contentpubdatabase-europe"),
    SOUTHEAST_ASIA("Southeast Asia", "contentpubdatabase-asia");

    private final String title;
    private final String account;

    Region(String title, String account) {
        this.title = title;
        this.account = account;
    }

    static List<Region> first(int count) {
        return Arrays.asList(values()).subList(0, count);
    }

    /** As SDKs and servers call it. */
    String title() {
        return title;
    }

    String account() {
        return account;
    }

    /** All of some regions, this one first. */
    List<Region> before(List<Region> others) {
        var all = new ArrayList<>(others);
        all.remove(this);
        all.addFirst(this);
        return all;
    }

    /** The one that comes after this one, in a circle. */
    Region next(List<Region> all) {
        return all.get((all.indexOf(this) + 1) % all.size());
    }

    @Override
    public String toString() {
        return title;
    }
}
