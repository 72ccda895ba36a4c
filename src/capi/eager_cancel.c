/* capi/eager_cancel.c - TFE_CancellationManager over weir_cancel.
 *
 * The API hands out tokens before callbacks; weir_cancel gives one per callback. The manager keeps
 * the pairs.
 */
#include <stdatomic.h>

#include "capi/eager_impl.h"
#include "tensorflow/c/eager/c_api_experimental.h"

typedef struct registered {
    TFE_CancellationToken token; /* the client's */
    int64_t inner;               /* weir_cancel's */
    TFE_CancelCallback *callback;
} registered;

struct TFE_CancellationManager {
    weir_cancel *cancel;
    weir_mutex lock;
    atomic_bool cancelling, cancelled;
    TFE_CancellationToken next WEIR_GUARDED_BY(lock);
    WEIR_VEC(registered) entries WEIR_GUARDED_BY(lock);
};

TFE_CancellationManager *TFE_NewCancellationManager(void)
{
    TFE_CancellationManager *m = WEIR_NEW(TFE_CancellationManager);
    m->cancel = weir_cancel_create(NULL);
    weir_mutex_init(&m->lock);
    return m;
}

void TFE_DeleteCancellationManager(TFE_CancellationManager *m)
{
    if (!m)
        return;
    weir_cancel_release(m->cancel);
    for (size_t i = 0; i < m->entries.count; i++)
        weir_free(m->entries.at[i].callback);
    weir_vec_fini(&m->entries);
    weir_mutex_fini(&m->lock);
    weir_free(m);
}

bool TFE_CancellationManagerIsCancelled(TFE_CancellationManager *m)
{
    return atomic_load(&m->cancelled);
}

bool TFE_CancellationManagerIsCancelling(TFE_CancellationManager *m)
{
    return atomic_load(&m->cancelling) && !atomic_load(&m->cancelled);
}

void TFE_CancellationManagerStartCancel(TFE_CancellationManager *m)
{
    atomic_store(&m->cancelling, true);
    weir_cancel_fire(m->cancel, weir_error(WEIR_CANCELLED, "Operation was cancelled"));
    atomic_store(&m->cancelled, true);
}

TFE_CancellationToken TFE_CancellationManagerGetToken(TFE_CancellationManager *m)
{
    weir_mutex_lock(&m->lock);
    TFE_CancellationToken token = m->next++;
    weir_mutex_unlock(&m->lock);
    return token;
}

static void call(void *arg)
{
    const TFE_CancelCallback *c = arg;
    c->callback(c->context);
}

bool TFE_CancellationManagerRegisterCallback(TFE_CancellationManager *m,
                                             TFE_CancellationToken token,
                                             const TFE_CancelCallback *c_callback,
                                             const char *callback_name)
{
    TFE_CancelCallback *copy = WEIR_NEW(TFE_CancelCallback);
    *copy = *c_callback;
    int64_t inner = weir_cancel_add(m->cancel, call, copy);
    if (!inner) {
        weir_free(copy);
        return false;
    }
    weir_mutex_lock(&m->lock);
    weir_vec_push(&m->entries, (registered){token, inner, copy});
    weir_mutex_unlock(&m->lock);
    return true;
}

/* Takes the entry of |token| out of the list. */
static bool take(TFE_CancellationManager *m, TFE_CancellationToken token, registered *out)
{
    bool found = false;
    weir_mutex_lock(&m->lock);
    for (size_t i = 0; i < m->entries.count && !found; i++)
        if (m->entries.at[i].token == token) {
            *out = m->entries.at[i];
            m->entries.at[i] = m->entries.at[--m->entries.count];
            found = true;
        }
    weir_mutex_unlock(&m->lock);
    return found;
}

bool TFE_CancellationManagerDeregisterCallback(TFE_CancellationManager *m,
                                               TFE_CancellationToken token)
{
    registered entry;
    if (!take(m, token, &entry))
        return false;
    bool removed = weir_cancel_remove(m->cancel, entry.inner);
    weir_free(entry.callback);
    return removed;
}

bool TFE_CancellationManagerTryDeregisterCallback(TFE_CancellationManager *m,
                                                  TFE_CancellationToken token)
{
    return !atomic_load(&m->cancelling) && TFE_CancellationManagerDeregisterCallback(m, token);
}

void TFE_OpSetCancellationManager(TFE_Op *op, TFE_CancellationManager *cancellation_manager,
                                  TF_Status *status)
{
    weir_cancel *old = op->cancel;
    op->cancel = weir_cancel_retain(cancellation_manager->cancel);
    weir_cancel_release(old);
    weir_capi_end(status, WEIR_OK);
}
