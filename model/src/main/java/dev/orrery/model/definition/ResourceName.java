package dev.orrery.model.definition;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;

/** The rules for the ids of everything but items: they are names in addresses and in headers. */
public final class ResourceName {
    private static final String FORBIDDEN = "/\\?#";

    /** Allowed in the names of scripts, which stand in no header. */
    private static final String LINE_CHARACTERS = "\r\n\t";

    private ResourceName() {}

    /** The name itself, if it may be one. */
    public static String validate(String name) {
        return validate(name, "");
    }

    /** The same for a stored procedure, a trigger or a function. */
    static String validateOfScript(String name) {
        return validate(name, LINE_CHARACTERS);
    }

    private static String validate(String name, String controlsAllowed) {
        if (name.isEmpty()) {
            throw refusal("The id must not be empty.");
        }
        if (name.length() > Limits.RESOURCE_NAME_CHARACTERS_MAX) {
            throw refusal("The id has " + name.length() + " characters, but may have "
                    + Limits.RESOURCE_NAME_CHARACTERS_MAX + " at most.");
        }
        name.codePoints()
                .filter(character -> controlsAllowed.indexOf(character) < 0)
                .forEach(character -> checkCharacter(name, character));
        if (name.endsWith(" ")) {
            throw refusal("The id '" + name + "' must not end with a space.");
        }
        return name;
    }

    private static void checkCharacter(String name, int character) {
        if (FORBIDDEN.indexOf(character) >= 0) {
            throw refusal("The id '" + name + "' contains '" + Character.toString(character)
                    + "'; the characters / \\ ? # are not allowed.");
        }
        // Half a surrogate pair has no UTF-8 form, and a control character could end the header that a name stands in.
        if (Character.isISOControl(character) || Character.getType(character) == Character.SURROGATE) {
            throw refusal("The id contains the character U+%04X, which is not allowed.".formatted(character));
        }
    }

    private static FailureException refusal(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
