/* base/word_watch_test.c - waiting for a word or a descriptor. */
#include "base/word_watch.h"

#include <pthread.h>
#include <unistd.h>

#include "base/test.h"
#include "base/word.h"

typedef struct sleeper {
    atomic_int word, waits;
    int ends[2];
} sleeper;

static void *change_word(void *arg)
{
    sleeper *sleeper = arg;
    weir_word_wait(&sleeper->waits, 0);
    atomic_store(&sleeper->word, 1);
    weir_word_wake(&sleeper->word);
    return NULL;
}

static void wait_for_word(sleeper *sleeper)
{
    weir_word_watch *watch = weir_word_watch_begin(&sleeper->word);
    CHECK(watch != NULL);
    atomic_store(&sleeper->waits, 1);
    weir_word_wake(&sleeper->waits);
    while (!atomic_load(&sleeper->word))
        weir_word_watch_wait(watch, sleeper->ends[0]);
    weir_word_watch_end(watch);
}

TEST(a_word_that_changes_ends_the_wait)
{
    sleeper sleeper = {0};
    CHECK_EQ(pipe(sleeper.ends), 0);
    for (int i = 0; i < 1000; i++) {
        pthread_t other;
        atomic_store(&sleeper.word, 0);
        atomic_store(&sleeper.waits, 0);
        CHECK_EQ(pthread_create(&other, NULL, change_word, &sleeper), 0);
        wait_for_word(&sleeper);
        pthread_join(other, NULL);
    }
    close(sleeper.ends[0]);
    close(sleeper.ends[1]);
}

TEST(bytes_and_kicks_end_the_wait)
{
    sleeper sleeper = {0};
    CHECK_EQ(pipe(sleeper.ends), 0);
    weir_word_watch *watch = weir_word_watch_begin(&sleeper.word);
    weir_word_watch_kick(watch);
    weir_word_watch_wait(watch, sleeper.ends[0]);
    CHECK_EQ(write(sleeper.ends[1], "x", 1), 1);
    weir_word_watch_wait(watch, sleeper.ends[0]);
    weir_word_watch_end(watch);
    atomic_store(&sleeper.word, 1);
    watch = weir_word_watch_begin(&sleeper.word); /* it has changed before */
    char byte;
    CHECK_EQ(read(sleeper.ends[0], &byte, 1), 1);
    weir_word_watch_wait(watch, sleeper.ends[0]);
    weir_word_watch_end(watch);
    close(sleeper.ends[0]);
    close(sleeper.ends[1]);
}

TEST_MAIN()
