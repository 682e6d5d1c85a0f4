package dev.orrery.region;

/**
 * One region of an account.
 *
 * @param name as clients know it, "West US"
 * @param number of the account's regions, from 0; never used for another one, for it is in what a region makes
 * @param endpoint where clients and other regions reach it, {@code https://host:port/}
 * @param council where its part in the council is reached, {@code host:port}; empty where there is none
 * @param isWitness whether it has only a voice: it holds no data and serves no clients
 */
public record Member(String name, int number, String endpoint, String council, boolean isWitness) {}
