package dev.orrery.server.transfer;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Says in words what is wrong with a file: for many reasons, the message of the JDK is no more than its name. */
public final class Problem {
    private Problem() {}

    public static String text(IOException problem) {
        return switch (problem) {
            case NoSuchFileException missing -> "there is no " + missing.getFile() + ", or no folder for it";
            case AccessDeniedException denied -> denied.getFile() + " may not be used by this user";
            case NotDirectoryException file -> file.getFile() + " is not a folder";
            case FileAlreadyExistsException there -> there.getFile() + " is there already";
            case FileSystemException other when other.getReason() == null -> other.getFile() + " cannot be used";
            case IOException other when other.getMessage() == null -> other.toString();
            case IOException other -> other.getMessage();
        };
    }
}
