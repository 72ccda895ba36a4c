/* ops/train/apply.c - the kernel of all optimiser ops. */
#include "base/arith.h"
#include "ops/train/apply_impl.h"

#include <inttypes.h>

#include "ops/common/elem_of.h"
#include "ops/common/index.h"
#include "ops/state/state_impl.h"

static int find_flag(const weir_site *site)
{
    static const char *const names[] = {"use_nesterov", "update_slots", "multiply_linear_by_lr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (weir_opdef_attr(site->def, names[i]) >= 0)
            return weir_opdef_attr(site->def, names[i]);
    return -1;
}

/* No argument of these ops is a list. */
static weir_apply_layout read_layout(const weir_site *site)
{
    weir_apply_layout layout = {.grad = -1, .indices = -1, .flag = find_flag(site)};
    for (int i = 0; i < site->in_count; i++) {
        const char *name = site->def->in[i].name;
        bool slot = weir_dtype_is_ref(site->in_types[i]) || site->in_types[i] == WEIR_RESOURCE;
        if (slot) {
            layout.slot_names[layout.slot_count++] = weir_str_of(name);
        } else if (strcmp(name, "grad") == 0 || strcmp(name, "delta") == 0) {
            layout.grad = i;
            layout.grad_name = weir_str_of(name);
        } else if (strcmp(name, "indices") == 0) {
            layout.indices = i;
        } else {
            layout.scalar_names[layout.scalar_count] = weir_str_of(name);
            layout.scalars[layout.scalar_count++] = i;
        }
    }
    return layout;
}

weir_status weir_apply_layout_named(const weir_site *site, int64_t rule, weir_range scalars,
                                    int slot_count, const weir_attr *names, weir_apply_layout *out)
{
    if (slot_count > WEIR_TRAIN_SLOTS || scalars.count > WEIR_TRAIN_SCALARS ||
        names->count != slot_count + scalars.count + 1 || rule < 0 || rule >= WEIR_TRAIN_RULES)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s: rule %" PRId64 " with %d variables, %d numbers and %d names",
                          site->def->name, rule, slot_count, scalars.count, names->count);
    *out = (weir_apply_layout){.slot_count = slot_count, .grad = -1, .indices = -1};
    for (int k = 0; k < slot_count; k++)
        out->slot_names[k] = names->ss[k];
    for (int k = 0; k < scalars.count; k++) {
        out->scalars[out->scalar_count++] = scalars.start + k;
        out->scalar_names[k] = names->ss[slot_count + k];
    }
    out->grad_name = names->ss[names->count - 1];
    return WEIR_OK;
}

weir_status weir_apply_prepare(weir_prepare *preparation)
{
    weir_apply_layout *layout = WEIR_NEW(weir_apply_layout);
    *layout = read_layout(preparation->site);
    preparation->state = layout;
    return WEIR_OK;
}

void weir_apply_cleanup(void *state)
{
    weir_free(state);
}

/* ---- inference ------------------------------------------------------------------------------- */

static weir_status infer_sparse(weir_infer *infer, const weir_apply_layout *layout, weir_shape *var)
{
    WEIR_TRY(weir_infer_rank(infer, layout->indices, 1));
    WEIR_TRY(weir_infer_rank_at_least(infer, layout->grad, 1));
    weir_shape rows = *infer->in[layout->grad];
    if (rows.rank < 0)
        return WEIR_OK;
    int64_t count;
    WEIR_TRY(weir_infer_merge_dim(rows.dims[0], weir_infer_dim(infer, layout->indices, 0), &count));
    rows.dims[0] = var->rank > 0 ? var->dims[0] : -1;
    return weir_infer_merge(var, &rows, var);
}

weir_status weir_apply_infer(weir_infer *infer)
{
    if (weir_state_at_run(infer))
        return WEIR_OK;
    weir_apply_layout layout = read_layout(infer->site);
    weir_shape var = WEIR_UNKNOWN_SHAPE, slot;
    for (int k = 0; k < layout.slot_count; k++) {
        WEIR_TRY(weir_state_infer_var(infer, k, weir_dtype_base(infer->site->in_types[layout.grad]),
                                      &slot));
        WEIR_TRY(weir_infer_merge(&var, &slot, &var));
    }
    for (int k = 0; k < layout.scalar_count; k++)
        WEIR_TRY(weir_infer_rank(infer, layout.scalars[k], 0));
    if (layout.indices >= 0)
        WEIR_TRY(infer_sparse(infer, &layout, &var));
    else
        WEIR_TRY(weir_infer_merge(&var, infer->in[layout.grad], &var));
    if (infer->out_count)
        infer->out[0] = var;
    return WEIR_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

/* The type of the variables. */
static weir_dtype type_of(const weir_apply *apply)
{
    return apply->narrow ? WEIR_FLOAT : apply->grad->dtype;
}

static weir_status check_slot(const weir_apply *apply, int k)
{
    const weir_tensor *value = apply->values[k], *var = apply->values[0];
    if (!value)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "Attempting to use uninitialized variables: %.*s",
                          WEIR_STR_ARG(apply->l->slot_names[k]));
    if (value->dtype != type_of(apply))
        return weir_error(WEIR_INVALID_ARGUMENT, "%.*s has type %s, but %.*s has type %s",
                          WEIR_STR_ARG(apply->l->slot_names[k]), weir_dtype_name(value->dtype),
                          WEIR_STR_ARG(apply->l->grad_name), weir_dtype_name(apply->grad->dtype));
    if (!weir_shape_eq(&var->shape, &value->shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "var and %.*s do not have the same shape%s %s",
                          WEIR_STR_ARG(apply->l->slot_names[k]), WEIR_SHAPE_STR(&var->shape),
                          WEIR_SHAPE_STR(&value->shape));
    return WEIR_OK;
}

static weir_status check_dense(const weir_apply *apply)
{
    if (weir_shape_eq(&apply->values[0]->shape, &apply->grad->shape))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "var and %.*s do not have the same shape%s %s",
                      WEIR_STR_ARG(apply->l->grad_name), WEIR_SHAPE_STR(&apply->values[0]->shape),
                      WEIR_SHAPE_STR(&apply->grad->shape));
}

static weir_status check_rows(const weir_apply *apply)
{
    int64_t count = apply->indices->shape.dims[0], limit = apply->values[0]->shape.dims[0];
    for (int64_t i = 0; i < count; i++) {
        int64_t at = weir_index_at(apply->indices, i);
        if (at < 0 || at >= limit)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Index %" PRId64 " at offset %" PRId64 " in indices is out of range",
                              at, i);
    }
    return WEIR_OK;
}

static weir_status check_sparse(const weir_apply *apply)
{
    const weir_shape *var = &apply->values[0]->shape, *grad = &apply->grad->shape;
    if (var->rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "var must be at least 1 dimensional");
    if (apply->indices->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "indices must be one-dimensional");
    if (grad->rank != var->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "var and grad must have the same number of "
                          "dimensions: %s vs. %s",
                          WEIR_SHAPE_STR(var), WEIR_SHAPE_STR(grad));
    for (int axis = 1; axis < var->rank; axis++)
        if (var->dims[axis] != grad->dims[axis])
            return weir_error(WEIR_INVALID_ARGUMENT, "var and grad must match in dimension %d",
                              axis);
    if (grad->dims[0] != apply->indices->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "grad must be the same size as indices in the first dimension.");
    return apply->unseen ? WEIR_OK : check_rows(apply);
}

static weir_status check_scalars(const weir_call *call, const weir_apply_layout *layout)
{
    for (int k = 0; k < layout->scalar_count; k++) {
        const weir_tensor *tensor = weir_in(call, layout->scalars[k]);
        if (tensor->shape.rank != 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "%.*s is not a scalar: %s",
                              WEIR_STR_ARG(layout->scalar_names[k]),
                              WEIR_SHAPE_STR(&tensor->shape));
    }
    return WEIR_OK;
}

weir_train weir_apply_shifted(const weir_apply *apply, int64_t elements, int64_t grad_elements)
{
    weir_train train = apply->work;
    for (int k = 0; k < apply->l->slot_count; k++)
        train.slots[k] = (char *)train.slots[k] + (size_t)elements * apply->size;
    train.grad = (const char *)train.grad + (size_t)grad_elements * apply->size;
    return train;
}

enum { LOOKED = 1 << 13 }; /* elements per check, which hits the cache */

static void dense_part(void *ctx, int64_t begin, int64_t end)
{
    const weir_apply *apply = ctx;
    int64_t most = apply->nonfinite ? LOOKED : end - begin;
    for (int64_t at = begin; at < end; at += most) {
        int64_t count = weir_min(most, end - at);
        weir_train train = weir_apply_shifted(apply, at, at);
        weir_train_run(apply->fn, &train, apply->l->slot_count, apply->size, count);
        weir_apply_look(apply, &train, count);
    }
}

/* Shard s processes the rows with indices = s modulo the number of shards, in order: all updates of
 * a row are made by one thread. */
static void sparse_part(void *ctx, int64_t begin, int64_t end)
{
    const weir_apply *apply = ctx;
    int64_t count = apply->indices->shape.dims[0];
    for (int64_t i = 0; i < count; i++) {
        int64_t row = weir_index_at(apply->indices, i), shard = row % apply->shards;
        if (shard < begin || shard >= end)
            continue;
        weir_train train = weir_apply_shifted(apply, row * apply->run, i * apply->run);
        apply->fn(&train, apply->run);
        weir_apply_look(apply, &train, apply->run);
    }
}

enum { GRAIN = 16384 }; /* elements per thread */

void weir_apply_dense(weir_call *call, weir_apply *apply)
{
    weir_par_for(&call->run->par, weir_tensor_count(apply->grad), GRAIN, dense_part, apply);
}

static void apply_sparse(weir_call *call, weir_apply *apply)
{
    const weir_shape *var = &apply->values[0]->shape;
    apply->run = weir_shape_product(var, 1, var->rank);
    int64_t most = weir_tensor_count(apply->grad) / GRAIN + 1, threads = call->run->par.threads;
    apply->shards = weir_clamp(threads, 1, most);
    weir_par_for(&call->run->par, apply->shards, 1, sparse_part, apply);
}

/* A program may place the parts of a step on different devices: an error, not an assertion. */
static weir_status check_memory(const weir_call *call, const weir_tensor *value)
{
    bool here = !value->buffer || value->buffer->memory == call->site->memory;
    return here ? WEIR_OK
                : weir_error(WEIR_FAILED_PRECONDITION,
                             "%s: a variable lies in the memory of another device than %s",
                             call->site->op->name, call->site->device);
}

static weir_status apply_locked(weir_call *call, weir_apply *apply)
{
    for (int k = 0; k < apply->l->slot_count; k++) {
        WEIR_TRY(weir_var_own(apply->vars[k], &apply->values[k]));
        WEIR_TRY(check_memory(call, apply->values[k]));
        WEIR_TRY(check_slot(apply, k));
        apply->work.slots[k] = apply->values[k]->data;
    }
    WEIR_TRY(apply->indices ? check_sparse(apply) : check_dense(apply));
    apply->work.grad = apply->grad->data;
    apply->size = weir_dtype_size(type_of(apply));
    apply->update(call, apply);
    return WEIR_OK;
}

static weir_status find_vars(weir_call *call, weir_apply *apply, int *out_count)
{
    for (*out_count = 0; *out_count < apply->l->slot_count; (*out_count)++) {
        weir_status status =
            weir_state_var(call, apply->l->first_slot + *out_count, &apply->vars[*out_count]);
        if (weir_status_code(status) == WEIR_NOT_FOUND) {
            weir_status_free(status);
            return weir_error(WEIR_INTERNAL, "Invalid variable reference.");
        }
        WEIR_TRY(status);
    }
    return WEIR_OK;
}

/* Reports only the update that introduced a NaN: a variable with an earlier one keeps it. */
static void note_nonfinite(weir_call *call, const weir_apply *apply,
                           bool nonfinite) WEIR_UNCHECKED_LOCKING
{
    weir_var *var = apply->vars[0];
    if (nonfinite && !var->nonfinite)
        atomic_store_explicit(call->nonfinite, 1 + apply->l->first_slot, memory_order_relaxed);
    var->nonfinite = nonfinite || (var->nonfinite && apply->indices);
}

weir_status weir_apply_to(weir_call *call, weir_train_rule rule, weir_apply *apply)
{
    const weir_apply_layout *layout = apply->l;
    WEIR_TRY(check_scalars(call, layout));
    atomic_int nonfinite = 0;
    apply->nonfinite = call->nonfinite ? &nonfinite : NULL;
    apply->fn = weir_train_find(rule, weir_elem_of(type_of(apply)));
    apply->work.flag = layout->flag >= 0 && weir_site_bool(call->site, layout->flag);
    for (int k = 0; k < layout->scalar_count; k++)
        apply->work.scalars[k] = weir_in(call, layout->scalars[k])->data;
    int found;
    weir_status status = find_vars(call, apply, &found);
    if (!status) {
        weir_vars_lock(apply->vars, found);
        status = apply_locked(call, apply);
        if (!status && call->nonfinite)
            note_nonfinite(call, apply, nonfinite);
        weir_vars_unlock(apply->vars, found);
    }
    for (int k = 0; k < found; k++)
        weir_var_release(apply->vars[k]);
    return status;
}

weir_status weir_apply_run(weir_call *call)
{
    const weir_apply_layout *layout = call->state;
    weir_apply apply = {
        .l = layout, .grad = weir_in(call, layout->grad), .update = weir_apply_dense};
    if (layout->indices >= 0) {
        apply.indices = weir_in(call, layout->indices);
        apply.update = apply_sparse;
    }
    WEIR_TRY(weir_apply_to(call, (weir_train_rule)(call->site->op->update - 1), &apply));
    weir_state_forward_ref(call);
    return WEIR_OK;
}
