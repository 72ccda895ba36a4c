/* capi/shape_context.c - TF_ShapeInferenceContext: the shape functions of library ops. */
#include "capi/kernel_impl.h"
#include "ops/common/infer_util.h"

struct TF_ShapeHandle {
    weir_shape shape;
};

struct TF_DimensionHandle {
    int64_t size; /* -1: unknown */
};

struct TF_ShapeInferenceContext {
    weir_infer *infer;
};

/* Libraries' kernels allocate their outputs themselves, and check their inputs; their shape
 * functions run only at graph construction, as in TensorFlow. */
weir_status weir_library_infer(weir_infer *infer)
{
    const weir_library_op *made = (const weir_library_op *)infer->site->op;
    if (!made->shape || weir_infer_running(infer))
        return WEIR_OK;
    TF_ShapeInferenceContext context = {infer};
    TF_Status *said = TF_NewStatus();
    made->shape(&context, said);
    weir_status status = weir_capi_status(said);
    TF_DeleteStatus(said);
    return status;
}

/* ---- handles --------------------------------------------------------------------------------- */

static TF_ShapeHandle *new_shape(weir_shape shape)
{
    TF_ShapeHandle *handle = WEIR_NEW(TF_ShapeHandle);
    handle->shape = shape;
    return handle;
}

TF_ShapeHandle *TF_NewShapeHandle(void)
{
    return new_shape(WEIR_UNKNOWN_SHAPE);
}

void TF_DeleteShapeHandle(TF_ShapeHandle *handle)
{
    weir_free(handle);
}

TF_DimensionHandle *TF_NewDimensionHandle(void)
{
    TF_DimensionHandle *handle = WEIR_NEW(TF_DimensionHandle);
    handle->size = -1;
    return handle;
}

void TF_DeleteDimensionHandle(TF_DimensionHandle *handle)
{
    weir_free(handle);
}

int TF_DimensionHandleValueKnown(TF_DimensionHandle *dim_handle)
{
    return dim_handle->size >= 0;
}

int64_t TF_DimensionHandleValue(TF_DimensionHandle *dim_handle)
{
    return dim_handle->size;
}

TF_ShapeHandle *TF_ShapeInferenceContextScalar(TF_ShapeInferenceContext *ctx)
{
    return new_shape(WEIR_SCALAR);
}

TF_ShapeHandle *TF_ShapeInferenceContextVectorFromSize(TF_ShapeInferenceContext *ctx, size_t size)
{
    return new_shape(weir_shape_vector((int64_t)size));
}

/* ---- inputs and outputs ---------------------------------------------------------------------- */

int64_t TF_ShapeInferenceContextNumInputs(TF_ShapeInferenceContext *ctx)
{
    return ctx->infer->in_count;
}

void TF_ShapeInferenceContextGetInput(TF_ShapeInferenceContext *ctx, int i, TF_ShapeHandle *handle,
                                      TF_Status *status)
{
    if (i < 0 || i >= ctx->infer->in_count) {
        weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT, "input index out of range"));
        return;
    }
    handle->shape = *ctx->infer->in[i];
    weir_capi_end(status, WEIR_OK);
}

void TF_ShapeInferenceContextSetOutput(TF_ShapeInferenceContext *ctx, int i, TF_ShapeHandle *handle,
                                       TF_Status *status)
{
    if (i < 0 || i >= ctx->infer->out_count) {
        weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT, "output index out of range"));
        return;
    }
    ctx->infer->out[i] = handle->shape;
    weir_capi_end(status, WEIR_OK);
}

void TF_ShapeInferenceContextSetUnknownShape(TF_ShapeInferenceContext *ctx, TF_Status *status)
{
    for (int i = 0; i < ctx->infer->out_count; i++)
        ctx->infer->out[i] = WEIR_UNKNOWN_SHAPE;
    weir_capi_end(status, WEIR_OK);
}

static weir_status attr_type(const weir_site *site, const char *name, TF_DataType *out_type)
{
    int i = weir_opdef_attr(site->def, name);
    if (i < 0)
        return weir_error(WEIR_NOT_FOUND, "No attr named '%s' in NodeDef:\n\t [[{{node %s}}]]",
                          name, site->name);
    if (site->attrs[i].kind != WEIR_ATTR_TYPE || site->attrs[i].is_list)
        return weir_error(WEIR_INVALID_ARGUMENT, "Attr '%s' is not a type", name);
    *out_type = (TF_DataType)site->attrs[i].type;
    return WEIR_OK;
}

void TF_ShapeInferenceContext_GetAttrType(TF_ShapeInferenceContext *ctx, const char *attr_name,
                                          TF_DataType *val, TF_Status *status)
{
    weir_capi_end(status, attr_type(ctx->infer->site, attr_name, val));
}

/* ---- shapes ---------------------------------------------------------------------------------- */

int64_t TF_ShapeInferenceContextRank(TF_ShapeInferenceContext *ctx, TF_ShapeHandle *handle)
{
    return handle->shape.rank;
}

int TF_ShapeInferenceContextRankKnown(TF_ShapeInferenceContext *ctx, TF_ShapeHandle *handle)
{
    return handle->shape.rank >= 0;
}

/* |handle| as a shape of |rank| dims, unknown ones if it was unknown. */
static weir_status with_rank(const weir_shape *shape, int64_t rank, weir_shape *out_shape)
{
    if (shape->rank >= 0 && shape->rank != rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be rank %lld but is rank %d",
                          (long long)rank, shape->rank);
    if (rank < 0 || rank > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "there are no shapes of rank %lld",
                          (long long)rank);
    weir_shape result = *shape;
    for (int i = 0; shape->rank < 0 && i < rank; i++)
        result.dims[i] = -1;
    result.rank = (int32_t)rank;
    *out_shape = result;
    return WEIR_OK;
}

void TF_ShapeInferenceContextWithRank(TF_ShapeInferenceContext *ctx, TF_ShapeHandle *handle,
                                      int64_t rank, TF_ShapeHandle *result, TF_Status *status)
{
    weir_capi_end(status, with_rank(&handle->shape, rank, &result->shape));
}

static void with_bound(TF_ShapeHandle *handle, bool good, const char *bound, int64_t rank,
                       TF_ShapeHandle *result, TF_Status *status)
{
    if (handle->shape.rank >= 0 && !good) {
        weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT,
                                         "Shape must be at %s rank %lld but is rank %d", bound,
                                         (long long)rank, handle->shape.rank));
        return;
    }
    result->shape = handle->shape;
    weir_capi_end(status, WEIR_OK);
}

void TF_ShapeInferenceContextWithRankAtLeast(TF_ShapeInferenceContext *ctx, TF_ShapeHandle *handle,
                                             int64_t rank, TF_ShapeHandle *result,
                                             TF_Status *status)
{
    with_bound(handle, handle->shape.rank >= rank, "least", rank, result, status);
}

void TF_ShapeInferenceContextWithRankAtMost(TF_ShapeInferenceContext *ctx, TF_ShapeHandle *handle,
                                            int64_t rank, TF_ShapeHandle *result, TF_Status *status)
{
    with_bound(handle, handle->shape.rank <= rank, "most", rank, result, status);
}

void TF_ShapeInferenceContextDim(TF_ShapeInferenceContext *ctx, TF_ShapeHandle *shape_handle,
                                 int64_t i, TF_DimensionHandle *result)
{
    const weir_shape *shape = &shape_handle->shape;
    int64_t at = i < 0 ? i + shape->rank : i;
    result->size = shape->rank < 0 || at < 0 || at >= shape->rank ? -1 : shape->dims[at];
}

static weir_status cut_shape(const weir_shape *shape, int64_t start, int64_t end,
                             weir_shape *out_shape)
{
    if (shape->rank < 0) {
        *out_shape = WEIR_UNKNOWN_SHAPE;
        return WEIR_OK;
    }
    int64_t rank = shape->rank;
    int64_t from = start > rank ? rank : start < 0 ? start + rank : start;
    int64_t to = end > rank ? rank : end < 0 ? end + rank : end;
    if (from < 0 || to < from)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Subshape must have computed start <= end, but is %lld and %lld (computed "
            "from start %lld and end %lld over shape with rank %d)",
            (long long)from, (long long)to, (long long)start, (long long)end, shape->rank);
    *out_shape = weir_infer_sub(shape, (int)from, (int)to);
    return WEIR_OK;
}

void TF_ShapeInferenceContextSubshape(TF_ShapeInferenceContext *ctx, TF_ShapeHandle *shape_handle,
                                      int64_t start, int64_t end, TF_ShapeHandle *result,
                                      TF_Status *status)
{
    weir_capi_end(status, cut_shape(&shape_handle->shape, start, end, &result->shape));
}

void TF_ShapeInferenceContextConcatenateShapes(TF_ShapeInferenceContext *ctx, TF_ShapeHandle *first,
                                               TF_ShapeHandle *second, TF_ShapeHandle *result,
                                               TF_Status *status)
{
    weir_shape joined;
    if (weir_capi_end(status, weir_infer_concat(&first->shape, &second->shape, &joined)))
        result->shape = joined;
}
