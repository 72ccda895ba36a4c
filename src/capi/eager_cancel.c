/* capi/eager_cancel.c - TFE_CancellationManager over weir_cancel.
 *
 * The API allocates tokens before callbacks; weir_cancel returns one per callback. The manager maps
 * them.
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
    TFE_CancellationManager *manager = WEIR_NEW(TFE_CancellationManager);
    manager->cancel = weir_cancel_create(NULL);
    weir_mutex_init(&manager->lock);
    return manager;
}

void TFE_DeleteCancellationManager(TFE_CancellationManager *manager)
{
    if (!manager)
        return;
    weir_cancel_release(manager->cancel);
    for (size_t i = 0; i < manager->entries.count; i++)
        weir_free(manager->entries.at[i].callback);
    weir_vec_fini(&manager->entries);
    weir_mutex_fini(&manager->lock);
    weir_free(manager);
}

bool TFE_CancellationManagerIsCancelled(TFE_CancellationManager *manager)
{
    return atomic_load(&manager->cancelled);
}

bool TFE_CancellationManagerIsCancelling(TFE_CancellationManager *manager)
{
    return atomic_load(&manager->cancelling) && !atomic_load(&manager->cancelled);
}

void TFE_CancellationManagerStartCancel(TFE_CancellationManager *manager)
{
    atomic_store(&manager->cancelling, true);
    weir_cancel_fire(manager->cancel, weir_error(WEIR_CANCELLED, "Operation was cancelled"));
    atomic_store(&manager->cancelled, true);
}

TFE_CancellationToken TFE_CancellationManagerGetToken(TFE_CancellationManager *manager)
{
    weir_mutex_lock(&manager->lock);
    TFE_CancellationToken token = manager->next++;
    weir_mutex_unlock(&manager->lock);
    return token;
}

static void call(void *arg)
{
    const TFE_CancelCallback *callback = arg;
    callback->callback(callback->context);
}

bool TFE_CancellationManagerRegisterCallback(TFE_CancellationManager *manager,
                                             TFE_CancellationToken token,
                                             const TFE_CancelCallback *c_callback,
                                             const char *callback_name)
{
    TFE_CancelCallback *copy = WEIR_NEW(TFE_CancelCallback);
    *copy = *c_callback;
    int64_t inner = weir_cancel_add(manager->cancel, call, copy);
    if (!inner) {
        weir_free(copy);
        return false;
    }
    weir_mutex_lock(&manager->lock);
    weir_vec_push(&manager->entries, (registered){token, inner, copy});
    weir_mutex_unlock(&manager->lock);
    return true;
}

/* Removes the entry of |token| from the list. */
static bool take(TFE_CancellationManager *manager, TFE_CancellationToken token, registered *out)
{
    bool found = false;
    weir_mutex_lock(&manager->lock);
    for (size_t i = 0; i < manager->entries.count && !found; i++)
        if (manager->entries.at[i].token == token) {
            *out = manager->entries.at[i];
            manager->entries.at[i] = manager->entries.at[--manager->entries.count];
            found = true;
        }
    weir_mutex_unlock(&manager->lock);
    return found;
}

bool TFE_CancellationManagerDeregisterCallback(TFE_CancellationManager *manager,
                                               TFE_CancellationToken token)
{
    registered entry;
    if (!take(manager, token, &entry))
        return false;
    bool removed = weir_cancel_remove(manager->cancel, entry.inner);
    weir_free(entry.callback);
    return removed;
}

bool TFE_CancellationManagerTryDeregisterCallback(TFE_CancellationManager *manager,
                                                  TFE_CancellationToken token)
{
    return !atomic_load(&manager->cancelling) &&
           TFE_CancellationManagerDeregisterCallback(manager, token);
}

void TFE_OpSetCancellationManager(TFE_Op *op, TFE_CancellationManager *cancellation_manager,
                                  TF_Status *status)
{
    weir_cancel *old = op->cancel;
    op->cancel = weir_cancel_retain(cancellation_manager->cancel);
    weir_cancel_release(old);
    weir_capi_end(status, WEIR_OK);
}
