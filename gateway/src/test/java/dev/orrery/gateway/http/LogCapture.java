package dev.orrery.gateway.http;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Collects what one class logs as an error, and keeps it from the console meanwhile. */
final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger;
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

    LogCapture(Class<?> source) {
        logger = (Logger) LoggerFactory.getLogger(source);
        logger.setAdditive(false);
        logger.addAppender(this);
        start();
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
            events.add(event);
        }
    }

    List<ILoggingEvent> errors() {
        return events;
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setAdditive(true);
    }
}
