/* ops/train/apply.c - the kernel behind every optimiser op. */
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
    weir_apply_layout l = {.grad = -1, .indices = -1, .flag = find_flag(site)};
    for (int i = 0; i < site->in_count; i++) {
        const char *name = site->def->in[i].name;
        bool slot = weir_dtype_is_ref(site->in_types[i]) || site->in_types[i] == WEIR_RESOURCE;
        if (slot) {
            l.slot_names[l.slot_count++] = weir_str_of(name);
        } else if (strcmp(name, "grad") == 0 || strcmp(name, "delta") == 0) {
            l.grad = i;
            l.grad_name = weir_str_of(name);
        } else if (strcmp(name, "indices") == 0) {
            l.indices = i;
        } else {
            l.scalar_names[l.scalar_count] = weir_str_of(name);
            l.scalars[l.scalar_count++] = i;
        }
    }
    return l;
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

weir_status weir_apply_prepare(weir_prepare *p)
{
    weir_apply_layout *l = WEIR_NEW(weir_apply_layout);
    *l = read_layout(p->site);
    p->state = l;
    return WEIR_OK;
}

void weir_apply_cleanup(void *state)
{
    weir_free(state);
}

/* ---- inference ------------------------------------------------------------------------------- */

static weir_status infer_sparse(weir_infer *i, const weir_apply_layout *l, weir_shape *var)
{
    WEIR_TRY(weir_infer_rank(i, l->indices, 1));
    WEIR_TRY(weir_infer_rank_at_least(i, l->grad, 1));
    weir_shape rows = *i->in[l->grad];
    if (rows.rank < 0)
        return WEIR_OK;
    int64_t count;
    WEIR_TRY(weir_infer_merge_dim(rows.dims[0], weir_infer_dim(i, l->indices, 0), &count));
    rows.dims[0] = var->rank > 0 ? var->dims[0] : -1;
    return weir_infer_merge(var, &rows, var);
}

weir_status weir_apply_infer(weir_infer *i)
{
    if (weir_state_at_run(i))
        return WEIR_OK;
    weir_apply_layout l = read_layout(i->site);
    weir_shape var = WEIR_UNKNOWN_SHAPE, slot;
    for (int k = 0; k < l.slot_count; k++) {
        WEIR_TRY(weir_state_infer_var(i, k, weir_dtype_base(i->site->in_types[l.grad]), &slot));
        WEIR_TRY(weir_infer_merge(&var, &slot, &var));
    }
    for (int k = 0; k < l.scalar_count; k++)
        WEIR_TRY(weir_infer_rank(i, l.scalars[k], 0));
    if (l.indices >= 0)
        WEIR_TRY(infer_sparse(i, &l, &var));
    else
        WEIR_TRY(weir_infer_merge(&var, i->in[l.grad], &var));
    if (i->out_count)
        i->out[0] = var;
    return WEIR_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

static weir_status check_slot(const weir_apply *a, int k)
{
    const weir_tensor *value = a->values[k], *var = a->values[0];
    if (!value)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "Attempting to use uninitialized variables: %.*s",
                          WEIR_STR_ARG(a->l->slot_names[k]));
    if (value->dtype != a->grad->dtype)
        return weir_error(WEIR_INVALID_ARGUMENT, "%.*s has type %s, but %.*s has type %s",
                          WEIR_STR_ARG(a->l->slot_names[k]), weir_dtype_name(value->dtype),
                          WEIR_STR_ARG(a->l->grad_name), weir_dtype_name(a->grad->dtype));
    if (!weir_shape_eq(&var->shape, &value->shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "var and %.*s do not have the same shape%s %s",
                          WEIR_STR_ARG(a->l->slot_names[k]), WEIR_SHAPE_STR(&var->shape),
                          WEIR_SHAPE_STR(&value->shape));
    return WEIR_OK;
}

static weir_status check_dense(const weir_apply *a)
{
    if (weir_shape_eq(&a->values[0]->shape, &a->grad->shape))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "var and %.*s do not have the same shape%s %s",
                      WEIR_STR_ARG(a->l->grad_name), WEIR_SHAPE_STR(&a->values[0]->shape),
                      WEIR_SHAPE_STR(&a->grad->shape));
}

static weir_status check_rows(const weir_apply *a)
{
    int64_t count = a->indices->shape.dims[0], limit = a->values[0]->shape.dims[0];
    for (int64_t i = 0; i < count; i++) {
        int64_t at = weir_index_at(a->indices, i);
        if (at < 0 || at >= limit)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Index %" PRId64 " at offset %" PRId64 " in indices is out of range",
                              at, i);
    }
    return WEIR_OK;
}

static weir_status check_sparse(const weir_apply *a)
{
    const weir_shape *var = &a->values[0]->shape, *grad = &a->grad->shape;
    if (var->rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "var must be at least 1 dimensional");
    if (a->indices->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "indices must be one-dimensional");
    if (grad->rank != var->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "var and grad must have the same number of "
                          "dimensions: %s vs. %s",
                          WEIR_SHAPE_STR(var), WEIR_SHAPE_STR(grad));
    for (int d = 1; d < var->rank; d++)
        if (var->dims[d] != grad->dims[d])
            return weir_error(WEIR_INVALID_ARGUMENT, "var and grad must match in dimension %d", d);
    if (grad->dims[0] != a->indices->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "grad must be the same size as indices in the first dimension.");
    return check_rows(a);
}

static weir_status check_scalars(const weir_call *c, const weir_apply_layout *l)
{
    for (int k = 0; k < l->scalar_count; k++) {
        const weir_tensor *t = weir_in(c, l->scalars[k]);
        if (t->shape.rank != 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "%.*s is not a scalar: %s",
                              WEIR_STR_ARG(l->scalar_names[k]), WEIR_SHAPE_STR(&t->shape));
    }
    return WEIR_OK;
}

weir_train weir_apply_shifted(const weir_apply *a, int64_t elements, int64_t grad_elements)
{
    weir_train w = a->work;
    for (int k = 0; k < a->l->slot_count; k++)
        w.slots[k] = (char *)w.slots[k] + (size_t)elements * a->size;
    w.grad = (const char *)w.grad + (size_t)grad_elements * a->size;
    return w;
}

static void dense_part(void *ctx, int64_t begin, int64_t end)
{
    const weir_apply *a = ctx;
    weir_train w = weir_apply_shifted(a, begin, begin);
    weir_train_run(a->fn, &w, a->l->slot_count, a->size, end - begin);
}

/* Shard s does the rows whose index leaves the remainder s, in their order: a row that comes up
 * twice stays with one thread. */
static void sparse_part(void *ctx, int64_t begin, int64_t end)
{
    const weir_apply *a = ctx;
    int64_t count = a->indices->shape.dims[0];
    for (int64_t i = 0; i < count; i++) {
        int64_t row = weir_index_at(a->indices, i), shard = row % a->shards;
        if (shard < begin || shard >= end)
            continue;
        weir_train w = weir_apply_shifted(a, row * a->run, i * a->run);
        a->fn(&w, a->run);
    }
}

enum { GRAIN = 16384 }; /* elements worth a thread */

void weir_apply_dense(weir_call *c, weir_apply *a)
{
    weir_par_for(&c->run->par, weir_tensor_count(a->grad), GRAIN, dense_part, a);
}

static void apply_sparse(weir_call *c, weir_apply *a)
{
    const weir_shape *var = &a->values[0]->shape;
    a->run = weir_shape_product(var, 1, var->rank);
    int64_t most = weir_tensor_count(a->grad) / GRAIN + 1, threads = c->run->par.threads;
    a->shards = threads < 1 ? 1 : threads < most ? threads : most;
    weir_par_for(&c->run->par, a->shards, 1, sparse_part, a);
}

static weir_status apply_locked(weir_call *c, weir_apply *a)
{
    for (int k = 0; k < a->l->slot_count; k++) {
        WEIR_TRY(weir_var_own(a->vars[k], &a->values[k]));
        WEIR_TRY(check_slot(a, k));
        a->work.slots[k] = a->values[k]->data;
    }
    WEIR_TRY(a->indices ? check_sparse(a) : check_dense(a));
    a->work.grad = a->grad->data;
    a->size = weir_dtype_size(a->grad->dtype);
    a->update(c, a);
    return WEIR_OK;
}

static weir_status find_vars(weir_call *c, weir_apply *a, int *out_count)
{
    for (*out_count = 0; *out_count < a->l->slot_count; (*out_count)++) {
        weir_status s = weir_state_var(c, a->l->first_slot + *out_count, &a->vars[*out_count]);
        if (weir_status_code(s) == WEIR_NOT_FOUND) {
            weir_status_free(s);
            return weir_error(WEIR_INTERNAL, "Invalid variable reference.");
        }
        WEIR_TRY(s);
    }
    return WEIR_OK;
}

weir_status weir_apply_to(weir_call *c, weir_train_rule rule, weir_apply *a)
{
    const weir_apply_layout *l = a->l;
    WEIR_TRY(check_scalars(c, l));
    a->fn = weir_train_find(rule, weir_elem_of(a->grad->dtype));
    a->work.flag = l->flag >= 0 && weir_site_bool(c->site, l->flag);
    for (int k = 0; k < l->scalar_count; k++)
        a->work.scalars[k] = weir_in(c, l->scalars[k])->data;
    int found;
    weir_status s = find_vars(c, a, &found);
    if (!s) {
        weir_vars_lock(a->vars, found);
        s = apply_locked(c, a);
        weir_vars_unlock(a->vars, found);
    }
    for (int k = 0; k < found; k++)
        weir_var_release(a->vars[k]);
    return s;
}

weir_status weir_apply_run(weir_call *c)
{
    const weir_apply_layout *l = c->state;
    weir_apply a = {.l = l, .grad = weir_in(c, l->grad), .update = weir_apply_dense};
    if (l->indices >= 0) {
        a.indices = weir_in(c, l->indices);
        a.update = apply_sparse;
    }
    WEIR_TRY(weir_apply_to(c, (weir_train_rule)(c->site->op->update - 1), &a));
    weir_state_forward_ref(c);
    return WEIR_OK;
}
