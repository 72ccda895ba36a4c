/* ops/data_flow/accumulator.c - ConditionalAccumulator and the code shared with sparse ones. */
#include "base/metric.h"
#include "ops/data_flow/accumulator_impl.h"

#include <inttypes.h>

#include "observe/tally.h"
#include "ops/common/elem_of.h"
#include "ops/declare.h"
#include "ops/math/types.h"
#include "ops/state/update_impl.h"

const weir_resource_type weir_accumulator_type = {"N10tensorflow26ConditionalAccumulatorBaseE",
                                                  "accumulator"};

enum { DTYPE, SHAPE, CONTAINER, SHARED_NAME, REDUCTION };

static void destroy(weir_ref *ref)
{
    weir_accumulator *accumulator = (weir_accumulator *)ref;
    weir_tensor_release(&accumulator->sum);
    weir_vec_fini(&accumulator->indices);
    weir_vec_fini(&accumulator->counts);
    weir_wait_fini(&accumulator->point);
    weir_free(accumulator->name);
    weir_free(accumulator);
}

typedef struct wanted {
    const weir_call *call;
    bool sparse;
} wanted;

static weir_status create(void *arg, weir_resource **out)
{
    const wanted *wanted = arg;
    const weir_site *site = wanted->call->site;
    weir_accumulator *accumulator = WEIR_NEW(weir_accumulator);
    weir_ref_init(&accumulator->base.ref, destroy);
    accumulator->base.type = &weir_accumulator_type;
    weir_wait_init(&accumulator->point);
    accumulator->sparse = wanted->sparse;
    accumulator->mean = weir_str_is(weir_site_str(site, REDUCTION), "MEAN");
    accumulator->name = weir_strdup(((const weir_named *)wanted->call->state)->name);
    accumulator->dtype = weir_site_type(site, DTYPE);
    accumulator->shape = *weir_site_shape(site, SHAPE);
    *out = &accumulator->base;
    return WEIR_OK;
}

weir_status weir_accumulator_prepare(weir_prepare *preparation)
{
    return weir_named_prepare(preparation, CONTAINER, SHARED_NAME, WEIR_BY_OWN_NAME,
                              &weir_accumulator_type);
}

static weir_status check_same(const weir_accumulator *accumulator, const weir_site *site,
                              bool sparse)
{
    if (accumulator->dtype != weir_site_type(site, DTYPE))
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Shared conditional accumulator '%s' has type %s that does not match type "
            "%s of node %s",
            accumulator->name, weir_dtype_name(accumulator->dtype),
            weir_dtype_name(weir_site_type(site, DTYPE)), site->name);
    if (!weir_shape_eq(&accumulator->shape, weir_site_shape(site, SHAPE)))
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Shared conditional accumulator '%s' has shape %s that does not match shape "
            "%s of node %s",
            accumulator->name, WEIR_SHAPE_STR(&accumulator->shape),
            WEIR_SHAPE_STR(weir_site_shape(site, SHAPE)), site->name);
    if (accumulator->sparse != sparse)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shared conditional accumulator '%s' is %s",
                          accumulator->name, accumulator->sparse ? "sparse" : "dense");
    return WEIR_OK;
}

weir_status weir_accumulator_make(weir_call *call, bool sparse)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(call, create, &(wanted){call, sparse}, &found));
    weir_status status = check_same((weir_accumulator *)found, call->site, sparse);
    weir_ref_release(&found->ref);
    WEIR_TRY(status);
    weir_named_output(call, 0);
    return WEIR_OK;
}

static weir_status any_input(weir_call *call, weir_accumulator **out)
{
    weir_resource *found;
    WEIR_TRY(weir_named_input(call, 0, &weir_accumulator_type, &found));
    *out = (weir_accumulator *)found;
    return WEIR_OK;
}

weir_status weir_accumulator_input(weir_call *call, bool sparse, weir_accumulator **out)
{
    weir_accumulator *accumulator;
    WEIR_TRY(any_input(call, &accumulator));
    if (accumulator->sparse == sparse) {
        *out = accumulator;
        return WEIR_OK;
    }
    weir_status status =
        weir_error(WEIR_INVALID_ARGUMENT, "Accumulator %s is %s, but node %s expects a %s one",
                   accumulator->name, accumulator->sparse ? "sparse" : "dense", call->site->name,
                   sparse ? "sparse" : "dense");
    weir_ref_release(&accumulator->base.ref);
    return status;
}

void weir_accumulator_divide(weir_dtype dtype, void *elements, int64_t count, int64_t by)
{
    union {
        double d;
        float f;
        uint16_t h;
    } v;
    if (dtype == WEIR_DOUBLE)
        v.d = (double)by;
    else if (dtype == WEIR_FLOAT)
        v.f = (float)by;
    else
        v.h = weir_f32_f16((float)by);
    weir_update_find(WEIR_UPDATE_DIV, weir_elem_of(dtype))(elements, &v, count, 0);
}

void weir_accumulator_reset(weir_accumulator *accumulator)
{
    weir_tensor_release(&accumulator->sum);
    accumulator->indices.count = accumulator->counts.count = 0;
    accumulator->count = 0;
    accumulator->global_step++;
}

weir_status weir_accumulator_step(weir_call *call, int in, int64_t *out_step)
{
    const weir_tensor *tensor = weir_in(call, in);
    if (tensor->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Argument %s must be scalar, but had bad shape %s",
                          call->site->def->in[in].name, WEIR_SHAPE_STR(&tensor->shape));
    *out_step = *(const int64_t *)tensor->data;
    return WEIR_OK;
}

/* ---- dense ----------------------------------------------------------------------------------- */

static weir_status make_dense(weir_call *call)
{
    return weir_accumulator_make(call, false);
}

static weir_status add_dense(weir_call *call, weir_accumulator *accumulator, int64_t step)
{
    const weir_tensor *gradient = weir_in(call, 2);
    const weir_shape *want = accumulator->count ? &accumulator->sum.shape : &accumulator->shape;
    if (gradient->dtype != accumulator->dtype)
        return weir_error(WEIR_INVALID_ARGUMENT, "Type mismatch: expected %s, got %s",
                          weir_dtype_name(accumulator->dtype), weir_dtype_name(gradient->dtype));
    if (!weir_shape_compatible(want, &gradient->shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape mismatch: expected %s, got %s",
                          WEIR_SHAPE_STR(want), WEIR_SHAPE_STR(&gradient->shape));
    bool stale = step < accumulator->global_step;
    weir_metric_add(stale ? WEIR_METRIC_GRADIENTS_STALE : WEIR_METRIC_GRADIENTS_APPLIED, 1);
    weir_tally_gradient(call->run->master, stale);
    if (stale)
        return WEIR_OK;
    if (accumulator->count == 0) {
        accumulator->sum = weir_tensor_share(gradient);
    } else {
        WEIR_TRY(weir_tensor_own(&accumulator->sum));
        weir_update_tensor(&call->run->par, WEIR_UPDATE_ADD, &accumulator->sum, gradient);
    }
    accumulator->count++;
    return WEIR_OK;
}

static weir_status apply_dense(weir_call *call)
{
    int64_t step;
    WEIR_TRY(weir_accumulator_step(call, 1, &step));
    weir_accumulator *accumulator;
    WEIR_TRY(weir_accumulator_input(call, false, &accumulator));
    weir_mutex_lock(&accumulator->point.lock);
    weir_status status = add_dense(call, accumulator, step);
    weir_mutex_unlock(&accumulator->point.lock);
    weir_wait_changed(&accumulator->point);
    weir_ref_release(&accumulator->base.ref);
    return status;
}

static bool try_take_dense(weir_call *call, void *object, weir_status *out_status)
{
    weir_accumulator *accumulator = object;
    if (!weir_accumulator_ready(call, accumulator))
        return false;
    if (accumulator->mean && accumulator->count > 1) {
        *out_status = weir_tensor_own(&accumulator->sum);
        if (*out_status)
            return true;
        weir_accumulator_divide(accumulator->dtype, accumulator->sum.data,
                                weir_tensor_count(&accumulator->sum), accumulator->count);
    }
    weir_call_set(call, 0, weir_tensor_share(&accumulator->sum));
    weir_accumulator_reset(accumulator);
    return true;
}

/* Validates a take. */
static weir_status open_take(weir_call *call, bool sparse, weir_accumulator **out)
{
    const weir_tensor *n = weir_in(call, 1);
    if (n->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Argument num_required must be scalar, but had bad shape %s",
                          WEIR_SHAPE_STR(&n->shape));
    if (*(const int32_t *)n->data <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Argument num_required must be positive, but was %d",
                          *(const int32_t *)n->data);
    WEIR_TRY(weir_accumulator_input(call, sparse, out));
    weir_dtype asked = weir_dtype_base(call->site->out_types[sparse ? 1 : 0]);
    if (asked == (*out)->dtype)
        return WEIR_OK;
    weir_status status = weir_error(WEIR_INVALID_ARGUMENT,
                                    "Type mismatch: accumulator %s has type %s, but "
                                    "node %s expects %s",
                                    (*out)->name, weir_dtype_name((*out)->dtype), call->site->name,
                                    weir_dtype_name(asked));
    weir_ref_release(&(*out)->base.ref);
    return status;
}

void weir_accumulator_take(weir_call *call, bool sparse, weir_wait_try attempt)
{
    weir_accumulator *accumulator;
    weir_status status = open_take(call, sparse, &accumulator);
    if (status) {
        weir_call_finish(call, status);
        return;
    }
    weir_wait_start(&(weir_wait){.point = &accumulator->point,
                                 .object = &accumulator->base,
                                 .attempt = attempt,
                                 .cancelled = "TakeGrad operation was cancelled"},
                    call);
    weir_ref_release(&accumulator->base.ref);
}

static void take_dense(weir_call *call)
{
    weir_accumulator_take(call, false, try_take_dense);
}

/* ---- either ---------------------------------------------------------------------------------- */

static weir_status count_accumulated(weir_call *call)
{
    weir_accumulator *accumulator;
    WEIR_TRY(any_input(call, &accumulator));
    weir_mutex_lock(&accumulator->point.lock);
    *(int32_t *)weir_out(call, 0)->data = (int32_t)accumulator->count;
    weir_mutex_unlock(&accumulator->point.lock);
    weir_ref_release(&accumulator->base.ref);
    return WEIR_OK;
}

static weir_status set_step(weir_call *call)
{
    int64_t step;
    WEIR_TRY(weir_accumulator_step(call, 1, &step));
    weir_accumulator *accumulator;
    WEIR_TRY(any_input(call, &accumulator));
    weir_mutex_lock(&accumulator->point.lock);
    accumulator->global_step = step;
    weir_mutex_unlock(&accumulator->point.lock);
    weir_ref_release(&accumulator->base.ref);
    return WEIR_OK;
}

static weir_status infer_make(weir_infer *infer)
{
    infer->out[0] = infer->site->out_types[0] == WEIR_RESOURCE ? WEIR_SCALAR : weir_shape_vector(2);
    return WEIR_OK;
}

#define TYPES "dtype: float, double, half"
#define MAKER                                                                                      \
    .attrs = "dtype: {" NUMBERS                                                                    \
             "}; shape: shape; container: string = \"\"; shared_name: string = \"\"; "             \
             "reduction_type: {'MEAN', 'SUM'} = \"MEAN\"",                                         \
    .flags = WEIR_STATEFUL, .infer = infer_make, .no_grad = true,                                  \
    .kernels = {{WEIR_CPU, TYPES, make_dense, WEIR_OWN_OUTPUTS | WEIR_CHEAP,                       \
                 .prepare = weir_accumulator_prepare, .cleanup = weir_named_cleanup}}

WEIR_DEFINE_OP(conditional_accumulator, "ConditionalAccumulator", MAKER,
               .out = "handle: Ref(string)");
WEIR_DEFINE_OP(resource_conditional_accumulator, "ResourceConditionalAccumulator", MAKER,
               .out = "handle: resource");

/* Ops on an accumulator, by reference and by resource. */
#define USES(id, text, inputs, ...)                                                                \
    WEIR_DEFINE_OP(accumulator_##id, "Accumulator" text, .in = "handle: Ref(string)" inputs,       \
                   .flags = WEIR_NO_FOLD, .no_grad = true, __VA_ARGS__);                           \
    WEIR_DEFINE_OP(resource_accumulator_##id, "ResourceAccumulator" text,                          \
                   .in = "handle: resource" inputs, .flags = WEIR_STATEFUL, .no_grad = true,       \
                   __VA_ARGS__)

USES(num_accumulated, "NumAccumulated", "", .out = "num_accumulated: int32",
     .infer = weir_infer_scalar, .kernels = {{WEIR_CPU, "*", count_accumulated, WEIR_CHEAP}});
USES(set_global_step, "SetGlobalStep", "; new_global_step: int64", .infer = weir_infer_no_outputs,
     .kernels = {{WEIR_CPU, "*", set_step, WEIR_CHEAP}});
USES(apply_gradient, "ApplyGradient", "; local_step: int64; gradient: dtype",
     .attrs = "dtype: {" NUMBERS "}", .infer = weir_infer_no_outputs,
     .kernels = {{WEIR_CPU, TYPES, apply_dense}});
USES(take_gradient, "TakeGradient", "; num_required: int32", .out = "average: dtype",
     .attrs = "dtype: {" NUMBERS "}", .infer = weir_infer_unknown,
     .kernels = {{WEIR_CPU, TYPES, NULL, WEIR_ASYNC | WEIR_AWAITS | WEIR_OWN_OUTPUTS,
                  .start = take_dense}});
