/* tensorflow/c/ops.h - new ops: their signatures and shape functions.
 *
 * A library describes an op with a builder and registers it, from a constructor that runs when the
 * library is loaded (TF_LoadLibrary), or from an exported function TF_InitKernel. Kernels of the op
 * are registered with tensorflow/c/kernels.h.
 */
#ifndef TENSORFLOW_C_OPS_H_
#define TENSORFLOW_C_OPS_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_DimensionHandle TF_DimensionHandle;
typedef struct TF_OpDefinitionBuilder TF_OpDefinitionBuilder;
typedef struct TF_ShapeHandle TF_ShapeHandle;
typedef struct TF_ShapeInferenceContext TF_ShapeInferenceContext;

/* ---- signatures ------------------------------------------------------------------------------ */

/* |op_name| begins with a capital letter. The builder ends by being registered or deleted. */
TF_CAPI_EXPORT extern TF_OpDefinitionBuilder *TF_NewOpDefinitionBuilder(const char *op_name);
/* Adds the op to those of the process and ends the builder, also on failure: ALREADY_EXISTS when
 * there is an op of that name, INVALID_ARGUMENT when a part of the signature makes no sense. */
TF_CAPI_EXPORT extern void TF_RegisterOpDefinition(TF_OpDefinitionBuilder *builder,
                                                   TF_Status *status);
/* Takes null. For a builder that was not registered. */
TF_CAPI_EXPORT extern void TF_DeleteOpDefinitionBuilder(TF_OpDefinitionBuilder *builder);

/* "name: kind" or "name: kind = default". Kinds: string, int, float, bool, type, shape, tensor,
 * numbertype, realnumbertype, quantizedtype, {int32, float}, {"a", "b"}, list(kind); "int >= 2" and
 * "list(int) >= 2" have a lower bound. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderAddAttr(TF_OpDefinitionBuilder *builder,
                                                         const char *attr_spec);
/* "name: type", "name: Ref(type)", "name: N * type" or "name: types", where the type is one of
 * tensors or an attr, N an attr of kind int and types one of kind list(type). */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderAddInput(TF_OpDefinitionBuilder *builder,
                                                          const char *input_spec);
/* As for inputs. Mistakes are told by TF_RegisterOpDefinition. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderAddOutput(TF_OpDefinitionBuilder *builder,
                                                           const char *output_spec);
/* The two inputs may be exchanged. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderSetIsCommutative(TF_OpDefinitionBuilder *builder,
                                                                  bool is_commutative);
/* The op takes any number of values of one type and gives one, in any order and grouping. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderSetIsAggregate(TF_OpDefinitionBuilder *builder,
                                                                bool is_aggregate);
/* A stateful op has effects, or results that do not follow from its inputs alone: it is never
 * computed ahead and never merged with another one. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderSetIsStateful(TF_OpDefinitionBuilder *builder,
                                                               bool is_stateful);
/* The op may be given a variable that has no value yet. */
TF_CAPI_EXPORT extern void
TF_OpDefinitionBuilderSetAllowsUninitializedInput(TF_OpDefinitionBuilder *builder,
                                                  bool allows_uninitialized_input);
/* From GraphDef version |version| on, graphs should not use the op. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderDeprecated(TF_OpDefinitionBuilder *builder,
                                                            int version, const char *explanation);
/* Without one, the shapes of outputs are unknown until the op has run. The function is called when
 * a node is added to a graph; what it writes to the status is why the node cannot be. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderSetShapeInferenceFunction(
    TF_OpDefinitionBuilder *builder,
    void (*shape_inference_func)(TF_ShapeInferenceContext *ctx, TF_Status *status));

/* ---- shape functions ------------------------------------------------------------------------- */

/* Values, lists counted by their length. The context lives as long as the call of the shape
 * function. */
TF_CAPI_EXPORT extern int64_t TF_ShapeInferenceContextNumInputs(TF_ShapeInferenceContext *ctx);
/* Handles that functions return are the caller's to delete; a new one is of unknown shape. */
TF_CAPI_EXPORT extern TF_ShapeHandle *TF_NewShapeHandle(void);
/* Writes what is known of input |i| to |handle|. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextGetInput(TF_ShapeInferenceContext *ctx, int i,
                                                            TF_ShapeHandle *handle,
                                                            TF_Status *status);
/* The handle is copied. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextSetOutput(TF_ShapeInferenceContext *ctx, int i,
                                                             TF_ShapeHandle *handle,
                                                             TF_Status *status);
/* A new handle of rank 0, the caller's to delete. */
TF_CAPI_EXPORT extern TF_ShapeHandle *TF_ShapeInferenceContextScalar(TF_ShapeInferenceContext *ctx);
/* A new handle of rank 1, the caller's to delete. */
TF_CAPI_EXPORT extern TF_ShapeHandle *
TF_ShapeInferenceContextVectorFromSize(TF_ShapeInferenceContext *ctx, size_t size);
/* A dimension of unknown size. The caller deletes it. */
TF_CAPI_EXPORT extern TF_DimensionHandle *TF_NewDimensionHandle(void);
/* An attr of kind type. NOT_FOUND or INVALID_ARGUMENT when there is none or it is of another
 * kind. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContext_GetAttrType(TF_ShapeInferenceContext *ctx,
                                                                const char *attr_name,
                                                                TF_DataType *val,
                                                                TF_Status *status);
TF_CAPI_EXPORT extern int64_t
TF_ShapeInferenceContextRank(TF_ShapeInferenceContext *ctx,
                             TF_ShapeHandle *handle); /* -1: unknown */
/* 1 when the rank is known, else 0. */
TF_CAPI_EXPORT extern int TF_ShapeInferenceContextRankKnown(TF_ShapeInferenceContext *ctx,
                                                            TF_ShapeHandle *handle);
/* |result| becomes |handle| with that rank. INVALID_ARGUMENT when it has another one. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextWithRank(TF_ShapeInferenceContext *ctx,
                                                            TF_ShapeHandle *handle, int64_t rank,
                                                            TF_ShapeHandle *result,
                                                            TF_Status *status);
/* |result| becomes |handle|. INVALID_ARGUMENT when its rank is known and smaller. */
TF_CAPI_EXPORT extern void
TF_ShapeInferenceContextWithRankAtLeast(TF_ShapeInferenceContext *ctx, TF_ShapeHandle *handle,
                                        int64_t rank, TF_ShapeHandle *result, TF_Status *status);
/* |result| becomes |handle|. INVALID_ARGUMENT when its rank is known and larger. */
TF_CAPI_EXPORT extern void
TF_ShapeInferenceContextWithRankAtMost(TF_ShapeInferenceContext *ctx, TF_ShapeHandle *handle,
                                       int64_t rank, TF_ShapeHandle *result, TF_Status *status);
/* Dimension |i|, counted from the end when it is negative; unknown when there is no such one. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextDim(TF_ShapeInferenceContext *ctx,
                                                       TF_ShapeHandle *shape_handle, int64_t i,
                                                       TF_DimensionHandle *result);
/* Dimensions [start, end), counted from the end when they are negative. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextSubshape(TF_ShapeInferenceContext *ctx,
                                                            TF_ShapeHandle *shape_handle,
                                                            int64_t start, int64_t end,
                                                            TF_ShapeHandle *result,
                                                            TF_Status *status);
/* Every output is of unknown shape. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextSetUnknownShape(TF_ShapeInferenceContext *ctx,
                                                                   TF_Status *status);
/* 1 when the size is known, else 0. */
TF_CAPI_EXPORT extern int TF_DimensionHandleValueKnown(TF_DimensionHandle *dim_handle);
/* -1 when it is not known. */
TF_CAPI_EXPORT extern int64_t TF_DimensionHandleValue(TF_DimensionHandle *dim_handle);
/* |result| gets the dimensions of |first| and then those of |second|; unknown when one of
 * them is. INVALID_ARGUMENT when these are more than 16. It may be one of them. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextConcatenateShapes(TF_ShapeInferenceContext *ctx,
                                                                     TF_ShapeHandle *first,
                                                                     TF_ShapeHandle *second,
                                                                     TF_ShapeHandle *result,
                                                                     TF_Status *status);
TF_CAPI_EXPORT extern void TF_DeleteShapeHandle(TF_ShapeHandle *handle);         /* takes null */
TF_CAPI_EXPORT extern void TF_DeleteDimensionHandle(TF_DimensionHandle *handle); /* takes null */

#ifdef __cplusplus
}
#endif
#endif
