/**
 * Who sends a request: proof by a key of the account, or a token that the engine proves. Begin with
 * {@link Authenticator}.
 */
package dev.orrery.gateway.auth;
