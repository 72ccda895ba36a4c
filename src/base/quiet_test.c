/* base/quiet_test.c */
#include "base/quiet.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

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

TEST_MAIN()
