/* observe/tally.c - clients' steps, and gradients by their task. */
#include "observe/tally.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/mutex.h"

static struct {
    weir_mutex lock;
    weir_tally sum WEIR_GUARDED_BY(lock);
    weir_tally_task tasks[WEIR_TALLY_TASKS] WEIR_GUARDED_BY(lock);
    size_t task_count WEIR_GUARDED_BY(lock);
} tally = {.lock = WEIR_MUTEX_INIT};

void weir_tally_step(int64_t start_ns, int64_t rows)
{
    int64_t now = weir_now_ns();
    weir_mutex_lock(&tally.lock);
    if (!tally.sum.steps || start_ns < tally.sum.first_ns)
        tally.sum.first_ns = start_ns;
    tally.sum.last_ns = now;
    tally.sum.steps++;
    if (__builtin_add_overflow(tally.sum.rows, rows, &tally.sum.rows))
        tally.sum.rows = INT64_MAX;
    weir_mutex_unlock(&tally.lock);
}

/* Null if there are too many. */
static weir_tally_task *find_task(const char *name) WEIR_REQUIRES(tally.lock)
{
    for (size_t i = 0; i < tally.task_count; i++)
        if (strcmp(tally.tasks[i].task, name) == 0)
            return &tally.tasks[i];
    if (tally.task_count == WEIR_TALLY_TASKS)
        return NULL;
    tally.tasks[tally.task_count] = (weir_tally_task){.task = weir_strdup(name)};
    return &tally.tasks[tally.task_count++];
}

void weir_tally_gradient(const char *task, bool stale)
{
    weir_mutex_lock(&tally.lock);
    weir_tally_task *found = find_task(task ? task : "");
    if (found)
        *(stale ? &found->stale : &found->accepted) += 1;
    weir_mutex_unlock(&tally.lock);
}

weir_tally weir_tally_get(void)
{
    weir_mutex_lock(&tally.lock);
    weir_tally sum = tally.sum;
    weir_mutex_unlock(&tally.lock);
    return sum;
}

size_t weir_tally_tasks(weir_tally_task *out, size_t room)
{
    weir_mutex_lock(&tally.lock);
    size_t count = tally.task_count < room ? tally.task_count : room;
    memcpy(out, tally.tasks, count * sizeof *out);
    weir_mutex_unlock(&tally.lock);
    return count;
}
