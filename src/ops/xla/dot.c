/* ops/xla/dot.c - XlaDot, XlaDotV2, XlaConv, XlaConvV2: products over named dimensions.
 *
 * Every type is widened to complex double and rounded at the end.
 */
#include <stdlib.h>

#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/linalg/matrix.h"
#include "ops/xla/numbers.h"

#define TYPES                                                                                      \
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "         \
    "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}"

/* Both operands and the result, widened. */
typedef struct operands {
    weir_tensor a, b;
    const weir_c128 *x, *y;
} operands;

static weir_status widen(const weir_tensor *tensor, weir_tensor *out)
{
    WEIR_TRY(weir_matrix_workspace(weir_tensor_count(tensor), out));
    weir_matrix_load(tensor, 0, weir_tensor_count(tensor), out->data);
    return WEIR_OK;
}

static void operands_fini(operands *operands)
{
    weir_tensor_release(&operands->a);
    weir_tensor_release(&operands->b);
}

static weir_status operands_init(const weir_call *call, operands *out)
{
    *out = (operands){0};
    weir_status status = widen(weir_in(call, 0), &out->a);
    if (!status)
        status = widen(weir_in(call, 1), &out->b);
    if (status)
        operands_fini(out);
    out->x = out->a.data;
    out->y = out->b.data;
    return status;
}

/* ---- dot ------------------------------------------------------------------------------------- */

static weir_status check_pairs(const weir_call *call, weir_int64s left, weir_int64s right)
{
    const weir_shape *x = &weir_in(call, 0)->shape, *y = &weir_in(call, 1)->shape;
    WEIR_TRY(weir_xla_check_dims(call->site, left, x->rank));
    WEIR_TRY(weir_xla_check_dims(call->site, right, y->rank));
    bool fine = left.count == right.count;
    for (size_t i = 0; fine && i < left.count; i++)
        fine = x->dims[left.at[i]] == y->dims[right.at[i]];
    return fine
               ? WEIR_OK
               : weir_error(WEIR_INVALID_ARGUMENT, "%s: the dimension numbers do not fit %s and %s",
                            call->site->op->name, WEIR_SHAPE_STR(x), WEIR_SHAPE_STR(y));
}

/* The dimensions in neither |a| nor |b|, in |at|. */
static weir_int64s rest(int rank, weir_int64s a, weir_int64s b, int64_t at[WEIR_MAX_RANK])
{
    size_t count = 0;
    for (int i = 0; i < rank; i++)
        if (!weir_dims_has(a, i) && !weir_dims_has(b, i))
            at[count++] = i;
    return (weir_int64s){at, count};
}

static weir_status append(const weir_shape *from, weir_int64s dims, weir_shape *out)
{
    for (size_t i = 0; i < dims.count; i++)
        WEIR_TRY(weir_infer_append(out, from->dims[dims.at[i]]));
    return WEIR_OK;
}

static void put_index(weir_int64s dims, const int64_t *from, int64_t *index)
{
    for (size_t i = 0; i < dims.count; i++)
        index[dims.at[i]] = from[i];
}

typedef struct dot_plan {
    weir_msg_dot_dimension_numbers numbers;
    weir_int64s left_rest, right_rest;
    int64_t left_at[WEIR_MAX_RANK], right_at[WEIR_MAX_RANK]; /* values of the two lists */
    weir_shape sum;                                          /* of the contracted dimensions */
} dot_plan;

static weir_c128 dot_one(const weir_call *call, const dot_plan *plan, const operands *operands,
                         const int64_t *out_index)
{
    const weir_shape *x = &weir_in(call, 0)->shape, *y = &weir_in(call, 1)->shape;
    int64_t left[WEIR_MAX_RANK], right[WEIR_MAX_RANK], inner[WEIR_MAX_RANK];
    weir_c128 sum = 0;
    const weir_msg_dot_dimension_numbers *numbers = &plan->numbers;
    const int64_t *rest_index = out_index + numbers->lhs_batch_dimensions.count;
    put_index(numbers->lhs_batch_dimensions, out_index, left);
    put_index(numbers->rhs_batch_dimensions, out_index, right);
    put_index(plan->left_rest, rest_index, left);
    put_index(plan->right_rest, rest_index + plan->left_rest.count, right);
    for (int64_t k = 0; k < weir_shape_count(&plan->sum); k++) {
        weir_xla_unravel(&plan->sum, k, inner);
        put_index(numbers->lhs_contracting_dimensions, inner, left);
        put_index(numbers->rhs_contracting_dimensions, inner, right);
        sum +=
            weir_cmul(operands->x[weir_xla_ravel(x, left)], operands->y[weir_xla_ravel(y, right)]);
    }
    return sum;
}

static weir_status plan_dot(const weir_call *call, weir_arena *arena, dot_plan *plan,
                            weir_shape *out_shape)
{
    const weir_shape *x = &weir_in(call, 0)->shape, *y = &weir_in(call, 1)->shape;
    WEIR_TRY(weir_xla_numbers(call->site, &weir_message_types[WEIR_INDEX_dot_dimension_numbers],
                              arena, &plan->numbers));
    weir_int64s left_sum = plan->numbers.lhs_contracting_dimensions;
    weir_int64s right_sum = plan->numbers.rhs_contracting_dimensions;
    weir_int64s left_batch = plan->numbers.lhs_batch_dimensions;
    weir_int64s right_batch = plan->numbers.rhs_batch_dimensions;
    WEIR_TRY(check_pairs(call, left_sum, right_sum));
    WEIR_TRY(check_pairs(call, left_batch, right_batch));
    plan->left_rest = rest(x->rank, left_sum, left_batch, plan->left_at);
    plan->right_rest = rest(y->rank, right_sum, right_batch, plan->right_at);
    *out_shape = plan->sum = WEIR_SCALAR;
    WEIR_TRY(append(x, left_sum, &plan->sum));
    WEIR_TRY(append(x, left_batch, out_shape));
    WEIR_TRY(append(x, plan->left_rest, out_shape));
    return append(y, plan->right_rest, out_shape);
}

static weir_status dot(weir_call *call)
{
    WEIR_MESSAGE_ARENA(arena);
    dot_plan plan;
    weir_shape shape;
    operands operands;
    int64_t index[WEIR_MAX_RANK];
    WEIR_TRY(plan_dot(call, &arena, &plan, &shape));
    WEIR_TRY(weir_xla_alloc(call, 0, &shape));
    WEIR_TRY(operands_init(call, &operands));
    for (int64_t at = 0; at < weir_shape_count(&shape); at++) {
        weir_xla_unravel(&shape, at, index);
        weir_c128 sum = dot_one(call, &plan, &operands, index);
        weir_matrix_store(weir_out(call, 0), at, 1, &sum);
    }
    operands_fini(&operands);
    return WEIR_OK;
}

/* ---- convolution ----------------------------------------------------------------------------- */

typedef struct conv_plan {
    weir_msg_convolution_dimension_numbers numbers;
    int spatial;
    int64_t strides[WEIR_MAX_RANK], low[WEIR_MAX_RANK], high[WEIR_MAX_RANK];
    int64_t left[WEIR_MAX_RANK], right[WEIR_MAX_RANK]; /* dilations */
    int64_t groups, batch_groups;
} conv_plan;

static weir_status bad_conv(const weir_call *call)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "%s: the numbers and sizes do not fit %s and %s",
                      call->site->op->name, WEIR_SHAPE_STR(&weir_in(call, 0)->shape),
                      WEIR_SHAPE_STR(&weir_in(call, 1)->shape));
}

/* Checks that the dimensions of one of the three tensors are listed exactly once. */
static weir_status check_layout(const weir_call *call, int64_t a, int64_t b, weir_int64s spatial,
                                int rank)
{
    int64_t all[WEIR_MAX_RANK] = {a, b};
    if (rank < 2 || rank > WEIR_MAX_RANK || spatial.count != (size_t)rank - 2)
        return bad_conv(call);
    for (size_t i = 0; i < spatial.count; i++)
        all[i + 2] = spatial.at[i];
    return weir_xla_check_dims(call->site, (weir_int64s){all, (size_t)rank}, rank);
}

static weir_status read_window(const weir_call *call, conv_plan *plan)
{
    int64_t padding[2 * WEIR_MAX_RANK];
    int attr = weir_opdef_attr(call->site->def, "batch_group_count");
    plan->batch_groups = attr < 0 ? 1 : weir_site_int(call->site, attr);
    WEIR_TRY(weir_xla_ints(call, 2, plan->spatial, plan->strides));
    WEIR_TRY(weir_xla_ints(call, 3, 2 * plan->spatial, padding));
    WEIR_TRY(weir_xla_ints(call, 4, plan->spatial, plan->left));
    WEIR_TRY(weir_xla_ints(call, 5, plan->spatial, plan->right));
    WEIR_TRY(weir_xla_ints(call, 6, 1, &plan->groups));
    for (int i = 0; i < plan->spatial; i++) {
        plan->low[i] = padding[2 * i];
        plan->high[i] = padding[2 * i + 1];
        if (plan->strides[i] < 1 || plan->left[i] < 1 || plan->right[i] < 1 ||
            plan->strides[i] > INT32_MAX || plan->left[i] > INT32_MAX ||
            plan->right[i] > INT32_MAX || llabs(plan->low[i]) > INT32_MAX ||
            llabs(plan->high[i]) > INT32_MAX)
            return bad_conv(call);
    }
    return plan->groups < 1 || plan->batch_groups < 1 ? bad_conv(call) : WEIR_OK;
}

static weir_status conv_shape(const weir_call *call, const conv_plan *plan, weir_shape *out)
{
    const weir_shape *x = &weir_in(call, 0)->shape, *k = &weir_in(call, 1)->shape;
    const weir_msg_convolution_dimension_numbers *numbers = &plan->numbers;
    int64_t features = k->dims[numbers->kernel_output_feature_dimension];
    int64_t batch = x->dims[numbers->input_batch_dimension];
    if (x->dims[numbers->input_feature_dimension] !=
            k->dims[numbers->kernel_input_feature_dimension] * plan->groups ||
        features % plan->groups || features % plan->batch_groups || batch % plan->batch_groups)
        return bad_conv(call);
    out->rank = x->rank;
    out->dims[numbers->output_batch_dimension] = batch / plan->batch_groups;
    out->dims[numbers->output_feature_dimension] = features;
    for (int i = 0; i < plan->spatial; i++) {
        int64_t size = x->dims[numbers->input_spatial_dimensions.at[i]];
        int64_t taps = k->dims[numbers->kernel_spatial_dimensions.at[i]];
        if (size > INT32_MAX || taps > INT32_MAX)
            return bad_conv(call);
        int64_t padded = (size ? (size - 1) * plan->left[i] + 1 : 0) + plan->low[i] + plan->high[i];
        int64_t window = taps ? (taps - 1) * plan->right[i] + 1 : 0;
        out->dims[numbers->output_spatial_dimensions.at[i]] =
            padded < window ? 0 : (padded - window) / plan->strides[i] + 1;
    }
    return WEIR_OK;
}

/* The input element read by a tap at |index| along one dimension; -1: padding or a gap. */
static int64_t source(const conv_plan *plan, int i, int64_t out_index, int64_t tap, int64_t size)
{
    int64_t at = out_index * plan->strides[i] + tap * plan->right[i] - plan->low[i];
    return at < 0 || at % plan->left[i] || at / plan->left[i] >= size ? -1 : at / plan->left[i];
}

static bool find_source(const weir_call *call, const conv_plan *plan, const int64_t *out_index,
                        const int64_t *tap, int64_t *in_index)
{
    const weir_shape *x = &weir_in(call, 0)->shape;
    for (int i = 0; i < plan->spatial; i++) {
        int64_t dim = plan->numbers.input_spatial_dimensions.at[i];
        in_index[dim] = source(plan, i, out_index[plan->numbers.output_spatial_dimensions.at[i]],
                               tap[plan->numbers.kernel_spatial_dimensions.at[i]], x->dims[dim]);
        if (in_index[dim] < 0)
            return false;
    }
    return true;
}

static weir_c128 conv_one(const weir_call *call, const conv_plan *plan, const operands *operands,
                          const weir_shape *shape, const int64_t *out_index)
{
    const weir_shape *x = &weir_in(call, 0)->shape, *k = &weir_in(call, 1)->shape;
    const weir_msg_convolution_dimension_numbers *numbers = &plan->numbers;
    int64_t features = shape->dims[numbers->output_feature_dimension];
    int64_t feature = out_index[numbers->output_feature_dimension];
    int64_t group = feature / (features / plan->groups);
    int64_t batch_group = feature / (features / plan->batch_groups);
    int64_t inputs = k->dims[numbers->kernel_input_feature_dimension];
    int64_t tap[WEIR_MAX_RANK], in[WEIR_MAX_RANK];
    weir_shape taps = *k;
    weir_c128 sum = 0;
    taps.dims[numbers->kernel_output_feature_dimension] = 1;
    in[numbers->input_batch_dimension] =
        batch_group * shape->dims[numbers->output_batch_dimension] +
        out_index[numbers->output_batch_dimension];
    for (int64_t t = 0; t < weir_shape_count(&taps); t++) {
        weir_xla_unravel(&taps, t, tap);
        if (!find_source(call, plan, out_index, tap, in))
            continue;
        in[numbers->input_feature_dimension] =
            group * inputs + tap[numbers->kernel_input_feature_dimension];
        tap[numbers->kernel_output_feature_dimension] = feature;
        sum += weir_cmul(operands->x[weir_xla_ravel(x, in)], operands->y[weir_xla_ravel(k, tap)]);
    }
    return sum;
}

static weir_status plan_conv(const weir_call *call, weir_arena *arena, conv_plan *plan,
                             weir_shape *out_shape)
{
    int rank = weir_in(call, 0)->shape.rank;
    WEIR_TRY(weir_xla_numbers(call->site,
                              &weir_message_types[WEIR_INDEX_convolution_dimension_numbers], arena,
                              &plan->numbers));
    const weir_msg_convolution_dimension_numbers *numbers = &plan->numbers;
    plan->spatial = rank - 2;
    if (weir_in(call, 1)->shape.rank != rank)
        return bad_conv(call);
    WEIR_TRY(check_layout(call, numbers->input_batch_dimension, numbers->input_feature_dimension,
                          numbers->input_spatial_dimensions, rank));
    WEIR_TRY(check_layout(call, numbers->output_batch_dimension, numbers->output_feature_dimension,
                          numbers->output_spatial_dimensions, rank));
    WEIR_TRY(check_layout(call, numbers->kernel_input_feature_dimension,
                          numbers->kernel_output_feature_dimension,
                          numbers->kernel_spatial_dimensions, rank));
    WEIR_TRY(read_window(call, plan));
    return conv_shape(call, plan, out_shape);
}

static weir_status conv(weir_call *call)
{
    WEIR_MESSAGE_ARENA(arena);
    conv_plan plan;
    weir_shape shape;
    operands operands;
    int64_t index[WEIR_MAX_RANK];
    WEIR_TRY(plan_conv(call, &arena, &plan, &shape));
    WEIR_TRY(weir_xla_alloc(call, 0, &shape));
    WEIR_TRY(operands_init(call, &operands));
    for (int64_t at = 0; at < weir_shape_count(&shape); at++) {
        weir_xla_unravel(&shape, at, index);
        weir_c128 sum = conv_one(call, &plan, &operands, &shape, index);
        weir_matrix_store(weir_out(call, 0), at, 1, &sum);
    }
    operands_fini(&operands);
    return WEIR_OK;
}

#define PRODUCT(kernel) .kernels = {{WEIR_CPU, "*", kernel, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}}
#define NUMBERS "dimension_numbers: string; precision_config: string"
#define TWO_TYPES "LhsT: " TYPES "; RhsT: " TYPES "; "
#define PREFERRED "; preferred_element_type: " TYPES
#define WINDOW                                                                                     \
    "; window_strides: Tindices; padding: Tindices; lhs_dilation: Tindices; "                      \
    "rhs_dilation: Tindices; feature_group_count: Tindices"
WEIR_DEFINE_OP(xla_dot, "XlaDot", PRODUCT(dot), .in = "lhs: T; rhs: T", .out = "output: T",
               .attrs = "T: " TYPES "; " NUMBERS);
WEIR_DEFINE_OP(xla_dot_v2, "XlaDotV2", PRODUCT(dot), .in = "lhs: LhsT; rhs: RhsT",
               .out = "output: preferred_element_type", .attrs = TWO_TYPES NUMBERS PREFERRED);
WEIR_DEFINE_OP(xla_conv, "XlaConv", PRODUCT(conv), .in = "lhs: T; rhs: T" WINDOW,
               .out = "output: T", .attrs = "T: " TYPES "; Tindices: {int32, int64}; " NUMBERS);
WEIR_DEFINE_OP(xla_conv_v2, "XlaConvV2", PRODUCT(conv), .in = "lhs: LhsT; rhs: RhsT" WINDOW,
               .out = "output: preferred_element_type",
               .attrs = TWO_TYPES "Tindices: {int32, int64}; " NUMBERS PREFERRED
                                  "; batch_group_count: int = 1");
