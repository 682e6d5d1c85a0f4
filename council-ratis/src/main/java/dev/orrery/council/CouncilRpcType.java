package dev.orrery.council;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;

/** How Ratis finds {@link Links}: by the name of this class, which it makes itself. */
public final class CouncilRpcType implements RpcType {
    private static final String LINKS = "orrery.links";

    static Parameters parameters(Links links) {
        var parameters = new Parameters();
        parameters.put(LINKS, links, Links.class);
        return parameters;
    }

    @Override
    public String name() {
        return CouncilRpcType.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new ServerFactory() {
            @Override
            public RaftServerRpc newRaftServerRpc(RaftServer server) {
                var links = parameters.get(LINKS, Links.class);
                links.serve(server);
                return links;
            }

            @Override
            public RpcType getRpcType() {
                return CouncilRpcType.this;
            }
        };
    }
}
