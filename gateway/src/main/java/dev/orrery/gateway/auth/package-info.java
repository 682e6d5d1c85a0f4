/** Who sends a request: proof by a key of the account, or a token that the engine proves. */
package dev.orrery.gateway.auth;
