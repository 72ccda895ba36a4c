/* ops/xla/parts.c - XlaSplitND, XlaConcatND and their forms on variables, TPUPartitionedInput,
 * TPUPartitionedOutput and their V2: splits tensors into a grid of equal parts, and concatenates
 * these.
 *
 * Parts are numbered in row-major order. If a dimension is not divisible, the last parts are padded
 * with zeros, which concatenation removes.
 */
#include <inttypes.h>

#include "ops/common/catalogue.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/common/inner.h"
#include "ops/declare.h"

/* Number of parts along each dimension. */
typedef struct grid {
    int rank;
    int64_t parts[WEIR_MAX_RANK], padding[WEIR_MAX_RANK];
} grid;

static const weir_attr *attr(const weir_site *site, const char *name)
{
    int at = weir_opdef_attr(site->def, name);
    return at < 0 ? NULL : &site->attrs[at];
}

/* For ops with a single dimension: -1 means copies, not parts. */
static weir_status one_dim(const weir_site *site, int64_t dim, int count, int rank, grid *out)
{
    if (dim < 0 || dim >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s: partition_dim %" PRId64 " is out of range for rank %d",
                          site->op->name, dim, rank);
    for (int i = 0; i < rank; i++)
        out->parts[i] = i == dim ? count : 1;
    return WEIR_OK;
}

static weir_status by_lists(const weir_site *site, const weir_attr *parts, int rank, grid *out)
{
    const weir_attr *padding = attr(site, "paddings");
    if (parts->count != rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s: %d numbers of parts are given for a tensor of rank %d",
                          site->op->name, parts->count, rank);
    if (padding && padding->count && padding->count != rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: paddings must have %d elements, not %d",
                          site->op->name, rank, padding->count);
    for (int i = 0; i < rank; i++) {
        out->parts[i] = parts->is[i];
        out->padding[i] = padding && padding->count ? padding->is[i] : 0;
    }
    return WEIR_OK;
}

static weir_status check_grid(const weir_site *site, int count, const grid *grid)
{
    int64_t total = 1;
    for (int i = 0; i < grid->rank; i++) {
        if (grid->parts[i] < 1 || grid->padding[i] < 0 || grid->padding[i] > INT32_MAX ||
            __builtin_mul_overflow(total, grid->parts[i], &total))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s: dimension %d has %" PRId64 " parts and a padding of %" PRId64,
                              site->op->name, i, grid->parts[i], grid->padding[i]);
    }
    if (total != count)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: %" PRId64 " parts do not match %d tensors",
                          site->op->name, total, count);
    return WEIR_OK;
}

static weir_status read_grid(const weir_site *site, int count, int rank, grid *out)
{
    static const char *const names[] = {"num_splits", "num_concats", "partition_dims"};
    *out = (grid){.rank = rank};
    const weir_attr *dim = attr(site, "partition_dim"), *parts = NULL;
    for (int i = 0; i < 3; i++)
        if (attr(site, names[i]) && attr(site, names[i])->is_list)
            parts = attr(site, names[i]);
    if (dim)
        WEIR_TRY(one_dim(site, dim->i, count, rank, out));
    else if (parts)
        WEIR_TRY(by_lists(site, parts, rank, out));
    return check_grid(site, count, out);
}

/* True when every part is a copy of the whole: a dimension of -1, or no dimensions. */
static bool copies(const weir_site *site)
{
    const weir_attr *dim = attr(site, "partition_dim"), *dims = attr(site, "partition_dims");
    return (dim && dim->i == -1) || (dims && dims->count == 0);
}

static weir_status part_shape(const weir_shape *whole, const grid *grid, weir_shape *out)
{
    *out = *whole;
    for (int i = 0; i < whole->rank; i++)
        if (whole->dims[i] >= 0) {
            int64_t padded;
            WEIR_TRY(weir_dim_add(whole->dims[i], grid->padding[i], &padded));
            if (padded % grid->parts[i])
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "dimension %d of size %" PRId64 " with a padding of %" PRId64
                                  " does not divide into %" PRId64 " parts",
                                  i, whole->dims[i], grid->padding[i], grid->parts[i]);
            out->dims[i] = padded / grid->parts[i];
        }
    return weir_shape_check(out);
}

static weir_status whole_shape(const weir_shape *part, const grid *grid, weir_shape *out)
{
    *out = *part;
    for (int i = 0; i < part->rank; i++)
        if (part->dims[i] >= 0) {
            WEIR_TRY(weir_dim_mul(part->dims[i], grid->parts[i], &out->dims[i]));
            out->dims[i] -= grid->padding[i];
            if (out->dims[i] < 0)
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "the padding of dimension %d, %" PRId64 ", is more than there is",
                                  i, grid->padding[i]);
        }
    return weir_shape_check(out);
}

/* The position of a part in the whole, and which of the two is written. */
typedef struct overlap {
    weir_tensor *whole, *part;
    int64_t first[WEIR_MAX_RANK];
    bool to_part;
} overlap;

/* Copies the part of |whole| that |part| covers, from |axis| on. */
static void copy_overlap(const overlap *overlap, int axis, int64_t whole_at, int64_t part_at)
{
    const weir_shape *whole = &overlap->whole->shape, *part = &overlap->part->shape;
    if (axis == whole->rank) {
        const weir_tensor *from = overlap->to_part ? overlap->whole : overlap->part;
        weir_tensor *to = overlap->to_part ? overlap->part : overlap->whole;
        weir_elements_copy(to->dtype, weir_at(to, overlap->to_part ? part_at : whole_at),
                           weir_at(from, overlap->to_part ? whole_at : part_at), 1);
        return;
    }
    for (int64_t i = 0; i < part->dims[axis] && overlap->first[axis] + i < whole->dims[axis]; i++)
        copy_overlap(overlap, axis + 1, whole_at * whole->dims[axis] + overlap->first[axis] + i,
                     part_at * part->dims[axis] + i);
}

static void copy_part(weir_tensor *whole, weir_tensor *part, const grid *grid, int number,
                      bool to_part)
{
    overlap overlap = {whole, part, .to_part = to_part};
    int64_t rest = number;
    for (int i = grid->rank - 1; i >= 0; i--) {
        overlap.first[i] = rest % grid->parts[i] * part->shape.dims[i];
        rest /= grid->parts[i];
    }
    copy_overlap(&overlap, 0, 0, 0);
}

/* ---- splitting ------------------------------------------------------------------------------- */

static weir_status split_infer(weir_infer *infer)
{
    grid grid;
    if (infer->in[0]->rank < 0)
        return WEIR_OK;
    if (!copies(infer->site))
        WEIR_TRY(read_grid(infer->site, infer->out_count, infer->in[0]->rank, &grid));
    for (int i = 0; i < infer->out_count; i++)
        if (copies(infer->site))
            infer->out[i] = *infer->in[0];
        else
            WEIR_TRY(part_shape(infer->in[0], &grid, &infer->out[i]));
    return WEIR_OK;
}

static weir_status split_whole(weir_call *call, const weir_tensor *whole)
{
    grid grid;
    weir_shape shape;
    WEIR_TRY(read_grid(call->site, call->site->out_count, whole->shape.rank, &grid));
    WEIR_TRY(part_shape(&whole->shape, &grid, &shape));
    for (int i = 0; i < call->site->out_count; i++) {
        WEIR_TRY(weir_call_alloc(call, i, &shape));
        weir_tensor_zero(&call->run->par, weir_out(call, i));
        copy_part((weir_tensor *)whole, weir_out(call, i), &grid, i, true);
    }
    return WEIR_OK;
}

static weir_status split(weir_call *call)
{
    if (!copies(call->site))
        return split_whole(call, weir_in(call, 0));
    for (int i = 0; i < call->site->out_count; i++)
        weir_call_forward(call, 0, i, NULL);
    return WEIR_OK;
}

/* ---- concatenating --------------------------------------------------------------------------- */

static weir_status concat_infer(weir_infer *infer)
{
    grid grid;
    weir_shape part = *infer->in[0];
    for (int i = 1; i < infer->in_count; i++)
        WEIR_TRY(weir_infer_merge(&part, infer->in[i], &part));
    if (part.rank < 0)
        return WEIR_OK;
    infer->out[0] = part;
    if (copies(infer->site))
        return WEIR_OK;
    WEIR_TRY(read_grid(infer->site, infer->in_count, part.rank, &grid));
    return whole_shape(&part, &grid, &infer->out[0]);
}

/* Concatenates the inputs from |from| on. */
static weir_status join(weir_call *call, int from, weir_tensor *out_whole)
{
    int count = call->site->in_count - from;
    const weir_tensor *first = weir_in(call, from);
    grid grid;
    weir_shape shape;
    for (int i = 1; i < count; i++)
        if (!weir_shape_eq(&first->shape, &weir_in(call, from + i)->shape))
            return weir_error(WEIR_INVALID_ARGUMENT, "parts 0 and %d have the shapes %s and %s", i,
                              WEIR_SHAPE_STR(&first->shape),
                              WEIR_SHAPE_STR(&weir_in(call, from + i)->shape));
    WEIR_TRY(read_grid(call->site, count, first->shape.rank, &grid));
    WEIR_TRY(whole_shape(&first->shape, &grid, &shape));
    WEIR_TRY(weir_tensor_alloc(first->dtype, &shape, out_whole));
    weir_tensor_zero(&call->run->par, out_whole);
    for (int i = 0; i < count; i++)
        copy_part(out_whole, &call->in[from + i].tensor, &grid, i, false);
    return WEIR_OK;
}

static weir_status concat(weir_call *call)
{
    weir_tensor whole;
    if (copies(call->site)) {
        weir_call_forward(call, 0, 0, NULL);
        return WEIR_OK;
    }
    WEIR_TRY(join(call, 0, &whole));
    weir_call_set(call, 0, whole);
    return WEIR_OK;
}

/* ---- variables ------------------------------------------------------------------------------- */

static weir_status read_split(weir_call *call)
{
    const weir_named_attr attrs[] = {weir_a_type("dtype", weir_site_type(call->site, 0))};
    weir_tensor whole;
    WEIR_TRY(weir_inner_compute(call, &weir_op_read_variable_op, attrs, 1,
                                (const weir_tensor *[]){weir_in(call, 0)}, &whole));
    weir_status status = split_whole(call, &whole);
    weir_tensor_release(&whole);
    return status;
}

static weir_status assign_joined(weir_call *call)
{
    const weir_named_attr attrs[] = {weir_a_type("dtype", weir_site_type(call->site, 0))};
    weir_tensor whole;
    WEIR_TRY(join(call, 1, &whole));
    weir_status status =
        weir_inner_compute(call, &weir_op_assign_variable_op, attrs, 1,
                           (const weir_tensor *[]){weir_in(call, 0), &whole}, NULL);
    weir_tensor_release(&whole);
    return status;
}

#define FLAGS WEIR_OWN_OUTPUTS
#define SPLITS .infer = split_infer, .kernels = {{WEIR_CPU, "*", split, FLAGS}}
#define CONCATS .infer = concat_infer, .kernels = {{WEIR_CPU, "*", concat, FLAGS}}
#define LISTS(name) "T: type; N: int >= 1; " name ": list(int); paddings: list(int) = []"
WEIR_DEFINE_OP(xla_split_nd, "XlaSplitND", SPLITS, .in = "input: T", .out = "outputs: N * T",
               .attrs = LISTS("num_splits"));
WEIR_DEFINE_OP(xla_concat_nd, "XlaConcatND", CONCATS, .in = "inputs: N * T", .out = "output: T",
               .attrs = LISTS("num_concats"));
WEIR_DEFINE_OP(read_variable_xla_split_nd, "ReadVariableXlaSplitND", .in = "resource: resource",
               .out = "outputs: N * T", .attrs = LISTS("num_splits"), .flags = WEIR_STATEFUL,
               .kernels = {{WEIR_CPU, "*", read_split, FLAGS}});
WEIR_DEFINE_OP(assign_variable_xla_concat_nd, "AssignVariableXlaConcatND",
               .in = "resource: resource; inputs: N * T", .attrs = LISTS("num_concats"),
               .flags = WEIR_STATEFUL, .infer = weir_infer_no_outputs,
               .kernels = {{WEIR_CPU, "*", assign_joined, FLAGS}});
WEIR_DEFINE_OP(tpu_partitioned_input, "TPUPartitionedInput", CONCATS, .in = "inputs: N * T",
               .out = "output: T", .attrs = "N: int >= 1; T: type; partition_dim: int = 0");
WEIR_DEFINE_OP(tpu_partitioned_input_v2, "TPUPartitionedInputV2", CONCATS, .in = "inputs: N * T",
               .out = "output: T",
               .attrs = "N: int >= 1; T: type; partition_dims: list(int); "
                        "is_packed: bool = false");
WEIR_DEFINE_OP(tpu_partitioned_output, "TPUPartitionedOutput", SPLITS, .in = "inputs: T",
               .out = "output: num_splits * T",
               .attrs = "T: type; num_splits: int >= 1; partition_dim: int = 0");
WEIR_DEFINE_OP(tpu_partitioned_output_v2, "TPUPartitionedOutputV2", SPLITS, .in = "inputs: T",
               .out = "output: num_splits * T",
               .attrs = "T: type; num_splits: int >= 1; partition_dims: list(int)");
