/* train/variable.c - variables: whole or cut along the first axis, and how they start. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "train/train_impl.h"

enum { DEFAULT_GRAPH_SEED = 87654321 }; /* TensorFlow's, when only an op has a seed */

/* ---- where a variable starts ---------------------------------------------------------------- */

static TF_Output shape_of(weir_builder *b, const variable *v)
{
    int32_t dims[LARGEST_RANK];
    int64_t rank = v->rank;
    for (int i = 0; i < v->rank; i++)
        dims[i] = (int32_t)v->dims[i];
    return weir_build_const(b, "shape", TF_INT32, 1, &rank, dims);
}

/* A float constant as a scalar of the variable's type. */
static TF_Output number(weir_builder *b, const variable *v, const char *name, double value)
{
    if (v->type == TF_FLOAT)
        return weir_build_float(b, name, (float)value);
    if (v->type == TF_INT64)
        return weir_build_const(b, name, TF_INT64, 0, NULL, &(int64_t){(int64_t)value});
    if (v->type == TF_INT32)
        return weir_build_int32(b, name, (int32_t)value);
    TF_Output wide = weir_build_const(b, name, TF_DOUBLE, 0, NULL, &value);
    if (v->type == TF_DOUBLE)
        return wide;
    TF_OperationDescription *d = weir_build_begin(b, "Cast", name);
    if (d) {
        TF_AddInput(d, wide);
        TF_SetAttrType(d, "DstT", v->type);
    }
    return weir_build_end(b, d);
}

static TF_Output draw(weir_builder *b, const variable *v, const weir_initial *how)
{
    const char *type = how->kind == WEIR_NORMAL             ? "RandomStandardNormal"
                       : how->kind == WEIR_TRUNCATED_NORMAL ? "TruncatedNormal"
                                                            : "RandomUniform";
    TF_Output shape = shape_of(b, v);
    TF_OperationDescription *d = weir_build_begin(b, type, "random");
    if (d) {
        TF_AddInput(d, shape);
        TF_SetAttrType(d, "dtype", v->type);
        TF_SetAttrInt(d, "seed", how->seed ? DEFAULT_GRAPH_SEED : 0);
        TF_SetAttrInt(d, "seed2", how->seed);
    }
    return weir_build_end(b, d);
}

static TF_Output random_value(weir_builder *b, const variable *v, const weir_initial *how)
{
    TF_Output random = draw(b, v, how);
    bool uniform = how->kind == WEIR_UNIFORM;
    TF_Output scale = number(b, v, "scale", uniform ? how->b - how->a : how->b);
    TF_Output base = number(b, v, "base", how->a);
    TF_Output scaled = weir_build_op(b, "Mul", "scaled", WEIR_INPUTS(random, scale));
    return weir_build_op(b, "AddV2", "value", WEIR_INPUTS(scaled, base));
}

static TF_Output initial_value(weir_builder *b, const variable *v, const weir_initial *how)
{
    switch (how->kind) {
    case WEIR_NORMAL:
    case WEIR_TRUNCATED_NORMAL:
    case WEIR_UNIFORM:
        return random_value(b, v, how);
    case WEIR_VALUES:
        return weir_build_const(b, "value", v->type, v->rank, v->dims, how->values);
    default: {
        double fill = how->kind == WEIR_CONSTANT ? how->a : 0;
        TF_Output shape = shape_of(b, v), value = number(b, v, "number", fill);
        return weir_build_op(b, "Fill", "value", WEIR_INPUTS(shape, value));
    }
    }
}

/* ---- one variable or piece ------------------------------------------------------------------ */

static int64_t bytes_of(const variable *v)
{
    int64_t bytes = (int64_t)TF_DataTypeSize(v->type);
    for (int i = 0; i < v->rank; i++)
        bytes *= v->dims[i];
    return bytes;
}

static TF_Output build_node(weir_trainer *t, const variable *v)
{
    TF_OperationDescription *d = weir_build_begin_sized(t->b, "VariableV2", v->name, bytes_of(v));
    if (d) {
        TF_SetAttrType(d, "dtype", v->type);
        TF_SetAttrShape(d, "shape", v->dims, v->rank);
    }
    return weir_build_end(t->b, d);
}

TF_Output weir_trainer_assign(weir_trainer *t, const variable *v, const char *name, TF_Output value)
{
    weir_build_push_device(t->b, v->device);
    TF_Output done = weir_build_op(t->b, "Assign", name, WEIR_INPUTS(v->ref, value));
    weir_build_pop_device(t->b);
    return done;
}

/* Everything around the variable's node, on its device. */
static void surround(weir_trainer *t, variable *v, const weir_initial *initial)
{
    snprintf(v->device, sizeof v->device, "%s", TF_OperationDevice(v->ref.oper));
    weir_build_push_device(t->b, v->device);
    weir_build_push_scope(t->b, v->name);
    weir_build_push_scope(t->b, "Initializer");
    if (!v->initial.oper)
        v->initial = initial_value(t->b, v, initial);
    weir_build_pop_scope(t->b);
    v->initialize = weir_build_op(t->b, "Assign", "Assign", WEIR_INPUTS(v->ref, v->initial)).oper;
    v->value = weir_build_op(t->b, "Identity", "read", &v->ref, 1);
    weir_build_pop_scope(t->b);
    weir_build_pop_device(t->b);
}

variable *weir_trainer_add_variable(weir_trainer *t, const variable *like, const char *device,
                                    const weir_initial *initial)
{
    variable *v = WEIR_NEW(variable);
    *v = *like;
    v->name = weir_strdup(like->name);
    v->saved_as = weir_strdup(like->saved_as ? like->saved_as : like->name);
    v->slice = weir_strdup(like->slice ? like->slice : "");
    weir_vec_push(&t->variables, v);
    if (device)
        weir_build_push_device(t->b, device);
    v->ref = build_node(t, v);
    if (device)
        weir_build_pop_device(t->b);
    if (v->ref.oper)
        surround(t, v, initial);
    return v;
}

variable *weir_trainer_add_slot(weir_trainer *t, const variable *v, const char *name,
                                const weir_initial *initial)
{
    weir_buf whole = {0}, saved = {0};
    weir_buf_addf(&whole, "%s/%s", v->name, name);
    weir_buf_addf(&saved, "%s/%s", v->saved_as, name);
    variable like = *v;
    like.name = whole.at;
    like.saved_as = saved.at;
    like.trained = false;
    like.average = NULL;
    like.initial = initial ? (TF_Output){0} : v->initial; /* null: starts as the variable does */
    variable *slot = weir_trainer_add_variable(t, &like, v->device, initial);
    weir_buf_fini(&whole);
    weir_buf_fini(&saved);
    return slot;
}

/* ---- pieces --------------------------------------------------------------------------------- */

/* "784 10 0,392:0,10": the whole shape, then the piece's offset and size along each axis. */
static char *slice_text(const weir_variable_options *o, int64_t offset, int64_t rows)
{
    weir_buf text = {0};
    for (int i = 0; i < o->rank; i++)
        weir_buf_addf(&text, "%lld ", (long long)o->dims[i]);
    for (int i = 0; i < o->rank; i++)
        weir_buf_addf(&text, "%s%lld,%lld", i ? ":" : "", i ? 0LL : (long long)offset,
                      (long long)(i ? o->dims[i] : rows));
    return weir_buf_take(&text);
}

static variable describe(const weir_variable_options *o)
{
    variable v = {.name = (char *)o->name,
                  .type = o->type ? o->type : TF_FLOAT,
                  .rank = o->rank,
                  .trained = !o->not_trained};
    for (int i = 0; i < o->rank; i++)
        v.dims[i] = o->dims[i];
    return v;
}

static TF_Output add_piece(weir_trainer *t, const weir_variable_options *o, int piece,
                           int64_t offset, int64_t rows)
{
    weir_buf name = {0};
    weir_buf_addf(&name, "%s/part_%d", o->name, piece);
    variable v = describe(o);
    v.name = name.at;
    v.dims[0] = rows;
    v.saved_as = (char *)o->name;
    v.slice = slice_text(o, offset, rows);
    TF_Output value = weir_trainer_add_variable(t, &v, NULL, &o->initial)->value;
    weir_free(v.slice);
    weir_buf_fini(&name);
    return value;
}

static TF_Output join(weir_trainer *t, const char *name, const TF_Output *parts, int count)
{
    TF_Output axis = weir_build_int32(t->b, "axis", 0);
    TF_OperationDescription *d = weir_build_begin(t->b, "ConcatV2", "concat");
    if (d) {
        TF_AddInputList(d, parts, count);
        TF_AddInput(d, axis);
    }
    return weir_build_end(t->b, d);
}

static TF_Output add_pieces(weir_trainer *t, const weir_variable_options *o)
{
    TF_Output *parts = WEIR_NEW_ARRAY(TF_Output, o->partitions);
    cut pieces = {.first = t->variables.count, .count = o->partitions};
    int64_t offset = 0;
    for (int i = 0; i < o->partitions; i++) {
        int64_t rows = o->dims[0] / o->partitions + (i < o->dims[0] % o->partitions);
        parts[i] = add_piece(t, o, i, offset, rows);
        offset += rows;
    }
    weir_build_push_scope(t->b, o->name);
    weir_build_push_scope(t->b, "ConcatPartitions");
    TF_Output whole =
        weir_trainer_failed(t) ? (TF_Output){0} : join(t, o->name, parts, o->partitions);
    weir_build_pop_scope(t->b);
    weir_build_pop_scope(t->b);
    weir_free(parts);
    pieces.whole = whole;
    if (whole.oper)
        weir_vec_push(&t->cuts, pieces);
    return whole;
}

/* ---- the client's side ---------------------------------------------------------------------- */

static const char *wrong(const weir_trainer *t, const weir_variable_options *o)
{
    if (!o->name || !*o->name)
        return "A variable needs a name";
    if (o->rank < 0 || o->rank > LARGEST_RANK)
        return "A variable has 0 to 8 dims";
    for (int i = 0; i < o->rank; i++)
        if (o->dims[i] < 0 || o->dims[i] > INT32_MAX)
            return "A variable's dims must be known and below 2^31";
    if (o->partitions > 1 && (!o->rank || o->partitions > o->dims[0]))
        return "A variable cannot be cut into more pieces than it has rows";
    if (o->initial.kind == WEIR_VALUES && (!o->initial.values || o->partitions > 1))
        return "A variable that starts with given values needs them, and is one piece";
    for (size_t i = 0; i < t->variables.count; i++)
        if (strcmp(t->variables.at[i]->saved_as, o->name) == 0)
            return "There is a variable of that name already";
    return NULL;
}

TF_Output weir_trainer_variable(weir_trainer *t, const weir_variable_options *o)
{
    const char *what = wrong(t, o);
    if (what)
        weir_build_fail(t->b, TF_INVALID_ARGUMENT, what);
    if (weir_trainer_failed(t))
        return (TF_Output){0};
    if (o->partitions > 1)
        return add_pieces(t, o);
    variable v = describe(o);
    return weir_trainer_add_variable(t, &v, NULL, &o->initial)->value;
}

variable *weir_trainer_find_variable(const weir_trainer *t, TF_Output value)
{
    for (size_t i = 0; i < t->variables.count; i++)
        if (value.oper && t->variables.at[i]->value.oper == value.oper)
            return t->variables.at[i];
    return NULL;
}

TF_Output weir_trainer_global_step(weir_trainer *t)
{
    if (!t->global_step)
        t->global_step = weir_trainer_add_variable(
            t, &(variable){.name = "global_step", .type = TF_INT64}, NULL, &(weir_initial){0});
    return t->global_step->value;
}
