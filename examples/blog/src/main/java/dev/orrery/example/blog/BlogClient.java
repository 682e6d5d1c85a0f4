package dev.orrery.example.blog;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.CosmosDatabase;
import dev.orrery.example.common.Account;
import java.net.URI;

/** The connections to one account: one to wait for answers with, one for streams of items and changes. */
public final class BlogClient implements AutoCloseable {
    private final Account account;
    private final CosmosAsyncClient streams;

    public BlogClient(URI endpoint, String key) {
        account = new Account(endpoint, key);
        // The change feed processor writes its leases, and wants to see what became of them.
        streams = Account.builder(endpoint, key)
                .contentResponseOnWriteEnabled(true)
                .buildAsyncClient();
    }

    public Account account() {
        return account;
    }

    public CosmosDatabase database(String name) {
        return account.database(name);
    }

    public CosmosAsyncDatabase streamed(String name) {
        return streams.getDatabase(name);
    }

    @Override
    public void close() {
        account.close();
        streams.close();
    }
}
