/* ops/flow/py_func.c - PyFunc, PyFuncStateless, EagerPyFunc: a function of the process's host
 * language.
 *
 * Only the process that created the graph has the function, so a node placed on another task fails.
 */
#include "ops/flow/py_func.h"

#include <stdatomic.h>

#include "ops/declare.h"

static _Atomic(weir_py_func) answer;

void weir_py_func_set(weir_py_func function)
{
    atomic_store(&answer, function);
}

static weir_status check(const weir_site *site, int i, const weir_tensor *tensor)
{
    weir_dtype wanted = (weir_dtype)site->out_types[i];
    weir_str token = weir_site_str(site, 0);
    if (tensor->dtype == wanted)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "%d-th value returned by %.*s is %s, but expects %s",
                      i, (int)token.length, token.at, weir_dtype_name(tensor->dtype),
                      weir_dtype_name(wanted));
}

static weir_status hand_over(weir_call *call, weir_tensor *out, int count)
{
    for (int i = 0; i < count; i++)
        WEIR_TRY(check(call->site, i, &out[i]));
    for (int i = 0; i < count; i++) {
        weir_call_set(call, i, out[i]);
        out[i] = (weir_tensor){0};
    }
    return WEIR_OK;
}

static weir_status py_func(weir_call *call)
{
    const weir_site *site = call->site;
    weir_py_func function = atomic_load(&answer);
    weir_str token = weir_site_str(site, 0);
    if (!function)
        return weir_error(WEIR_UNAVAILABLE,
                          "no interpreter in this process has the function '%.*s'",
                          (int)token.length, token.at);
    WEIR_BUF(name);
    weir_buf_add(&name, token.at, token.length);
    weir_buf_addc(&name, '\0');
    weir_tensor *out = WEIR_NEW_ARRAY(weir_tensor, site->out_count);
    weir_status status = function(name.at, call->in, site->in_count, out, site->out_count);
    if (!status)
        status = hand_over(call, out, site->out_count);
    for (int i = 0; i < site->out_count; i++)
        weir_tensor_release(&out[i]);
    weir_free(out);
    return status;
}

#define CALLS_FUNCTION                                                                             \
    .in = "input: Tin", .out = "output: Tout", .no_grad = true,                                    \
    .kernels = {{WEIR_CPU, "*", py_func, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}}
#define TYPES "Tin: list(type) >= 0; Tout: list(type) >= 0"

WEIR_DEFINE_OP(py_func, "PyFunc", CALLS_FUNCTION, .attrs = "token: string; " TYPES,
               .flags = WEIR_STATEFUL);
WEIR_DEFINE_OP(py_func_stateless, "PyFuncStateless", CALLS_FUNCTION,
               .attrs = "token: string; " TYPES, .flags = WEIR_NO_FOLD);
WEIR_DEFINE_OP(eager_py_func, "EagerPyFunc", CALLS_FUNCTION,
               .attrs = "token: string; is_async: bool = false; " TYPES, .flags = WEIR_STATEFUL);
