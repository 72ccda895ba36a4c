/* weir/graph.h - concise construction of C API graphs.
 *
 * A builder adds nodes to a TF_Graph: under a name scope, on a device, after control inputs. Errors
 * are sticky: after the first one nothing is added and every output is empty, so that a model needs
 * no check after each line. Not thread-safe.
 */
#ifndef WEIR_GRAPH_H
#define WEIR_GRAPH_H

#include <stdint.h>

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_builder weir_builder;

/* |graph| remains owned by the caller and must outlive the builder. */
TF_CAPI_EXPORT extern weir_builder *weir_build_new(TF_Graph *graph);
TF_CAPI_EXPORT extern void weir_build_delete(weir_builder *b); /* takes null */
/* The builder's graph, owned by the caller. */
TF_CAPI_EXPORT extern TF_Graph *weir_build_graph(const weir_builder *b);
/* The first error, or TF_OK. */
TF_CAPI_EXPORT extern const TF_Status *weir_build_status(const weir_builder *b);
/* Sets the error |code| and |message|, unless there is one already. */
TF_CAPI_EXPORT extern void weir_build_fail(weir_builder *b, TF_Code code, const char *message);

/* Prefixes new names with "scope/" until the pop; a name that is taken becomes name_1. */
TF_CAPI_EXPORT extern void weir_build_push_scope(weir_builder *b, const char *scope);
/* Ends the innermost scope. */
TF_CAPI_EXPORT extern void weir_build_pop_scope(weir_builder *b);
/* New nodes request |device| until the pop; "" for none. */
TF_CAPI_EXPORT extern void weir_build_push_device(weir_builder *b, const char *device);
/* Ends the innermost device. */
TF_CAPI_EXPORT extern void weir_build_pop_device(weir_builder *b);
/* Adds |op| as a control input of new nodes until the pop. Null adds none, but needs its pop. */
TF_CAPI_EXPORT extern void weir_build_push_control(weir_builder *b, TF_Operation *op);
/* Ends the innermost control input. */
TF_CAPI_EXPORT extern void weir_build_pop_control(weir_builder *b);

/* Chooses the device of a node that is not under a pushed device. |type| is the op's; |bytes| the
 * size of its state, 0 if unknown. The returned device stays valid until the next call. */
typedef const char *(*weir_build_placer)(void *arg, const char *type, int64_t bytes);
/* Calls |place| with |arg| for every node added from now on. Null: none. */
TF_CAPI_EXPORT extern void weir_build_set_placer(weir_builder *b, weir_build_placer place,
                                                 void *arg);

/* A node described by functions of the C API (TF_AddInput, TF_SetAttrType...) between begin and
 * end. Begin returns null after an error, and end accepts it. End returns the first output. */
TF_CAPI_EXPORT extern TF_OperationDescription *weir_build_begin(weir_builder *b, const char *type,
                                                                const char *name);
/* Finishes the node; returns its first output. On an error it is zeroed, and the builder keeps the
 * status. */
TF_CAPI_EXPORT extern TF_Output weir_build_end(weir_builder *b, TF_OperationDescription *d);

/* Inputs of a node being described: one, or a list. A null node is allowed. */
TF_CAPI_EXPORT extern void weir_build_input(weir_builder *b, TF_OperationDescription *d,
                                            TF_Output input);
/* Adds an input that is a list. Errors go to the builder. */
TF_CAPI_EXPORT extern void weir_build_input_list(weir_builder *b, TF_OperationDescription *d,
                                                 const TF_Output *inputs, int count);

/* Adds a node whose attrs are inferred from inputs or have defaults:
 *   TF_Output y = weir_build_op(b, "MatMul", "y", WEIR_INPUTS(x, w)); */
TF_CAPI_EXPORT extern TF_Output weir_build_op(weir_builder *b, const char *type, const char *name,
                                              const TF_Output *inputs, int input_count);
#define WEIR_INPUTS(...)                                                                           \
    (const TF_Output[]){__VA_ARGS__}, (int)(sizeof((TF_Output[]){__VA_ARGS__}) / sizeof(TF_Output))

/* A constant of |rank| dims from as many elements of |type|, which are copied. */
TF_CAPI_EXPORT extern TF_Output weir_build_const(weir_builder *b, const char *name,
                                                 TF_DataType type, int rank, const int64_t *dims,
                                                 const void *elements);
/* A constant of one float. */
TF_CAPI_EXPORT extern TF_Output weir_build_float(weir_builder *b, const char *name, float value);
/* A constant of one int32. */
TF_CAPI_EXPORT extern TF_Output weir_build_int32(weir_builder *b, const char *name, int32_t value);
/* A constant of one string; copied. */
TF_CAPI_EXPORT extern TF_Output weir_build_string(weir_builder *b, const char *name,
                                                  const char *value);
/* A vector of strings. */
TF_CAPI_EXPORT extern TF_Output weir_build_strings(weir_builder *b, const char *name,
                                                   const char *const *values, int count);
/* A placeholder; a dim of -1 is unknown. */
TF_CAPI_EXPORT extern TF_Output weir_build_placeholder(weir_builder *b, const char *name,
                                                       TF_DataType type, int rank,
                                                       const int64_t *dims);
/* A variable initialised with |initial|, whose shape must be known, by running |initialize|. */
typedef struct weir_variable {
    TF_Output ref;   /* handle or reference, for ops that write it: weir_assign, weir_apply_... */
    TF_Output value; /* its value as read by a step */
    TF_Operation *initialize;
} weir_variable;
/* Adds a variable and the node that assigns its initial value. */
TF_CAPI_EXPORT extern weir_variable weir_build_variable(weir_builder *b, const char *name,
                                                        TF_Output initial);
/* A node with control inputs from all of |ops|. */
TF_CAPI_EXPORT extern TF_Operation *weir_build_group(weir_builder *b, const char *name,
                                                     TF_Operation *const *ops, int count);

/* A gradient with respect to some x: dense, or of some of its rows. */
typedef struct weir_gradient {
    TF_Output values; /* .oper null: y does not depend on x */
    TF_Output
        indices;     /* values[i] belongs to row indices[i], which may repeat; .oper null: dense */
    TF_Output shape; /* of x, when sparse */
} weir_gradient;

/* Adds nodes that compute the gradients of the sum of |y| with respect to each |x|. Those of
 * gathers are sparse; TF_AddGradients makes them dense. */
TF_CAPI_EXPORT extern void weir_build_gradients(weir_builder *b, const TF_Output *y, int y_count,
                                                const TF_Output *x, int x_count,
                                                weir_gradient *out);

/* Describes the derivatives of the sum of |y|, each weighted by |dy|, with respect to each |x|.
 * |prefix| begins the names of new nodes and must be unused; null chooses one. |dy|, or any .oper
 * in it, may be null: ones. No gradient flows through |stop|. */
typedef struct weir_derivative {
    const char *prefix;
    const TF_Output *y, *dy, *x, *stop;
    int y_count, x_count, stop_count;
} weir_derivative;

/* Adds nodes for the derivatives that |what| describes; |out| has one per x, zeroed when there is
 * none. */
TF_CAPI_EXPORT extern void weir_add_gradients(TF_Graph *graph, const weir_derivative *what,
                                              weir_gradient *out, TF_Status *status);

/* ---- for weir/ops.h ------------------------------------------------------------------------- */

/* A shape: |rank| dims; a dim of -1 is unknown; a rank of -1: unknown shape. */
typedef struct weir_dims {
    int rank;
    const int64_t *dims;
} weir_dims;

/* In the options of an op: the value 0, where a plain 0 selects another default. */
#define WEIR_ZERO INT64_MIN

static inline int64_t weir_int_of(int64_t option)
{
    return option == WEIR_ZERO ? 0 : option;
}

static inline float weir_float_of(float option)
{
    return option == (float)WEIR_ZERO ? 0 : option;
}

/* Outputs |first| to |first| + |count| - 1 of |oper|: a list output of an op. */
typedef struct weir_outputs {
    TF_Operation *oper;
    int first, count;
} weir_outputs;

/* An output of a node; empty if the node is null. */
static inline TF_Output weir_output(TF_Operation *oper, int index)
{
    TF_Output out;
    out.oper = oper;
    out.index = index;
    return out;
}

static inline TF_Output weir_output_at(weir_outputs list, int index)
{
    return weir_output(list.oper, list.first + index);
}

/* The list output |name| of the op, whose first output is |first|. */
TF_CAPI_EXPORT extern weir_outputs weir_outputs_of(TF_Operation *oper, const char *name, int first);

/* Attrs for which the C API needs more than a value. */
TF_CAPI_EXPORT extern void weir_attr_string(TF_OperationDescription *d, const char *attr,
                                            const char *value);
/* Sets an attr of type list(string); copied. */
TF_CAPI_EXPORT extern void weir_attr_strings(TF_OperationDescription *d, const char *attr,
                                             const char *const *values, int count);
/* Sets an attr of type func by the function's name; copied. */
TF_CAPI_EXPORT extern void weir_attr_func(TF_OperationDescription *d, const char *attr,
                                          const char *function);
/* Sets an attr of type list(func) by the functions' names; copied. */
TF_CAPI_EXPORT extern void weir_attr_funcs(weir_builder *b, TF_OperationDescription *d,
                                           const char *attr, const char *const *functions,
                                           int count);
/* Sets an attr of type shape; copied. Null: unknown rank. */
TF_CAPI_EXPORT extern void weir_attr_shape(TF_OperationDescription *d, const char *attr,
                                           const weir_dims *shape);
/* Sets an attr of type list(shape); copied. */
TF_CAPI_EXPORT extern void weir_attr_shapes(TF_OperationDescription *d, const char *attr,
                                            const weir_dims *shapes, int count);
/* Sets an attr of type tensor; the caller still owns the tensor. */
TF_CAPI_EXPORT extern void weir_attr_tensor(weir_builder *b, TF_OperationDescription *d,
                                            const char *attr, TF_Tensor *value);

#ifdef __cplusplus
}
#endif
#endif
