package dev.orrery.server;

import java.util.Optional;

/**
 * How far the server stands in for the official emulators.
 *
 * @param wanted whether it prints what test tools wait for, and shows the account to whoever has no key
 * @param healthPort where it answers probes, if anywhere
 */
record Emulation(boolean wanted, Optional<Integer> healthPort) {}
