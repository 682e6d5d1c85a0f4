package dev.orrery.engine.resource;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Resource;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.ViewDefinition;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What must hold between a view and its source. */
final class ViewRules {
    private ViewRules() {}

    /** The definition of a new container; that of a view with its source found. */
    static ContainerDefinition withSource(Catalog.Edit edit, Rid database, ContainerDefinition container) {
        if (container.view().isEmpty()) {
            return container;
        }
        if (!container.uniqueKeyPolicy().uniqueKeys().isEmpty()) {
            // Which of two items that share a value got in would depend on the order in which the view sees them.
            throw refused("A view cannot have unique keys: what it holds follows from its source alone.");
        }
        var view = container.view().get();
        var source = source(edit, database, view)
                .orElseThrow(() -> refused("The source of the view, container '"
                        + view.sourceId().or(view::sourceRid).orElseThrow() + "', does not exist in this database."));
        if (source.definition().view().isPresent()) {
            throw refused(
                    "The source of the view, container '" + source.definition().id()
                            + "', is a view itself. Take its own source: '"
                            + source.definition().view().get().sourceId().orElseThrow() + "'.");
        }
        if (viewsOf(edit, source).size() >= Limits.VIEWS_OF_CONTAINER_MAX) {
            throw refused("Container '" + source.definition().id() + "' has " + Limits.VIEWS_OF_CONTAINER_MAX
                    + " views already, and may not have more.");
        }
        return container.withView(Optional.of(
                view.withSource(source.definition().id(), source.rid().toString())));
    }

    private static Optional<Container> source(Catalog.Edit edit, Rid database, ViewDefinition view) {
        return containers(edit, Optional.of(database)).stream()
                .filter(container -> view.sourceId().isPresent()
                        ? container.definition().id().equals(view.sourceId().get())
                        : container.rid().toString().equals(view.sourceRid().orElseThrow()))
                .findFirst();
    }

    /** A container goes after its views, or with its database. */
    static void demandNoViews(Catalog.Edit edit, Resource doomed) {
        if (doomed.kind() != ResourceKind.CONTAINER) {
            return;
        }
        var views = viewsOf(edit, edit.findContainer(doomed.rid()).orElseThrow());
        if (!views.isEmpty()) {
            throw refused("The container is the source of "
                    + views.stream()
                            .map(view -> "'" + view.definition().id() + "'")
                            .collect(Collectors.joining(", "))
                    + ". Delete these views first.");
        }
    }

    private static List<Container> viewsOf(Catalog.Edit edit, Container source) {
        return containers(edit, source.resource().parent()).stream()
                .filter(container -> container.isViewOf(source))
                .toList();
    }

    private static List<Container> containers(Catalog.Edit edit, Optional<Rid> database) {
        return edit.list(database, ResourceKind.CONTAINER).stream()
                .map(resource -> edit.findContainer(resource.rid()).orElseThrow())
                .toList();
    }

    private static FailureException refused(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
