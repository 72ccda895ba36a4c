/* cli/train/wait.c - reports steps that wait for other tasks for a long time. */
#include "base/clock.h"
#include "base/timer.h"
#include "cli/train/work_impl.h"

enum { LONG_MS = 3000, AGAIN_MS = 1000 };

/* Synchronous steps wait for other workers. For other steps a cluster on this machine decides,
 * which knows the stopped tasks (cli/train/local.c). */
static bool may_wait(const work *work)
{
    return work->job && (work->o->part || (work->workers > 1 && work->o->mode != TRAIN_ASYNC));
}

/* On the timer thread. */
static void tell_wait(void *arg)
{
    work *work = arg;
    step_wait *wait = &work->wait;
    weir_mutex_lock(&wait->lock);
    if (wait->in_step) {
        int64_t now = weir_now_ns();
        train_event event = {.kind = TRAIN_WAIT,
                             .worker = work->worker,
                             .step = wait->step,
                             .seconds = (double)(now - work->started_ns) / 1e9,
                             .waited = (double)(now - wait->began_ns) / 1e9};
        work->listener->tell(work->listener->arg, &event);
        wait->token = weir_timer_add(weir_after_ms(AGAIN_MS), tell_wait, work);
    }
    weir_mutex_unlock(&wait->lock);
}

void work_wait_begin(work *work)
{
    step_wait *wait = &work->wait;
    if (!may_wait(work))
        return;
    weir_mutex_lock(&wait->lock);
    wait->in_step = true;
    wait->step = weir_trainer_at(work->t) + 1;
    wait->began_ns = weir_now_ns();
    wait->token = weir_timer_add(weir_after_ms(LONG_MS), tell_wait, work);
    weir_mutex_unlock(&wait->lock);
}

void work_wait_end(work *work)
{
    step_wait *wait = &work->wait;
    if (!may_wait(work))
        return;
    weir_mutex_lock(&wait->lock);
    wait->in_step = false;
    int64_t token = wait->token;
    weir_mutex_unlock(&wait->lock);
    weir_timer_remove(token);
}
