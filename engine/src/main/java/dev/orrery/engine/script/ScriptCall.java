package dev.orrery.engine.script;

import java.util.Optional;

/**
 * One run of a stored procedure or trigger.
 *
 * @param arguments a JSON array
 * @param operation the write that a trigger runs with, as scripts are told it
 * @param request the JSON body of the request: what a pre-trigger may change
 * @param response the JSON body of the response so far: what a post-trigger finds
 * @param logs whether what the script says to its console is wanted
 */
public record ScriptCall(
        Script script,
        Role role,
        String arguments,
        String operation,
        Optional<String> request,
        Optional<String> response,
        boolean logs) {

    public enum Role {
        PROCEDURE,
        BEFORE,
        AFTER
    }
}
