/* train/allreduce.c - synchronous updates by all-reduce, without parameter servers.
 *
 * Every worker has local copies of all variables. A step computes its gradients, averages them over
 * all workers by collective ops, and applies the mean: the copies stay equal. A gradient is reduced
 * as soon as it is available, overlapping with the computation of the others. Small ones are packed
 * into one vector, whose first element is the vote to end: a worker that was asked to stop votes in
 * its next step, and all end after the same step. At the start the chief broadcasts its variables.
 *
 * A lost worker fails the step of all others, and so their training: with checkpoints it continues
 * after all of them are restarted.
 */
#include "base/fingerprint.h"
#include "base/str.h"
#include "dist/wire_choice.h"
#include "train/train_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/collective.h"
#include "weir/ops/math.h"

enum {
    PACKED_BYTES = 64 << 10, /* gradients up to this size are packed together */
};

/* The common parameters of a trainer's collective ops. */
typedef struct group {
    weir_trainer *t;
    int members;
    int32_t key;
    int32_t instances; /* number of instances so far */
} group;

/* Trainings of other models on the same servers use other groups. */
static int32_t group_key(const weir_trainer *trainer)
{
    WEIR_BUF(text);
    for (size_t i = 0; i < trainer->variables.count; i++) {
        const variable *variable = trainer->variables.at[i];
        weir_buf_addf(&text, "%s %d", variable->name, (int)variable->type);
        for (int k = 0; k < variable->rank; k++)
            weir_buf_addf(&text, " %lld", (long long)variable->dims[k]);
        weir_buf_addc(&text, '\n');
    }
    return (int32_t)(weir_fingerprint64(weir_view(&text)) & INT32_MAX);
}

static int64_t elements_of(const variable *variable)
{
    int64_t count = 1;
    for (int i = 0; i < variable->rank; i++)
        count *= variable->dims[i];
    return count;
}

static int64_t bytes_of(const variable *variable)
{
    return elements_of(variable) * (int64_t)TF_DataTypeSize(variable->type);
}

/* ---- means ------------------------------------------------------------------------------------
 */

static TF_Output reduce_as_is(group *group, TF_Output value)
{
    static const int64_t offset; /* let the op choose its rings */
    return weir_collective_reduce(group->t->b, "mean", value, group->members, group->key,
                                  ++group->instances, "Add", "Div", &offset, 1, NULL);
}

/* The type in which float32 is transferred. */
static TF_DataType wire_type(void)
{
    const char *name = weir_wire_type_name();
    return strcmp(name, "bfloat16") == 0  ? TF_BFLOAT16
           : strcmp(name, "float16") == 0 ? TF_HALF
                                          : TF_FLOAT;
}

/* Sums as 16-bit floats, if these are transferred: every member gets the same result. */
static TF_Output reduce(group *group, TF_Output value)
{
    TF_DataType wire = wire_type();
    if (!value.oper || wire == TF_FLOAT || TF_OperationOutputType(value) != TF_FLOAT)
        return reduce_as_is(group, value);
    TF_Output narrow = weir_cast(group->t->b, "narrow", value, wire, NULL);
    return weir_cast(group->t->b, "wide", reduce_as_is(group, narrow), TF_FLOAT, NULL);
}

static TF_Output gather(group *group, TF_Output value, const weir_dims *dims)
{
    return weir_collective_gather(group->t->b, "all", value, group->members, group->key,
                                  ++group->instances, dims, NULL);
}

static bool has_known_shape(weir_trainer *trainer, TF_Output value, weir_dims *dims, int64_t *room)
{
    TF_Status *status = TF_NewStatus();
    dims->rank = TF_GraphGetTensorNumDims(trainer->graph, value, status);
    bool known = dims->rank > 0 && dims->rank <= LARGEST_RANK;
    if (known)
        TF_GraphGetTensorShape(trainer->graph, value, room, dims->rank, status);
    known = known && TF_GetCode(status) == TF_OK;
    for (int i = 0; known && i < dims->rank; i++)
        known = room[i] >= 0;
    dims->dims = room;
    TF_DeleteStatus(status);
    return known;
}

static TF_Output divided(group *group, TF_Output value, TF_DataType type)
{
    weir_builder *builder = group->t->b;
    TF_Output count = weir_cast(builder, "count",
                                weir_build_int32(builder, "members", group->members), type, NULL);
    return weir_real_div(builder, "mean", value, count);
}

/* Concatenates all workers' rows, equally many each; the optimiser sums repeated ones. */
static weir_gradient gather_rows(group *group, const weir_gradient *gradient, const weir_dims *rows,
                                 TF_DataType type)
{
    weir_dims indices = {1, rows->dims};
    return (weir_gradient){
        .values = divided(group, gather(group, gradient->values, rows), type),
        .indices = gather(group, gradient->indices, &indices),
        .shape = gradient->shape,
    };
}

static TF_Output whole(group *group, const weir_gradient *gradient, const variable *variable)
{
    weir_builder *builder = group->t->b;
    TF_Output rows = weir_build_int32(builder, "rows", (int32_t)variable->dims[0]);
    return weir_unsorted_segment_sum(builder, "whole", gradient->values, gradient->indices, rows);
}

static weir_gradient mean_of(group *group, const weir_gradient *gradient, const variable *variable)
{
    int64_t room[LARGEST_RANK];
    weir_dims rows;
    if (!gradient->indices.oper)
        return (weir_gradient){.values = reduce(group, gradient->values)};
    if (has_known_shape(group->t, gradient->values, &rows, room))
        return gather_rows(group, gradient, &rows, variable->type);
    return (weir_gradient){.values = reduce(group, whole(group, gradient, variable))};
}

/* ---- small gradients, and the vote ------------------------------------------------------------
 */

static bool is_packed(const updates *updates, int i)
{
    return !updates->gradients[i].indices.oper && updates->v[i]->type == TF_FLOAT &&
           bytes_of(updates->v[i]) <= PACKED_BYTES;
}

static TF_Output add_vote(weir_trainer *trainer)
{
    int64_t one = 1;
    const weir_dims dims = {1, &one};
    TF_Output no = weir_build_const(trainer->b, "no", TF_FLOAT, 1, &one, &(float){0});
    trainer->vote = weir_placeholder_with_default(trainer->b, "vote", no, &dims);
    return trainer->vote;
}

static TF_Output shaped(weir_builder *builder, TF_Output value, const variable *variable)
{
    int64_t rank = variable->rank;
    int32_t dims[LARGEST_RANK];
    for (int i = 0; i < variable->rank; i++)
        dims[i] = (int32_t)variable->dims[i];
    TF_Output shape = weir_build_const(builder, "shape", TF_INT32, 1, &rank, dims);
    return weir_build_op(builder, "Reshape", "gradient", WEIR_INPUTS(value, shape));
}

/* Packs all small gradients into a vector: returns the number of its parts, their sizes and, in
 * |out_parts|, the parts. */
static int flatten(group *group, const updates *updates, TF_Output *out_parts, int32_t *out_sizes)
{
    weir_builder *builder = group->t->b;
    int64_t one = 1;
    int count = 0;
    TF_Output flat = weir_build_const(builder, "flat", TF_INT32, 1, &one, &(int32_t){-1});
    out_parts[count] = add_vote(group->t);
    out_sizes[count++] = 1;
    for (int i = 0; i < updates->count; i++)
        if (is_packed(updates, i)) {
            out_parts[count] = weir_build_op(builder, "Reshape", "part",
                                             WEIR_INPUTS(updates->gradients[i].values, flat));
            out_sizes[count++] = (int32_t)elements_of(updates->v[i]);
        }
    return count;
}

static void reduce_packed(group *group, const updates *updates, weir_gradient *out_means)
{
    weir_trainer *trainer = group->t;
    weir_builder *builder = trainer->b;
    TF_Output *parts = WEIR_NEW_ARRAY(TF_Output, updates->count + 1);
    int32_t *sizes = WEIR_NEW_ARRAY(int32_t, updates->count + 1);
    int count = flatten(group, updates, parts, sizes);
    int64_t rank = count;
    TF_Output axis = weir_build_int32(builder, "axis", 0);
    TF_Output packed = count > 1 ? weir_concat_v2(builder, "packed", parts, count, axis) : parts[0];
    TF_Output mean = reduce(group, packed);
    TF_Output splits = weir_build_const(builder, "sizes", TF_INT32, 1, &rank, sizes);
    weir_outputs means = weir_split_v(builder, "means", mean, splits, axis, count);
    trainer->votes = weir_output_at(means, 0);
    for (int i = 0, at = 1; i < updates->count; i++)
        if (is_packed(updates, i))
            out_means[i] = (weir_gradient){
                .values = shaped(builder, weir_output_at(means, at++), updates->v[i])};
    weir_free(parts);
    weir_free(sizes);
}

/* ---- the start --------------------------------------------------------------------------------
 */

/* Broadcasts the chief's value of a variable. */
static TF_Operation *share(group *group, const variable *variable)
{
    weir_trainer *trainer = group->t;
    const weir_dims dims = {variable->rank, variable->dims};
    int32_t instance = ++group->instances;
    if (weir_trainer_is_chief(trainer))
        return weir_collective_bcast_send(trainer->b, "send", variable->value, group->members,
                                          group->key, instance, &dims, NULL)
            .oper;
    TF_Output value = weir_collective_bcast_recv(trainer->b, "recv", variable->type, group->members,
                                                 group->key, instance, &dims, NULL);
    return weir_trainer_assign(trainer, variable, "take", value).oper;
}

void weir_trainer_add_share(weir_trainer *trainer)
{
    group group = {trainer, weir_job_workers(trainer->options.job), trainer->group_key,
                   trainer->instances};
    TF_Operation **done = WEIR_NEW_ARRAY(TF_Operation *, trainer->variables.count);
    weir_build_push_scope(trainer->b, "share");
    for (size_t i = 0; i < trainer->variables.count; i++)
        done[i] = share(&group, trainer->variables.at[i]);
    trainer->share = weir_build_group(trainer->b, "all", done, (int)trainer->variables.count);
    weir_build_pop_scope(trainer->b);
    weir_free(done);
}

/* ---- a step -----------------------------------------------------------------------------------
 */

void weir_trainer_finish_allreduce(weir_trainer *trainer, const updates *updates)
{
    group group = {trainer, weir_job_workers(trainer->options.job), group_key(trainer), 0};
    weir_gradient *means = WEIR_NEW_ARRAY(weir_gradient, updates->count);
    weir_build_push_scope(trainer->b, "allreduce");
    reduce_packed(&group, updates, means);
    for (int i = 0; i < updates->count; i++)
        if (!is_packed(updates, i))
            means[i] = mean_of(&group, &updates->gradients[i], updates->v[i]);
    weir_build_pop_scope(trainer->b);
    trainer->group_key = group.key;
    trainer->instances = group.instances;
    struct updates by_means = *updates;
    by_means.gradients = means;
    if (!weir_trainer_failed(trainer))
        weir_trainer_finish_async(trainer, &by_means);
    weir_free(means);
}
