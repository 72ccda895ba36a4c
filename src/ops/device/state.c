/* ops/device/state.c - variables in device memory: updates and optimisers. */
#include "math/binary/binary.h"
#include "math/update/update.h"
#include "ops/device/device_impl.h"
#include "ops/state/state_impl.h"
#include "ops/train/apply_impl.h"

static weir_status update_value(weir_call *call, weir_var *var)
{
    const weir_tensor *by = weir_in(call, 1);
    int op = weir_site_mode(call->site) == WEIR_UPDATE_SUB ? WEIR_B_sub : WEIR_B_add;
    weir_tensor *value;
    WEIR_TRY(weir_state_begin(var, by->dtype, &value));
    weir_status status =
        weir_shape_eq(&value->shape, &by->shape)
            ? weir_device_binary(call, op, weir_elem_of(by->dtype), weir_tensor_count(by),
                                 value->data, 1, by->data, 1, value->data)
            : weir_error(WEIR_INVALID_ARGUMENT, "shapes do not match: %s vs. %s",
                         WEIR_SHAPE_STR(&value->shape), WEIR_SHAPE_STR(&by->shape));
    weir_var_end(var);
    return status;
}

weir_status weir_device_assign_update(weir_call *call)
{
    weir_var *var;
    WEIR_TRY(weir_state_var(call, 0, &var));
    weir_status status = update_value(call, var);
    weir_var_release(var);
    if (!status && call->site->out_count)
        weir_state_forward_ref(call);
    return status;
}

/* ---- rows by their index ---- */

static weir_status scatter_into(weir_call *call, weir_var *var)
{
    const weir_tensor *indices = weir_in(call, 1), *updates = weir_in(call, 2);
    weir_tensor *value;
    int mode = weir_site_mode(call->site);
    int32_t join = mode == WEIR_UPDATE_OPS ? 0 : mode + 1,
            kind = weir_device_index_kind(indices->dtype);
    WEIR_TRY(weir_state_begin(var, updates->dtype, &value));
    int64_t limit = value->shape.rank ? value->shape.dims[0] : 0;
    int64_t run = weir_shape_product(&value->shape, 1, value->shape.rank);
    int64_t count = weir_tensor_count(indices), step = updates->shape.rank > 0;
    weir_status status =
        step && count && weir_tensor_count(updates) != count * run
            ? weir_error(WEIR_INVALID_ARGUMENT,
                         "Must have updates.shape = indices.shape + params.shape[1:] or "
                         "updates.shape = [], got updates.shape %s, indices.shape %s, "
                         "params.shape %s",
                         WEIR_SHAPE_STR(&updates->shape), WEIR_SHAPE_STR(&indices->shape),
                         WEIR_SHAPE_STR(&value->shape))
            : WEIR_LAYER(call, weir_elem_of(value->dtype), "scatter_rows", count * run, AT(value),
                         AT(indices), AT(updates), VALUE(limit), VALUE(count), VALUE(run),
                         VALUE(step), VALUE(join), VALUE(kind));
    weir_var_end(var);
    return status;
}

weir_status weir_device_scatter(weir_call *call)
{
    weir_var *var;
    WEIR_TRY(weir_state_var(call, 0, &var));
    weir_status status = scatter_into(call, var);
    weir_var_release(var);
    if (!status && call->site->out_count)
        weir_state_forward_ref(call);
    return status;
}

/* ---- optimisers ---- */

typedef struct applying {
    weir_apply base;
    int rule;
    weir_status status;
} applying;

/* Adds the slots, the gradient, the scalars and the flag; returns their number. */
static int add_work(const weir_train *work, const int32_t *flag, weir_gpu_arg *args)
{
    int at = 0;
    for (int i = 0; i < WEIR_TRAIN_SLOTS; i++)
        args[at++] = WEIR_GPU_AT(work->slots[i] ? work->slots[i] : work->slots[0]);
    args[at++] = WEIR_GPU_AT(work->grad);
    for (int i = 0; i < WEIR_TRAIN_SCALARS; i++)
        args[at++] = WEIR_GPU_AT(work->scalars[i] ? work->scalars[i] : work->grad);
    args[at++] = VALUE(*flag);
    return at;
}

static void apply_dense(weir_call *call, weir_apply *apply)
{
    applying *applying = (struct applying *)apply;
    int64_t count = weir_tensor_count(apply->grad);
    int32_t flag = apply->work.flag;
    weir_gpu_arg args[WEIR_GPU_ARGS];
    int at = add_work(&apply->work, &flag, args);
    args[at++] = VALUE(count);
    weir_elem grad = weir_elem_of(apply->grad->dtype);
    weir_gpu_which which = {.text = WEIR_GPU_IN_RULE,
                            .family = apply->narrow ? (int)grad + 1 : 0,
                            .op = applying->rule,
                            .elem = apply->narrow ? WEIR_E_f32 : grad,
                            .kernel = "train_run"};
    applying->status = weir_gpu_unit_launch(weir_unit_of(call), &which, count, args, at);
}

static void apply_rows(weir_call *call, weir_apply *apply)
{
    applying *applying = (struct applying *)apply;
    const weir_shape *var = &apply->values[0]->shape;
    int64_t count = apply->indices->shape.dims[0], limit = var->dims[0];
    int64_t run = weir_shape_product(var, 1, var->rank);
    int32_t flag = apply->work.flag, kind = weir_device_index_kind(apply->indices->dtype);
    weir_gpu_arg args[WEIR_GPU_ARGS];
    int at = add_work(&apply->work, &flag, args);
    args[at++] = AT(apply->indices);
    args[at++] = VALUE(kind);
    args[at++] = VALUE(count);
    args[at++] = VALUE(run);
    args[at++] = VALUE(limit);
    weir_gpu_which which = {.text = WEIR_GPU_IN_RULE,
                            .op = applying->rule,
                            .elem = weir_elem_of(apply->grad->dtype),
                            .kernel = "train_rows"};
    applying->status = weir_gpu_unit_launch(weir_unit_of(call), &which, count * run, args, at);
}

weir_status weir_device_apply(weir_call *call)
{
    const weir_apply_layout *layout = call->state;
    int rule = call->site->op->update - 1;
    applying applying = {
        .base = {.l = layout, .grad = weir_in(call, layout->grad), .update = apply_dense},
        .rule = rule};
    if (layout->indices >= 0) {
        applying.base.indices = weir_in(call, layout->indices);
        applying.base.unseen = true;
        applying.base.update = apply_rows;
    }
    WEIR_TRY(weir_apply_to(call, (weir_train_rule)rule, &applying.base));
    WEIR_TRY(applying.status);
    if (call->site->out_count)
        weir_state_forward_ref(call);
    return WEIR_OK;
}

weir_status weir_device_apply_narrow(weir_call *call)
{
    const weir_apply_layout *layout = call->state;
    applying applying = {.base = {.l = layout,
                                  .grad = weir_in(call, layout->grad),
                                  .narrow = true,
                                  .update = apply_dense},
                         .rule = (int)weir_site_int(call->site, 0)};
    WEIR_TRY(weir_apply_narrow_to(call, &applying.base));
    return applying.status;
}

/* ---- several variables by one launch ---- */

typedef struct applying_many {
    weir_apply base;
    int rule, members;
    weir_status status;
    weir_train works[WEIR_GPU_MEMBERS];
    int64_t counts[WEIR_GPU_MEMBERS];
    /* Their values, so that no other thread frees or changes them before the launch. */
    weir_tensor held[WEIR_GPU_MEMBERS * WEIR_TRAIN_SLOTS];
    int held_count;
} applying_many;

static void launch_many(weir_call *call, applying_many *many)
{
    weir_gpu_arg args[WEIR_GPU_ARGS];
    const weir_train *first = &many->works[0];
    int32_t flag = first->flag;
    int at = 0;
    int64_t groups = 0;
    for (int k = 0; k < WEIR_GPU_MEMBERS; k++) {
        const weir_train *work = k < many->members ? &many->works[k] : first;
        for (int i = 0; i < WEIR_TRAIN_SLOTS; i++)
            args[at++] = WEIR_GPU_AT(work->slots[i] ? work->slots[i] : work->slots[0]);
        args[at++] = WEIR_GPU_AT(work->grad);
    }
    for (int i = 0; i < WEIR_TRAIN_SCALARS; i++)
        args[at++] = WEIR_GPU_AT(first->scalars[i] ? first->scalars[i] : first->grad);
    args[at++] = VALUE(flag);
    for (int k = 0; k < WEIR_GPU_MEMBERS; k++) {
        many->counts[k] = k < many->members ? many->counts[k] : 0;
        groups += (many->counts[k] + WEIR_GPU_LANES - 1) / WEIR_GPU_LANES;
        args[at++] = VALUE(many->counts[k]);
    }
    weir_gpu_which which = {.text = WEIR_GPU_IN_RULE,
                            .op = many->rule,
                            .elem = weir_elem_of(many->base.grad->dtype),
                            .kernel = "train_many"};
    if (!many->status)
        many->status =
            weir_gpu_unit_launch(weir_unit_of(call), &which, groups * WEIR_GPU_LANES, args, at);
    for (int i = 0; i < many->held_count; i++)
        weir_tensor_release(&many->held[i]);
    many->members = many->held_count = 0;
}

static void apply_member(weir_call *call, weir_apply *apply)
{
    applying_many *many = (struct applying_many *)apply;
    many->works[many->members] = apply->work;
    many->counts[many->members++] = weir_tensor_count(apply->grad);
    for (int i = 0; i < apply->l->slot_count; i++)
        many->held[many->held_count++] = weir_tensor_share(apply->values[i]);
    if (many->members == WEIR_GPU_MEMBERS)
        launch_many(call, many);
}

weir_status weir_device_apply_many(weir_call *call)
{
    applying_many many = {.base.update = apply_member, .rule = (int)weir_site_int(call->site, 0)};
    weir_status status = weir_apply_many_to(call, &many.base);
    if (many.members)
        launch_many(call, &many);
    if (!status)
        return many.status;
    weir_status_free(many.status);
    return status;
}
