/* net/channel_wait_suite.h - the part of the suite about threads that wait for calls and receive
 * meanwhile; included by channel_suite.h. */
#ifndef WEIR_NET_CHANNEL_WAIT_SUITE_H
#define WEIR_NET_CHANNEL_WAIT_SUITE_H

#include "base/word.h"
#include "net/channel_suite.h"

typedef struct call_log {
    pthread_t thread;
    weir_code code;
    atomic_int over, ends;
} call_log;

static void note_over(void *arg, weir_status status, weir_rpc_message *answer)
{
    call_log *noted = arg;
    noted->thread = pthread_self();
    noted->code = weir_status_code(status);
    weir_status_free(status);
    weir_rpc_message_fini(answer);
    atomic_store(&noted->over, 1);
    weir_word_wake(&noted->over);
    atomic_fetch_add(&noted->ends, 1);
}

static void start_noted(weir_channel *channel, const char *path, call_log *noted)
{
    weir_rpc_message request = {0};
    weir_channel_start(
        channel,
        &(weir_channel_call){.path = path, .request = &request, .done = note_over, .arg = noted});
}

TEST(who_waits_receives)
{
    weir_rpc_server *server = serve(0);
    weir_channel *c = open_port(weir_rpc_port(server));
    int own = 0;
    for (int i = 0; i < 200; i++) {
        call_log n = {0};
        weir_channel_cork();
        start_noted(c, "/t/Echo", &n);
        weir_channel_receive_until(c, &n.over);
        CHECK_EQ(n.code, WEIR_OK);
        wait_for(&n.ends, 1);
        own += pthread_equal(n.thread, pthread_self()) != 0;
    }
    CHECK(own > 0);
    weir_channel_release(c);
    weir_rpc_server_destroy(server);
}

typedef struct waiting {
    weir_channel *c;
    call_log n;
} waiting;

static void *wait_blocked(void *arg)
{
    waiting *waiting = arg;
    start_noted(waiting->c, "/t/Block", &waiting->n);
    weir_channel_receive_until(waiting->c, &waiting->n.over);
    return NULL;
}

/* Several threads wait, one of them receives for all; each is woken for its own call. */
TEST(all_who_wait_are_woken)
{
    enum { THREADS = 4 };
    weir_rpc_server *server = serve(0);
    weir_channel *c = open_port(weir_rpc_port(server));
    pthread_t threads[THREADS];
    waiting w[THREADS] = {0};
    for (int i = 0; i < THREADS; i++) {
        w[i].c = c;
        CHECK_EQ(pthread_create(&threads[i], NULL, wait_blocked, &w[i]), 0);
    }
    wait_for(&blocked, THREADS);
    CHECK_OK(ask_only(c, "/t/Echo", "x")); /* received by a thread whose own call is still open */
    note_over(&w[0].n, WEIR_OK,
              &(weir_rpc_message){0}); /* a word that changes for another reason */
    pthread_join(threads[0], NULL);
    CHECK_OK(ask_only(c, "/t/Echo", "x"));
    weir_rpc_server_destroy(server);
    for (int i = 1; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        wait_for(&w[i].n.ends, 1); /* the callback's thread is done with it */
        CHECK(w[i].n.code == WEIR_UNAVAILABLE || w[i].n.code == WEIR_CANCELLED);
    }
    wait_for(&w[0].n.ends, 2);
    weir_channel_release(c);
}

/* Waiting threads and the client I/O thread alternate at a channel: no call is left unread. */
TEST(calls_that_nobody_waits_for_end_between_others)
{
    enum { ROUNDS = 100 };
    weir_rpc_server *server = serve(0);
    weir_channel *c = open_port(weir_rpc_port(server));
    for (int i = 0; i < ROUNDS; i++) {
        call_log n[3] = {0};
        CHECK_OK(ask_only(c, "/t/Echo", "x"));
        start_noted(c, "/t/Echo", &n[0]); /* a waiting thread had the connection */
        if (i % 2)
            wait_for(&n[0].ends, 1);
        weir_channel_cork();
        start_noted(c, "/t/Echo", &n[1]);
        weir_channel_uncork(); /* but no thread waits */
        start_noted(c, "/t/QuickEcho", &n[2]);
        for (int j = 0; j < 3; j++) {
            wait_for(&n[j].ends, 1);
            CHECK_EQ(n[j].code, WEIR_OK);
        }
    }
    weir_channel_release(c);
    weir_rpc_server_destroy(server);
}

typedef struct caller {
    weir_channel *c;
    int failed;
} caller;

static void *call_often(void *arg)
{
    caller *caller = arg;
    for (int i = 0; i < 200; i++) {
        weir_status status = ask_only(caller->c, i % 3 ? "/t/QuickEcho" : "/t/Echo", "x");
        caller->failed += status != WEIR_OK;
        weir_status_free(status);
    }
    return NULL;
}

TEST(threads_take_turns_at_receiving)
{
    enum { THREADS = 4 };
    weir_rpc_server *server = serve(0);
    pthread_t threads[THREADS];
    caller callers[THREADS] = {0};
    weir_channel *c = open_port(weir_rpc_port(server));
    for (int i = 0; i < THREADS; i++) {
        callers[i].c = c;
        CHECK_EQ(pthread_create(&threads[i], NULL, call_often, &callers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK_EQ(callers[i].failed, 0);
    }
    weir_channel_release(c);
    weir_rpc_server_destroy(server);
}

/* A server that restarts between two calls of a waiting thread: the channel notices the end of its
 * connection though that thread was the last to read it. */
TEST(the_end_of_an_idle_connection_is_noticed)
{
    weir_rpc_server *server = serve(0);
    int port = weir_rpc_port(server), noticed = 0;
    weir_channel *c = open_port(port);
    for (int i = 0; i < 10; i++) {
        weir_status status = WEIR_OK;
        CHECK_OK(ask_only(c, "/t/Echo", "x")); /* read by this thread: it is connected */
        weir_rpc_server_destroy(server);
        server = serve(port);
        usleep(20000);
        status = ask_only(c, "/t/Echo", "x");
        noticed += status == WEIR_OK;
        weir_status_free(status);
        while ((status = ask_only(c, "/t/Echo", "x")))
            weir_status_free(status);
    }
    CHECK(noticed > 3); /* occasionally a tick notices it first */
    weir_channel_release(c);
    weir_rpc_server_destroy(server);
}

#endif
