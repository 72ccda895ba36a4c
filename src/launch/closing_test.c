/* launch/closing_test.c - servers' account lines, and the resulting table. */
#include "launch/closing.h"

#include "base/test.h"

/* Parses |lines|, terminated by a null, as one task's. */
static run_account account_of(const char *const *lines)
{
    run_account account = {0};
    for (; *lines; lines++)
        run_account_take(&account, weir_str_of(*lines));
    return account;
}

static void expect_closing(const run_account *accounts, const char *expected)
{
    static const struct {
        const char *job;
        int index;
    } tasks[] = {{"ps", 0}, {"worker", 0}, {"worker", 1}};
    WEIR_BUF(text);
    run_closing *closing = run_closing_begin();
    for (int i = 0; i < 3; i++)
        run_closing_add(closing, tasks[i].job, tasks[i].index, &accounts[i]);
    run_closing_end(closing, &text);
    CHECK_STR(text.at ? text.at : "", expected);
}

static void free_accounts(run_account *accounts)
{
    for (int i = 0; i < 3; i++)
        run_account_fini(&accounts[i]);
}

TEST(lines)
{
    CHECK(run_is_account(WEIR_STR("account steps 1 2 3 4 5 6")));
    CHECK(!run_is_account(WEIR_STR("grpc://localhost:1")));
    run_account account = account_of((const char *const[]){
        "account steps 10 20 640 2.0 0.5 1.0", "account steps 1 2 64 1.0 0.5 1.0",
        "account gradients 3 1 /job:worker/replica:0/task:1", "account gradients 2 0 ",
        "account of something else", NULL});
    CHECK_EQ(account.steps, 11);
    CHECK_EQ(account.parts, 22);
    CHECK_EQ(account.examples, 704);
    CHECK(account.seconds == 3 && account.waited_s == 1 && account.in_steps_s == 2);
    CHECK_EQ(account.gradients.count, 2);
    CHECK_STR(account.gradients.at[1].task, "");
    run_account_fini(&account);
}

TEST(a_worker_whose_gradients_were_dropped)
{
    run_account accounts[] = {
        account_of((const char *const[]){
            "account steps 0 90 0 0 1 4", "account gradients 40 1 /job:worker/replica:0/task:0",
            "account gradients 2 30 /job:worker/replica:0/task:1", NULL}),
        account_of((const char *const[]){"account steps 41 41 4100 2.0 1 2", NULL}),
        account_of((const char *const[]){"account steps 32 32 0 2.0 3 2", NULL}),
    };
    expect_closing(accounts,
                   "  task            steps  waiting  examples/s   gradients accepted\n"
                   "  ps 0               90     25 %           -   -\n"
                   "  worker 0           41     50 %        2050   40 of 41\n"
                   "  worker 1           32    100 %           -   2 of 32\n"
                   "weir: worker 1 contributed almost nothing: 2 gradients accepted, the busiest "
                   "40\n");
    free_accounts(accounts);
}

TEST(a_worker_without_steps)
{
    run_account accounts[] = {
        account_of((const char *const[]){"account steps 0 60 0 0 0 0", NULL}),
        account_of((const char *const[]){"account steps 60 60 0 2.0 1 2", NULL}),
        account_of((const char *const[]){"account steps 1 1 0 2.0 1 2", NULL}),
    };
    expect_closing(accounts, "  task            steps  waiting  examples/s   gradients accepted\n"
                             "  ps 0               60        -           -   -\n"
                             "  worker 0           60     50 %           -   -\n"
                             "  worker 1            1     50 %           -   -\n"
                             "weir: worker 1 contributed almost nothing: 1 step, the busiest 60\n");
    free_accounts(accounts);
}

TEST(a_worker_that_was_killed)
{
    run_account accounts[] = {
        account_of((const char *const[]){"account steps 0 60 0 0 0 0", NULL}),
        account_of((const char *const[]){"account steps 60 60 0 2.0 1 2", NULL}),
        account_of((const char *const[]){NULL}),
    };
    expect_closing(accounts, "  task            steps  waiting  examples/s   gradients accepted\n"
                             "  ps 0               60        -           -   -\n"
                             "  worker 0           60     50 %           -   -\n"
                             "  worker 1            -        -           -   -\n");
    free_accounts(accounts);
}

/* A job without steps on Weir's servers has no table. */
TEST(nothing)
{
    run_account accounts[3] = {{0}};
    expect_closing(accounts, "");
}

TEST_MAIN()
