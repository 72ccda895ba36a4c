/* capi/embed.c - weir/embed.h: functions of a host language as ops, and interrupts.
 *
 * An interrupt holds one weir_cancel for later steps; firing it replaces it by a new one, so that
 * only the running step is cancelled.
 */
#include "weir/embed.h"

#include <stdatomic.h>

#include "base/cancel.h"
#include "capi/capi_impl.h"
#include "ops/flow/py_func.h"

/* ---- functions ------------------------------------------------------------------------------- */

static _Atomic(weir_function_call) function_call;

static void give_back(TF_Tensor **tensors, int count)
{
    for (int i = 0; i < count; i++)
        TF_DeleteTensor(tensors[i]);
    weir_free(tensors);
}

static weir_status take(TF_Tensor **outputs, int count, weir_tensor *out)
{
    for (int i = 0; i < count; i++) {
        if (!outputs[i])
            return weir_error(WEIR_INTERNAL, "the function gave no value for output %d", i);
        out[i] = weir_tensor_share(weir_capi_tensor_of(outputs[i]));
    }
    return WEIR_OK;
}

static weir_status call_function(const char *token, const weir_value *in, int in_count,
                                 weir_tensor *out, int out_count)
{
    weir_function_call function = atomic_load(&function_call);
    if (!function)
        return weir_error(WEIR_UNAVAILABLE, "the interpreter of this process has ended");
    TF_Tensor **inputs = WEIR_NEW_ARRAY(TF_Tensor *, in_count);
    TF_Tensor **outputs = WEIR_NEW_ARRAY(TF_Tensor *, out_count);
    for (int i = 0; i < in_count; i++)
        inputs[i] = weir_capi_tensor(weir_tensor_share(&in[i].tensor));
    TF_Status *status = TF_NewStatus();
    function(token, inputs, in_count, outputs, out_count, status);
    weir_status result = TF_GetCode(status) == TF_OK
                             ? take(outputs, out_count, out)
                             : weir_error((weir_code)TF_GetCode(status), "%s", TF_Message(status));
    TF_DeleteStatus(status);
    give_back(inputs, in_count);
    give_back(outputs, out_count);
    return result;
}

void weir_set_function_call(weir_function_call call)
{
    atomic_store(&function_call, call);
    weir_py_func_set(call ? call_function : NULL);
}

/* ---- interrupts ------------------------------------------------------------------------------ */

struct weir_interrupt {
    weir_mutex lock;
    weir_cancel *cancel WEIR_GUARDED_BY(lock); /* of the running or next step */
};

static _Thread_local weir_interrupt *of_this_thread;

weir_interrupt *weir_interrupt_new(void)
{
    weir_interrupt *interrupt = WEIR_NEW(weir_interrupt);
    weir_mutex_init(&interrupt->lock);
    interrupt->cancel = weir_cancel_create(NULL);
    return interrupt;
}

void weir_interrupt_delete(weir_interrupt *interrupt)
{
    if (!interrupt)
        return;
    weir_cancel_release(interrupt->cancel);
    weir_mutex_fini(&interrupt->lock);
    weir_free(interrupt);
}

void weir_interrupt_use(weir_interrupt *interrupt)
{
    of_this_thread = interrupt;
}

void weir_interrupt_fire(weir_interrupt *interrupt)
{
    weir_mutex_lock(&interrupt->lock);
    weir_cancel *old = interrupt->cancel;
    interrupt->cancel = weir_cancel_create(NULL);
    weir_mutex_unlock(&interrupt->lock);
    weir_cancel_fire(old, weir_error(WEIR_CANCELLED, "the step was interrupted"));
    weir_cancel_release(old);
}

weir_cancel *weir_capi_interrupt(void)
{
    weir_interrupt *interrupt = of_this_thread;
    if (!interrupt)
        return NULL;
    weir_mutex_lock(&interrupt->lock);
    weir_cancel *cancel = weir_cancel_retain(interrupt->cancel);
    weir_mutex_unlock(&interrupt->lock);
    return cancel;
}
