/* base/turns_test.c */
#include "base/turns.h"

#include <pthread.h>
#include <time.h>

#include "base/clock.h"
#include "base/test.h"

static void doze(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* A computing thread: it checks its turn until it is stopped. */
typedef struct computing {
    const char *group;
    atomic_int begun, end, rounds;
    pthread_t id;
} computing;

static atomic_int at_once, rounds, crowded_rounds; /* crowded: more at once than turns */

static void note_round(int now)
{
    atomic_fetch_add(&rounds, 1);
    atomic_fetch_add(&crowded_rounds, now > weir_turns_limit() + 2);
}

static void *compute(void *arg)
{
    computing *mine = arg;
    weir_turn_holder holder;
    weir_turn_begin(&holder, mine->group);
    atomic_store(&mine->begun, 1);
    while (!atomic_load(&mine->end)) {
        note_round(atomic_fetch_add(&at_once, 1) + 1);
        atomic_fetch_add(&mine->rounds, 1);
        doze(1);
        atomic_fetch_sub(&at_once, 1);
        weir_turn_check(&holder);
    }
    weir_turn_end(&holder);
    return NULL;
}

static void start(computing *thread, const char *group)
{
    *thread = (computing){.group = group};
    CHECK_EQ(pthread_create(&thread->id, NULL, compute, thread), 0);
}

static void stop(computing *threads, int count)
{
    for (int i = 0; i < count; i++)
        atomic_store(&threads[i].end, 1);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i].id, NULL);
}

static int rounds_of(computing *threads, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += atomic_load(&threads[i].rounds);
    return sum;
}

enum { MANY = 24 };

TEST(many_take_turns_and_a_group_of_one_is_not_behind_them)
{
    static computing many[MANY], single;
    for (int i = 0; i < MANY; i++)
        start(&many[i], "many");
    for (int i = 0; i < MANY; i++)
        while (!atomic_load(&many[i].begun))
            doze(1);
    int before = rounds_of(many, MANY);
    start(&single, "single");
    while (atomic_load(&single.rounds) < 40)
        doze(1);
    int meanwhile = rounds_of(many, MANY) - before;
    stop(&single, 1);
    stop(many, MANY);
    /* This thread got every second turn, not every twenty-fifth. */
    CHECK(meanwhile <= 40 * (weir_turns_limit() + 3) * 2);
    CHECK_EQ(atomic_load(&weir_turns_wanted), 0);
    /* Who holds a turn on a stalled machine is taken for blocked, and another turn is granted. */
    CHECK(atomic_load(&crowded_rounds) <= atomic_load(&rounds) / 2);
}

/* Holds its turn without checking it, like a blocked thread. */
static void *block(void *arg)
{
    weir_turn_holder holder;
    weir_turn_begin(&holder, "blocked");
    while (!atomic_load((atomic_int *)arg))
        doze(1);
    weir_turn_end(&holder);
    return NULL;
}

TEST(who_waits_gets_a_turn_though_all_others_block)
{
    enum { MOST = 64 };
    atomic_int go = 0;
    pthread_t ids[MOST];
    int count = weir_turns_limit() + 2 < MOST ? weir_turns_limit() + 2 : MOST;
    for (int i = 0; i < count; i++)
        CHECK_EQ(pthread_create(&ids[i], NULL, block, &go), 0);
    weir_turn_holder holder;
    weir_turn_begin(&holder, "other"); /* returns, or the test hangs */
    atomic_store(&go, 1);
    weir_turn_end(&holder);
    for (int i = 0; i < count; i++)
        pthread_join(ids[i], NULL);
    CHECK_EQ(atomic_load(&weir_turns_wanted), 0);
}

TEST(turns_that_nobody_wants_are_never_waited_for)
{
    for (int i = 0; i < 1000; i++) {
        weir_turn_holder holder;
        weir_turn_begin(&holder, "one");
        weir_turn_check(&holder);
        weir_turn_end(&holder);
    }
    CHECK_EQ(atomic_load(&weir_turns_wanted), 0);
}

TEST_MAIN()
