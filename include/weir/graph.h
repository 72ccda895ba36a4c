/* weir/graph.h - graphs of the C API built with fewer words.
 *
 * A builder adds nodes to a TF_Graph: under a name scope, on a device, after control inputs. The
 * first failure stays; from then on nothing is added and every output is empty, so that a model can
 * be written down without a check after each line. One thread at a time.
 */
#ifndef WEIR_GRAPH_H
#define WEIR_GRAPH_H

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_builder weir_builder;

/* |graph| stays the caller's and must outlive the builder. */
TF_CAPI_EXPORT extern weir_builder *weir_build_new(TF_Graph *graph);
TF_CAPI_EXPORT extern void weir_build_delete(weir_builder *b); /* takes null */
TF_CAPI_EXPORT extern TF_Graph *weir_build_graph(const weir_builder *b);
/* The first failure, or TF_OK. */
TF_CAPI_EXPORT extern const TF_Status *weir_build_status(const weir_builder *b);
/* Makes |code| and |message| the failure, unless there is one already. */
TF_CAPI_EXPORT extern void weir_build_fail(weir_builder *b, TF_Code code, const char *message);

/* New nodes are called "scope/name" until the pop; a name that is taken becomes name_1. */
TF_CAPI_EXPORT extern void weir_build_push_scope(weir_builder *b, const char *scope);
TF_CAPI_EXPORT extern void weir_build_pop_scope(weir_builder *b);
/* New nodes ask for |device| until the pop; "" for none. */
TF_CAPI_EXPORT extern void weir_build_push_device(weir_builder *b, const char *device);
TF_CAPI_EXPORT extern void weir_build_pop_device(weir_builder *b);
/* New nodes run after |op| until the pop. Null is no condition, but needs its pop. */
TF_CAPI_EXPORT extern void weir_build_push_control(weir_builder *b, TF_Operation *op);
TF_CAPI_EXPORT extern void weir_build_pop_control(weir_builder *b);

/* Decides where a node goes that is not under a pushed device. |type| is the op's; |bytes| what it
 * keeps, 0 when not known. Returns a device that stays valid until the next call. */
typedef const char *(*weir_build_placer)(void *arg, const char *type, int64_t bytes);
TF_CAPI_EXPORT extern void weir_build_set_placer(weir_builder *b, weir_build_placer place,
                                                 void *arg);

/* A node to be described further with the functions of the C API (TF_AddInput, TF_SetAttrType...),
 * then ended. Begin returns null after a failure, and end takes it. End gives the first output. */
TF_CAPI_EXPORT extern TF_OperationDescription *weir_build_begin(weir_builder *b, const char *type,
                                                                const char *name);
TF_CAPI_EXPORT extern TF_Output weir_build_end(weir_builder *b, TF_OperationDescription *d);

/* A node whose attrs follow from its inputs or have defaults:
 *   TF_Output y = weir_build_op(b, "MatMul", "y", WEIR_INPUTS(x, w));  */
TF_CAPI_EXPORT extern TF_Output weir_build_op(weir_builder *b, const char *type, const char *name,
                                              const TF_Output *inputs, int input_count);
#define WEIR_INPUTS(...)                                                                           \
    (const TF_Output[]){__VA_ARGS__}, (int)(sizeof((TF_Output[]){__VA_ARGS__}) / sizeof(TF_Output))

/* A constant of |rank| dims from as many elements of |type|, which are copied. */
TF_CAPI_EXPORT extern TF_Output weir_build_const(weir_builder *b, const char *name,
                                                 TF_DataType type, int rank, const int64_t *dims,
                                                 const void *elements);
TF_CAPI_EXPORT extern TF_Output weir_build_float(weir_builder *b, const char *name, float value);
TF_CAPI_EXPORT extern TF_Output weir_build_int32(weir_builder *b, const char *name, int32_t value);
TF_CAPI_EXPORT extern TF_Output weir_build_string(weir_builder *b, const char *name,
                                                  const char *value);
/* A vector of strings. */
TF_CAPI_EXPORT extern TF_Output weir_build_strings(weir_builder *b, const char *name,
                                                   const char *const *values, int count);
/* What is fed; a dim of -1 may be anything. */
TF_CAPI_EXPORT extern TF_Output weir_build_placeholder(weir_builder *b, const char *name,
                                                       TF_DataType type, int rank,
                                                       const int64_t *dims);
/* A node that runs when all of |ops| have run. */
TF_CAPI_EXPORT extern TF_Operation *weir_build_group(weir_builder *b, const char *name,
                                                     TF_Operation *const *ops, int count);

#ifdef __cplusplus
}
#endif
#endif
