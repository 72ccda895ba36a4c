/* ops/flow/functions.c - binds and calls the functions that a node names. */
#include "ops/flow/functions_impl.h"

#include "tensor/tstring.h"

void weir_functions_cleanup(void *functions)
{
    weir_functions *f = functions;
    if (!f)
        return;
    for (int i = 0; i < f->count; i++)
        f->runner->release(f->at[i]);
    weir_free(f);
}

static int count_funcs(const weir_site *site)
{
    int count = 0;
    for (int a = 0; a < site->def->attr_count; a++)
        if (site->def->attrs[a].kind == WEIR_ATTR_FUNC)
            count += site->def->attrs[a].is_list ? site->attrs[a].count : 1;
    return count;
}

static weir_status bind_one(weir_prepare *p, weir_functions *f, const weir_func *func)
{
    WEIR_TRY(p->runner->bind(p->runner_arg, func, &f->at[f->count]));
    f->count++;
    return WEIR_OK;
}

static weir_status bind_attr(weir_prepare *p, weir_functions *f, int a)
{
    const weir_attr *attr = &p->site->attrs[a];
    if (p->site->def->attrs[a].kind != WEIR_ATTR_FUNC)
        return WEIR_OK;
    if (!p->site->def->attrs[a].is_list)
        return bind_one(p, f, attr->func);
    for (int i = 0; i < attr->count; i++)
        WEIR_TRY(bind_one(p, f, &attr->funcs[i]));
    return WEIR_OK;
}

weir_status weir_functions_prepare(weir_prepare *p)
{
    if (!p->runner)
        return weir_error(WEIR_FAILED_PRECONDITION, "No function library for node %s",
                          p->site->name);
    weir_functions *f =
        weir_zalloc(sizeof *f + sizeof(weir_bound *) * (size_t)count_funcs(p->site));
    f->runner = p->runner;
    for (int a = 0; a < p->site->def->attr_count; a++) {
        weir_status s = bind_attr(p, f, a);
        if (s) {
            weir_functions_cleanup(f);
            return s;
        }
    }
    p->state = f;
    return WEIR_OK;
}

weir_tensor *weir_functions_args(const weir_call *c, int from)
{
    int count = c->site->in_count - from;
    weir_tensor *args = WEIR_NEW_ARRAY(weir_tensor, count + 1);
    for (int i = 0; i < count; i++)
        args[i] = *weir_in(c, from + i);
    return args;
}

static weir_status check_returns(const weir_call *c, const weir_tensor *rets, int count)
{
    if (count != c->site->out_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s expects %d results of its function, but got %d", c->site->name,
                          c->site->out_count, count);
    for (int o = 0; o < count; o++)
        if (rets[o].dtype != weir_dtype_base(c->site->out_types[o]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Expected input %d of %s to be of type %s, but its function gives %s",
                              o, c->site->name, weir_dtype_name(c->site->out_types[o]),
                              weir_dtype_name(rets[o].dtype));
    return WEIR_OK;
}

void weir_functions_return(weir_call *c, weir_status s, weir_tensor *rets, int count)
{
    bool given = !s;
    if (given)
        s = check_returns(c, rets, count);
    for (int o = 0; given && o < count; o++) {
        if (s)
            weir_tensor_release(&rets[o]);
        else
            weir_call_set(c, o, rets[o]);
    }
    weir_call_finish(c, s);
}

static void returned(void *arg, weir_status s, weir_tensor *rets, int count)
{
    weir_functions_return(arg, s, rets, count);
}

void weir_functions_forward(weir_call *c, int f, int from)
{
    const weir_functions *functions = c->state;
    weir_tensor *args = weir_functions_args(c, from);
    functions->runner->call(functions->at[f], c->run, args, c->site->in_count - from, returned, c);
    weir_free(args); /* the call may be gone */
}

weir_status weir_truth_of(const weir_tensor *t, bool *out_truth)
{
    if (t->shape.rank != 0) {
        *out_truth = weir_tensor_count(t) > 0;
        return WEIR_OK;
    }
    switch (t->dtype) {
    case WEIR_STRING:
        *out_truth = weir_tstring_get(t->data).length > 0;
        return WEIR_OK;
    case WEIR_FLOAT: /* -0.0 is false, though not all its bits are 0 */
        *out_truth = *(const float *)t->data != 0;
        return WEIR_OK;
    case WEIR_DOUBLE:
        *out_truth = *(const double *)t->data != 0;
        return WEIR_OK;
    case WEIR_HALF:
    case WEIR_BFLOAT16:
        *out_truth = (*(const uint16_t *)t->data & 0x7fff) != 0;
        return WEIR_OK;
    default:
        break;
    }
    if (!weir_dtype_is_int(t->dtype) && t->dtype != WEIR_BOOL)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s cannot be converted to bool",
                          weir_dtype_name(t->dtype));
    const char *bytes = t->data;
    *out_truth = false;
    for (size_t i = 0; i < weir_dtype_size(t->dtype); i++)
        *out_truth |= bytes[i] != 0;
    return WEIR_OK;
}
