package dev.orrery.gateway.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Offers one key and its certificate, straight from memory: a key store would first encrypt and decrypt them. */
final class SingleKey extends X509ExtendedKeyManager {
    private static final String ALIAS = "orrery";

    private final KeyAndCertificate pair;

    SingleKey(KeyAndCertificate pair) {
        this.pair = pair;
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        return aliasFor(keyType);
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return aliasFor(keyType);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        var alias = aliasFor(keyType);
        return alias == null ? null : new String[] {alias};
    }

    private String aliasFor(String keyType) {
        return pair.key().getAlgorithm().equals(keyType) ? ALIAS : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return alias.equals(ALIAS) ? pair.chain().toArray(X509Certificate[]::new) : null;
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return alias.equals(ALIAS) ? pair.key() : null;
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        return null; // the server is never a client
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return null;
    }
}
