package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;

/** The addresses beside the protocol: for those who run a server, open to all without a key. */
class EndpointsIT {
    @Test
    void healthAndReadinessAreTold() {
        assertThat(open("/_orrery/health").status()).isEqualTo(200);
        assertThat(open("/_orrery/ready").status()).isEqualTo(200);
    }

    @Test
    void metricsAreToldInTheFormOfPrometheus() {
        var client = new WireClient(SharedServer.running());
        client.get("/dbs");
        client.get("/dbs/none-such");
        var metrics = open("/_orrery/metrics");
        assertThat(metrics.status()).isEqualTo(200);
        assertThat(metrics.header("content-type").orElse("")).startsWith("text/plain");
        assertThat(metrics.body()).contains("# TYPE ").contains("orrery_");
        assertThat(metrics.body().lines().filter(line -> !line.startsWith("#")))
                .isNotEmpty()
                .allMatch(line -> line.matches("[a-zA-Z_:][a-zA-Z0-9_:]*(\\{.*})? (-?[0-9.eE+-]+|NaN|[+-]Inf)"));
    }

    @Test
    void theCertificateIsHandedOutAndCoversThisMachine() throws CertificateException {
        var pem = open("/_orrery/cert.pem");
        assertThat(pem.body()).startsWith("-----BEGIN CERTIFICATE-----");
        var certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.body().getBytes(StandardCharsets.US_ASCII)));
        certificate.checkValidity();
        assertThat(open("/_explorer/emulator.pem").body())
                .as("where tools for the emulators look for it")
                .isEqualTo(pem.body());
        assertThat(certificate.getSubjectAlternativeNames())
                .extracting(name -> name.get(1).toString())
                .contains("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
    }

    @Test
    void anUnknownAddressThereIsNotFound() {
        assertThat(open("/_orrery/nonsense").status()).isIn(401, 404);
    }

    private static WireReply open(String path) {
        return new WireClient(SharedServer.running()).exchange(WireRequest.of("GET", path));
    }
}
