# Orrery in a container: docker build -t orrery .
#
# Where this was written no container could be built. What can be tried without one is: LauncherIT runs the entry point and the
# health command, ContainerFilesTest holds this file to the layout that the build makes.

FROM maven:3-eclipse-temurin-25 AS build
WORKDIR /src
COPY . .
RUN mvn -B -ntp -q -DskipTests -pl server -am package && rm server/target/dist/orrery.aot

FROM eclipse-temurin:25-jre
WORKDIR /opt/orrery
COPY --from=build /src/orrery ./
COPY --from=build /src/server/target/dist ./server/target/dist
# What is here is all there is; and a JRE is enough to run it.
ENV ORRERY_NO_BUILD=true
# The class cache must be trained with the very Java that uses it.
RUN java @server/target/dist/jvm.options -XX:AOTCacheOutput=server/target/dist/orrery.aot \
        -cp server/target/dist/lib/orrery-server.jar dev.orrery.server.Main start --memory --port 0 --exit-when-ready \
    && useradd --system --home-dir /var/lib/orrery orrery \
    && install -d -o orrery -g orrery -m 700 /var/lib/orrery
USER orrery
VOLUME /var/lib/orrery
EXPOSE 8081 8082 8080
HEALTHCHECK --interval=15s --timeout=10s --start-period=5s --retries=3 CMD ["/opt/orrery/orrery", "health"]
ENTRYPOINT ["/opt/orrery/orrery", "start", "--host", "0.0.0.0", "--data", "/var/lib/orrery", "--health-port", "8080"]
# A key of your own keeps strangers out: -e ORRERY_KEY=... and no --allow-well-known-key.
CMD ["--allow-well-known-key"]
