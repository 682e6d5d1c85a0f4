package dev.orrery.engine.script;

import java.util.Optional;

/**
 * What a script has left behind.
 *
 * @param request the JSON body of the request as it is now; absent when the script has removed it
 * @param response the JSON body of the response
 * @param log what it said to its console, when somebody wants to know
 */
public record ScriptResult(Optional<String> request, Optional<String> response, String log) {}
