/* lab/sample/step_log_test.c - steps that another process reads. */
#include "lab/sample/step_log.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"

TEST(steps_are_seen_by_another_process)
{
    WEIR_OWNED(weir_step_log) w = NULL;
    CHECK_OK(weir_step_log_create(100, &w));
    pid_t pid = fork();
    if (pid == 0) {
        weir_step_log *mine = NULL;
        if (weir_step_log_open(dup(weir_step_log_fd(w)), &mine) != WEIR_OK)
            _exit(1);
        for (int i = 0; i < 130; i++)
            weir_step_log_add(mine, &(weir_step_record){i, i + 1, i * 2, 0.5 * i});
        weir_step_log_set(mine, 3, 0.75);
        _exit(0);
    }
    int status;
    waitpid(pid, &status, 0);
    CHECK_EQ(status, 0);
    CHECK_EQ(weir_step_log_count(w), 130);
    CHECK_EQ(weir_step_log_first(w), 30);
    CHECK_EQ(weir_step_log_at(w, 30).at, 60);
    CHECK_EQ(weir_step_log_at(w, 129).begin_ns, 129);
    CHECK_NEAR(weir_step_log_get(w, 3), 0.75, 0);
    weir_step_log *bad = NULL;
    int fd = open("/dev/null", O_RDWR);
    CHECK_FAILS(weir_step_log_open(fd, &bad), WEIR_INVALID_ARGUMENT, "holds no steps");
    close(fd);
}

TEST_MAIN()
