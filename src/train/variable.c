/* train/variable.c - variables, possibly partitioned on the first axis, and initial values. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "train/train_impl.h"

enum { DEFAULT_GRAPH_SEED = 87654321 }; /* TensorFlow's, when only an op has a seed */

/* ---- initial values -------------------------------------------------------------------------- */

static TF_Output shape_of(weir_builder *builder, const variable *variable)
{
    int32_t dims[LARGEST_RANK];
    int64_t rank = variable->rank;
    for (int i = 0; i < variable->rank; i++)
        dims[i] = (int32_t)variable->dims[i];
    return weir_build_const(builder, "shape", TF_INT32, 1, &rank, dims);
}

/* A float constant as a scalar of the variable's type. */
static TF_Output number(weir_builder *builder, const variable *variable, const char *name,
                        double value)
{
    if (variable->type == TF_FLOAT)
        return weir_build_float(builder, name, (float)value);
    if (variable->type == TF_INT64)
        return weir_build_const(builder, name, TF_INT64, 0, NULL, &(int64_t){(int64_t)value});
    if (variable->type == TF_INT32)
        return weir_build_int32(builder, name, (int32_t)value);
    TF_Output wide = weir_build_const(builder, name, TF_DOUBLE, 0, NULL, &value);
    if (variable->type == TF_DOUBLE)
        return wide;
    TF_OperationDescription *description = weir_build_begin(builder, "Cast", name);
    if (description) {
        TF_AddInput(description, wide);
        TF_SetAttrType(description, "DstT", variable->type);
    }
    return weir_build_end(builder, description);
}

static TF_Output draw(weir_builder *builder, const variable *variable, const weir_initial *how)
{
    const char *type = how->kind == WEIR_NORMAL             ? "RandomStandardNormal"
                       : how->kind == WEIR_TRUNCATED_NORMAL ? "TruncatedNormal"
                                                            : "RandomUniform";
    TF_Output shape = shape_of(builder, variable);
    TF_OperationDescription *description = weir_build_begin(builder, type, "random");
    if (description) {
        TF_AddInput(description, shape);
        TF_SetAttrType(description, "dtype", variable->type);
        TF_SetAttrInt(description, "seed", how->seed ? DEFAULT_GRAPH_SEED : 0);
        TF_SetAttrInt(description, "seed2", how->seed);
    }
    return weir_build_end(builder, description);
}

static TF_Output random_value(weir_builder *builder, const variable *variable,
                              const weir_initial *how)
{
    TF_Output random = draw(builder, variable, how);
    bool uniform = how->kind == WEIR_UNIFORM;
    TF_Output scale = number(builder, variable, "scale", uniform ? how->b - how->a : how->b);
    TF_Output base = number(builder, variable, "base", how->a);
    TF_Output scaled = weir_build_op(builder, "Mul", "scaled", WEIR_INPUTS(random, scale));
    return weir_build_op(builder, "AddV2", "value", WEIR_INPUTS(scaled, base));
}

static TF_Output initial_value(weir_builder *builder, const variable *variable,
                               const weir_initial *how)
{
    switch (how->kind) {
    case WEIR_NORMAL:
    case WEIR_TRUNCATED_NORMAL:
    case WEIR_UNIFORM:
        return random_value(builder, variable, how);
    case WEIR_VALUES:
        return weir_build_const(builder, "value", variable->type, variable->rank, variable->dims,
                                how->values);
    default: {
        double fill = how->kind == WEIR_CONSTANT ? how->a : 0;
        TF_Output shape = shape_of(builder, variable),
                  value = number(builder, variable, "number", fill);
        return weir_build_op(builder, "Fill", "value", WEIR_INPUTS(shape, value));
    }
    }
}

/* ---- one variable or partition --------------------------------------------------------------- */

int64_t weir_trainer_bytes_of(const variable *variable)
{
    int64_t bytes = (int64_t)TF_DataTypeSize(variable->type);
    for (int i = 0; i < variable->rank; i++)
        if (__builtin_mul_overflow(bytes, variable->dims[i], &bytes))
            return INT64_MAX; /* no such variable can be created */
    return bytes;
}

static TF_Output build_node(weir_trainer *trainer, const variable *variable)
{
    TF_OperationDescription *description = weir_build_begin_sized(
        trainer->b, "VariableV2", variable->name, weir_trainer_bytes_of(variable));
    if (description) {
        TF_SetAttrType(description, "dtype", variable->type);
        TF_SetAttrShape(description, "shape", variable->dims, variable->rank);
    }
    return weir_build_end(trainer->b, description);
}

TF_Output weir_trainer_assign(weir_trainer *trainer, const variable *variable, const char *name,
                              TF_Output value)
{
    weir_build_push_device(trainer->b, variable->device);
    TF_Output done = weir_build_op(trainer->b, "Assign", name, WEIR_INPUTS(variable->ref, value));
    weir_build_pop_device(trainer->b);
    return done;
}

/* Adds the nodes around the variable's node, on its device. */
static void surround(weir_trainer *trainer, variable *variable, const weir_initial *initial)
{
    snprintf(variable->device, sizeof variable->device, "%s",
             TF_OperationDevice(variable->ref.oper));
    weir_build_push_device(trainer->b, variable->device);
    weir_build_push_scope(trainer->b, variable->name);
    weir_build_push_scope(trainer->b, "Initializer");
    if (!variable->initial.oper)
        variable->initial = initial_value(trainer->b, variable, initial);
    weir_build_pop_scope(trainer->b);
    variable->initialize =
        weir_build_op(trainer->b, "Assign", "Assign", WEIR_INPUTS(variable->ref, variable->initial))
            .oper;
    variable->value = weir_build_op(trainer->b, "Identity", "read", &variable->ref, 1);
    weir_build_pop_scope(trainer->b);
    weir_build_pop_device(trainer->b);
}

variable *weir_trainer_add_variable(weir_trainer *trainer, const variable *like, const char *device,
                                    const weir_initial *initial)
{
    variable *new_variable = WEIR_NEW(variable);
    *new_variable = *like;
    new_variable->name = weir_strdup(like->name);
    new_variable->saved_as = weir_strdup(like->saved_as ? like->saved_as : like->name);
    new_variable->slice = weir_strdup(like->slice ? like->slice : "");
    weir_vec_push(&trainer->variables, new_variable);
    if (device)
        weir_build_push_device(trainer->b, device);
    new_variable->ref = build_node(trainer, new_variable);
    if (device)
        weir_build_pop_device(trainer->b);
    if (new_variable->ref.oper)
        surround(trainer, new_variable, initial);
    return new_variable;
}

variable *weir_trainer_add_slot(weir_trainer *trainer, const variable *this_variable,
                                const char *name, const weir_initial *initial)
{
    WEIR_BUF(whole);
    WEIR_BUF(saved);
    weir_buf_addf(&whole, "%s/%s", this_variable->name, name);
    weir_buf_addf(&saved, "%s/%s", this_variable->saved_as, name);
    variable like = *this_variable;
    like.name = whole.at;
    like.saved_as = saved.at;
    like.trained = false;
    like.average = NULL;
    like.initial =
        initial ? (TF_Output){0} : this_variable->initial; /* null: the variable's initial value */
    variable *slot = weir_trainer_add_variable(trainer, &like, this_variable->device, initial);
    return slot;
}

/* ---- partitions ------------------------------------------------------------------------------ */

/* "784 10 0,392:0,10": the full shape, then the partition's offset and size along each axis. */
static char *slice_text(const weir_variable_options *options, int64_t offset, int64_t rows)
{
    weir_buf text = {0};
    for (int i = 0; i < options->rank; i++)
        weir_buf_addf(&text, "%lld ", (long long)options->dims[i]);
    for (int i = 0; i < options->rank; i++)
        weir_buf_addf(&text, "%s%lld,%lld", i ? ":" : "", i ? 0LL : (long long)offset,
                      (long long)(i ? options->dims[i] : rows));
    return weir_buf_take(&text);
}

static variable describe(const weir_variable_options *options)
{
    variable variable = {.name = (char *)options->name,
                         .type = options->type ? options->type : TF_FLOAT,
                         .rank = options->rank,
                         .trained = !options->not_trained};
    for (int i = 0; i < options->rank; i++)
        variable.dims[i] = options->dims[i];
    return variable;
}

/* Partitions of equal size must not start with equal numbers, if the program has not chosen them.
 */
static weir_initial initial_of(const weir_variable_options *options, int piece, bool chosen)
{
    weir_initial initial = options->initial;
    if (!chosen && initial.seed)
        initial.seed += piece;
    return initial;
}

static TF_Output add_piece(weir_trainer *trainer, const weir_variable_options *options, int piece,
                           int64_t offset, int64_t rows, bool chosen)
{
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s/part_%d", options->name, piece);
    variable variable = describe(options);
    variable.name = name.at;
    variable.dims[0] = rows;
    variable.saved_as = (char *)options->name;
    variable.slice = slice_text(options, offset, rows);
    weir_initial initial = initial_of(options, piece, chosen);
    TF_Output value = weir_trainer_add_variable(trainer, &variable, NULL, &initial)->value;
    weir_free(variable.slice);
    return value;
}

static TF_Output join(weir_trainer *trainer, const char *name, const TF_Output *parts, int count)
{
    TF_Output axis = weir_build_int32(trainer->b, "axis", 0);
    TF_OperationDescription *description = weir_build_begin(trainer->b, "ConcatV2", "concat");
    if (description) {
        TF_AddInputList(description, parts, count);
        TF_AddInput(description, axis);
    }
    return weir_build_end(trainer->b, description);
}

/* |count| partitions, chosen by the program or by the trainer. */
static TF_Output add_pieces(weir_trainer *trainer, const weir_variable_options *options, int count)
{
    TF_Output *parts = WEIR_NEW_ARRAY(TF_Output, count);
    cut pieces = {.first = trainer->variables.count, .count = count};
    int64_t offset = 0;
    for (int i = 0; i < count; i++) {
        int64_t rows = options->dims[0] / count + (i < options->dims[0] % count);
        parts[i] = add_piece(trainer, options, i, offset, rows, options->partitions > 0);
        offset += rows;
    }
    weir_build_push_scope(trainer->b, options->name);
    weir_build_push_scope(trainer->b, "ConcatPartitions");
    TF_Output whole =
        weir_trainer_failed(trainer) ? (TF_Output){0} : join(trainer, options->name, parts, count);
    weir_build_pop_scope(trainer->b);
    weir_build_pop_scope(trainer->b);
    weir_free(parts);
    pieces.whole = whole;
    if (whole.oper)
        weir_vec_push(&trainer->cuts, pieces);
    return whole;
}

/* ---- client side ----------------------------------------------------------------------------- */

static const char *wrong(const weir_trainer *trainer, const weir_variable_options *options)
{
    if (!options->name || !*options->name)
        return "A variable needs a name";
    if (options->rank < 0 || options->rank > LARGEST_RANK)
        return "A variable has 0 to 8 dims";
    for (int i = 0; i < options->rank; i++)
        if (options->dims[i] < 0 || options->dims[i] > INT32_MAX)
            return "A variable's dims must be known and below 2^31";
    if (options->partitions > 1 && (!options->rank || options->partitions > options->dims[0]))
        return "A variable cannot be cut into more pieces than it has rows";
    if (options->initial.kind == WEIR_VALUES &&
        (!options->initial.values || options->partitions > 1))
        return "A variable that starts with given values needs them, and is one piece";
    for (size_t i = 0; i < trainer->variables.count; i++)
        if (strcmp(trainer->variables.at[i]->saved_as, options->name) == 0)
            return "There is a variable of that name already";
    return NULL;
}

/* As many as there are parameter servers, or as make each smaller than cut_bytes. */
static int count_pieces(const weir_trainer *trainer, const weir_variable_options *options)
{
    int64_t limit = trainer->options.cut_bytes, servers = trainer->placement.ps_count;
    variable whole = describe(options);
    int64_t bytes = weir_trainer_bytes_of(&whole);
    if (options->partitions || limit <= 0 || bytes <= limit || !options->rank ||
        options->initial.kind == WEIR_VALUES)
        return options->partitions;
    int64_t rows = options->dims[0], most = servers < rows ? servers : rows;
    int64_t count = bytes / limit + (bytes % limit > 0);
    return (int)(count < most ? count : most);
}

TF_Output weir_trainer_variable(weir_trainer *trainer, const weir_variable_options *options)
{
    const char *what = wrong(trainer, options);
    if (what)
        weir_build_fail(trainer->b, TF_INVALID_ARGUMENT, what);
    if (weir_trainer_failed(trainer))
        return (TF_Output){0};
    int pieces = count_pieces(trainer, options);
    if (pieces > 1)
        return add_pieces(trainer, options, pieces);
    variable variable = describe(options);
    return weir_trainer_add_variable(trainer, &variable, NULL, &options->initial)->value;
}

variable *weir_trainer_find_variable(const weir_trainer *trainer, TF_Output value)
{
    for (size_t i = 0; i < trainer->variables.count; i++)
        if (value.oper && trainer->variables.at[i]->value.oper == value.oper)
            return trainer->variables.at[i];
    return NULL;
}

TF_Output weir_trainer_global_step(weir_trainer *trainer)
{
    if (!trainer->global_step)
        trainer->global_step =
            weir_trainer_add_variable(trainer, &(variable){.name = "global_step", .type = TF_INT64},
                                      NULL, &(weir_initial){0});
    return trainer->global_step->value;
}
