/* base/blocking_test.c - tasks that wait for each other all get a thread. */
#include "base/blocking.h"

#include <pthread.h>

#include "base/test.h"

enum { TASKS = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int arrived, gone; /* under lock */

/* Nobody goes before everybody has come: fewer threads than tasks would wait for ever. */
static void meet(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    arrived++;
    pthread_cond_broadcast(&changed);
    while (arrived < TASKS)
        pthread_cond_wait(&changed, &lock);
    gone++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

TEST(tasks_may_wait_for_each_other)
{
    for (int round = 0; round < 3; round++) {
        pthread_mutex_lock(&lock);
        arrived = gone = 0;
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < TASKS; i++)
            weir_blocking_submit(meet, NULL);
        pthread_mutex_lock(&lock);
        while (gone < TASKS)
            pthread_cond_wait(&changed, &lock);
        CHECK_EQ(arrived, TASKS);
        pthread_mutex_unlock(&lock);
    }
}

TEST_MAIN()
