package dev.orrery.example.publishing.demo;

/** How the platform is spread over accounts. */
enum Layout {
    /** Each region writes to an account of its own, and reads those of the others from copies. */
    ACCOUNT_PER_REGION("an account per region"),
    /** All regions write to the same one. */
    ONE_ACCOUNT("one account that all regions write to");

    private final String title;

    Layout(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
