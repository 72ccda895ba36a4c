/* base/blocking_test.c - tasks that wait for each other all get a thread. */
#include "base/blocking.h"

#include <pthread.h>

#include "base/mutex.h"
#include "base/test.h"

enum { TASKS = 16 };

static weir_mutex lock = WEIR_MUTEX_INIT;
static weir_cond changed = WEIR_COND_INIT;
static int arrived, gone; /* under lock */

/* No task ends before all have started: with fewer threads than tasks this would deadlock. */
static void meet(void *arg)
{
    (void)arg;
    weir_mutex_lock(&lock);
    arrived++;
    weir_cond_broadcast(&changed);
    while (arrived < TASKS)
        weir_cond_wait(&changed, &lock);
    gone++;
    weir_cond_broadcast(&changed);
    weir_mutex_unlock(&lock);
}

TEST(tasks_may_wait_for_each_other)
{
    for (int round = 0; round < 3; round++) {
        weir_mutex_lock(&lock);
        arrived = gone = 0;
        weir_mutex_unlock(&lock);
        for (int i = 0; i < TASKS; i++)
            weir_blocking_submit(meet, NULL);
        weir_mutex_lock(&lock);
        while (gone < TASKS)
            weir_cond_wait(&changed, &lock);
        CHECK_EQ(arrived, TASKS);
        weir_mutex_unlock(&lock);
    }
}

TEST_MAIN()
