/* base/quiet_test.c */
#include "base/quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "base/stop.h"
#include "base/test.h"

TEST(a_pipe_without_a_reader_is_an_error_and_no_signal)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    close(ends[0]);
    weir_quiet quiet;
    weir_quiet_begin(&quiet);
    ssize_t sent = write(ends[1], "x", 1);
    weir_quiet_end(&quiet);
    CHECK_EQ(sent, -1);
    CHECK_EQ(errno, EPIPE);
    close(ends[1]);
}

TEST(the_mask_of_the_thread_is_as_before)
{
    sigset_t before, after;
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    weir_quiet quiet;
    weir_quiet_begin(&quiet);
    weir_quiet_end(&quiet);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    CHECK_EQ(sigismember(&before, SIGPIPE), sigismember(&after, SIGPIPE));
    CHECK_EQ(sigismember(&before, SIGXFSZ), sigismember(&after, SIGXFSZ));
}

TEST(a_signal_that_others_sent_before_stays)
{
    sigset_t set, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_kill(pthread_self(), SIGPIPE);
    weir_quiet quiet;
    weir_quiet_begin(&quiet);
    weir_quiet_end(&quiet);
    sigpending(&pending);
    CHECK(sigismember(&pending, SIGPIPE));
    CHECK_EQ(sigtimedwait(&set, NULL, &(struct timespec){0}), SIGPIPE);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static FILE *printer;

static void *print_much(void *arg)
{
    static char bytes[200000];
    weir_stop stop;
    weir_stop_begin(&stop, arg);
    weir_print(printer, bytes, sizeof bytes);
    CHECK(weir_stop_end(&stop));
    return NULL;
}

TEST(a_print_that_waits_for_its_reader_keeps_nobody_else)
{
    int ends[2];
    pthread_t thread;
    weir_cancel *cancel = weir_cancel_create(NULL);
    CHECK(pipe(ends) == 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    printer = fdopen(ends[1], "w");
    pthread_create(&thread, NULL, print_much, cancel);
    while (weir_print_now(printer, "line\n", 5))
        ; /* until the pipe is full, without blocking */
    weir_cancel_fire(cancel, weir_error(WEIR_CANCELLED, "enough"));
    pthread_join(thread, NULL);
    char some[1 << 16];
    while (read(ends[0], some, sizeof some) > 0)
        ;
    CHECK(weir_print_now(printer, "line\n", 5));
    fclose(printer);
    close(ends[0]);
    weir_cancel_release(cancel);
}

TEST_MAIN()
