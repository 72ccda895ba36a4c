/* op/call.c - from values to a kernel: infer, allocate, run. */
#include <alloca.h>

#include "base/denormals.h"
#include "op/op.h"

static const weir_tensor *value_of(weir_infer *i, int in)
{
    const weir_call *c = i->value_arg;
    return c->in[in].tensor.buffer ? &c->in[in].tensor : NULL;
}

/* True when the elements of |t| may become those of an output of |dtype| with |count| elements. */
static inline bool reusable(const weir_tensor *t, weir_dtype dtype, int64_t count)
{
    if (!weir_tensor_unique(t))
        return false;
    if (t->dtype != dtype && (weir_dtype_size(t->dtype) != weir_dtype_size(dtype) ||
                              !weir_dtype_is_plain(t->dtype) || !weir_dtype_is_plain(dtype)))
        return false;
    return weir_tensor_count(t) == count;
}

/* The buffer of |in| becomes that of |out|; the kernel still reads it through |in|'s data. */
static inline void take_over(weir_tensor *out, weir_tensor *in, weir_dtype dtype)
{
    out->buffer = in->buffer;
    out->data = in->data;
    out->dtype = dtype;
    in->buffer = NULL;
}

/* Gives output |o| the buffer of an input that may be overwritten, if there is one. */
static bool reuse(weir_call *c, int o, weir_dtype dtype, const weir_shape *shape)
{
    unsigned bits = c->site->op->inplace;
    int64_t count = weir_shape_product(shape, 0, shape->rank);
    for (int in = 0; in < 4 && in < c->site->in_count; in++) {
        weir_tensor *t = &c->in[in].tensor;
        if (!(bits & WEIR_INPLACE(in, o)) || !reusable(t, dtype, count))
            continue;
        weir_tensor *out = &c->out[o].tensor;
        if (shape != &out->shape)
            weir_shape_copy(&out->shape, shape);
        take_over(out, t, dtype);
        return true;
    }
    return false;
}

static weir_status allocate(weir_call *c, const weir_shape *shapes)
{
    for (int o = 0; o < c->site->out_count; o++) {
        if (!weir_shape_known(&shapes[o]) || weir_dtype_is_ref(c->site->out_types[o]))
            continue;
        weir_dtype dtype = (weir_dtype)c->site->out_types[o];
        if (o < 4 && c->site->op->inplace && reuse(c, o, dtype, &shapes[o]))
            continue;
        WEIR_TRY(weir_tensor_alloc(dtype, &shapes[o], &c->out[o].tensor));
    }
    return WEIR_OK;
}

enum { STACK_ARGS = 256 };

weir_status weir_call_ready(weir_call *c, const weir_kernel *kernel)
{
    const weir_site *site = c->site;
    int ins = site->in_count, outs = site->out_count;
    if (!site->op->infer)
        return WEIR_OK;
    bool large = ins + outs > STACK_ARGS;
    const weir_shape **in =
        large ? weir_alloc(sizeof *in * (size_t)ins) : alloca(sizeof *in * (size_t)(ins + 1));
    /* The one output of most ops is inferred where it will be. */
    weir_shape *out = outs == 1 ? &c->out[0].tensor.shape
                      : large   ? weir_alloc(sizeof *out * (size_t)outs)
                                : alloca(sizeof *out * (size_t)(outs + 1));
    static const weir_shape unknown = {.rank = -1};
    for (int i = 0; i < ins; i++)
        in[i] = c->in[i].var ? &unknown : &c->in[i].tensor.shape;
    for (int o = 0; o < outs; o++)
        out[o].rank = -1;
    weir_infer infer = {.site = site,
                        .in_count = ins,
                        .out_count = outs,
                        .in = in,
                        .out = out,
                        .value = value_of,
                        .value_arg = c};
    weir_status s = site->op->infer(&infer);
    if (!s && !(kernel->flags & WEIR_OWN_OUTPUTS))
        s = allocate(c, out);
    if (large)
        weir_free(in);
    if (large && outs != 1)
        weir_free(out);
    return s;
}

weir_status weir_call_run(weir_call *c, const weir_kernel *kernel)
{
    WEIR_TRY(weir_call_ready(c, kernel));
    return kernel->run(c);
}

weir_status weir_call_alloc(weir_call *c, int i, const weir_shape *shape)
{
    weir_tensor t;
    WEIR_TRY(weir_tensor_alloc(weir_dtype_base(c->site->out_types[i]), shape, &t));
    weir_call_set(c, i, t);
    return WEIR_OK;
}

void weir_call_set(weir_call *c, int i, weir_tensor t)
{
    weir_tensor_release(&c->out[i].tensor);
    c->out[i].tensor = t;
}

void weir_call_forward(weir_call *c, int in, int out, const weir_shape *shape)
{
    const weir_tensor *t = &c->in[in].tensor;
    weir_call_set(c, out, shape ? weir_tensor_view(t, shape) : weir_tensor_share(t));
}

void weir_call_set_ref(weir_call *c, int i, struct weir_var *var)
{
    weir_ref_retain((weir_ref *)var);
    weir_ref_release((weir_ref *)c->out[i].var);
    c->out[i].var = var;
}

static weir_status evaluate(const weir_site *site, const weir_kernel *kernel, void *state,
                            weir_run *run, weir_value *in, weir_value *out)
{
    for (int o = 0; o < site->out_count; o++)
        out[o] = (weir_value){0};
    weir_call c = {.site = site, .state = state, .in = in, .out = out, .run = run};
    uint64_t mode = weir_denormals_flush();
    weir_status s = weir_call_run(&c, kernel);
    weir_denormals_restore(mode);
    for (int o = 0; s && o < site->out_count; o++) {
        weir_tensor_release(&out[o].tensor);
        weir_ref_release((weir_ref *)out[o].var);
        out[o] = (weir_value){0};
    }
    return s;
}

weir_status weir_op_compute(const weir_site *site, const weir_kernel *kernel, weir_value *in,
                            weir_value *out)
{
    weir_prepare prepare = {.site = site};
    weir_run run = {.par = {.threads = 1}, .cancel = weir_cancel_create(NULL)};
    weir_status status = kernel->prepare ? kernel->prepare(&prepare) : WEIR_OK;
    if (!status)
        status = evaluate(site, kernel, prepare.state, &run, in, out);
    if (kernel->cleanup && prepare.state)
        kernel->cleanup(prepare.state);
    weir_cancel_release(run.cancel);
    return status;
}
