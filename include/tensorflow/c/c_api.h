/* tensorflow/c/c_api.h - graphs and sessions.
 *
 * Build a TF_Graph node by node or import a GraphDef, make a TF_Session over it, and run steps that
 * feed some edges and fetch others. Functions that can fail write their last TF_Status argument:
 * TF_OK, or a code and a message that names what was wrong.
 *
 * What a TF_New... or TF_Load... function returns is the caller's, to be ended by the TF_Delete...
 * function of the same name; TF_Operation pointers belong to their graph. Graphs and sessions may
 * be used by many threads at once; every other object by one at a time.
 */
#ifndef TENSORFLOW_C_C_API_H_
#define TENSORFLOW_C_C_API_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_attrtype.h"
#include "tensorflow/c/tf_buffer.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_status.h"
#include "tensorflow/c/tf_tensor.h"
#include "tensorflow/c/tf_tstring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The release of TensorFlow whose behaviour the library has: "2.21.0". */
TF_CAPI_EXPORT extern const char *TF_Version(void);

/* Replaces |to| by what the TensorProto in |from| holds. */
TF_CAPI_EXPORT extern void TF_TensorFromProto(const TF_Buffer *from, TF_Tensor *to,
                                              TF_Status *status);

/* Bytes of somebody else. */
typedef struct TF_StringView {
    const char *data;
    size_t len;
} TF_StringView;

/* ---- session options ------------------------------------------------------------------------- */

typedef struct TF_SessionOptions TF_SessionOptions;

/* Options with nothing set; the caller's, by TF_DeleteSessionOptions. Never null. */
TF_CAPI_EXPORT extern TF_SessionOptions *TF_NewSessionOptions(void);
/* Where steps run: "" or "local" for this process, "grpc://host:port" for a server. */
TF_CAPI_EXPORT extern void TF_SetTarget(TF_SessionOptions *options, const char *target);
/* |proto| is a serialised ConfigProto. */
TF_CAPI_EXPORT extern void TF_SetConfig(TF_SessionOptions *options, const void *proto,
                                        size_t proto_len, TF_Status *status);
/* Frees the options; sessions made with them go on. Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteSessionOptions(TF_SessionOptions *);

/* ---- graphs ---------------------------------------------------------------------------------- */

typedef struct TF_Graph TF_Graph;
typedef struct TF_OperationDescription TF_OperationDescription; /* a node being made */
typedef struct TF_Operation TF_Operation;                       /* a node of a graph */
typedef struct TF_Function TF_Function;
typedef struct TF_FunctionOptions TF_FunctionOptions;

typedef struct TF_Input {
    TF_Operation *oper;
    int index; /* which input of |oper| */
} TF_Input;

typedef struct TF_Output {
    TF_Operation *oper;
    int index; /* which output of |oper| */
} TF_Output;

/* An empty graph; the caller's, by TF_DeleteGraph. Functions that take a graph may be called
 * from several threads. */
TF_CAPI_EXPORT extern TF_Graph *TF_NewGraph(void);
/* A graph that sessions use lives on until the last of them is deleted. */
TF_CAPI_EXPORT extern void TF_DeleteGraph(TF_Graph *);

/* Makes what is known of an output's shape more precise. A dim of -1 is unknown; num_dims -1 says
 * nothing. */
TF_CAPI_EXPORT extern void TF_GraphSetTensorShape(TF_Graph *graph, TF_Output output,
                                                  const int64_t *dims, const int num_dims,
                                                  TF_Status *status);
/* -1 when the rank is unknown. */
TF_CAPI_EXPORT extern int TF_GraphGetTensorNumDims(TF_Graph *graph, TF_Output output,
                                                   TF_Status *status);
/* Fills |num_dims| dims, which must be the rank; unknown ones are -1. */
TF_CAPI_EXPORT extern void TF_GraphGetTensorShape(TF_Graph *graph, TF_Output output, int64_t *dims,
                                                  int num_dims, TF_Status *status);
/* The node of that name, which the graph owns; null when there is none. */
TF_CAPI_EXPORT extern TF_Operation *TF_GraphOperationByName(TF_Graph *graph, const char *oper_name);
/* Walks the nodes: start with *pos = 0; null at the end. */
TF_CAPI_EXPORT extern TF_Operation *TF_GraphNextOperation(TF_Graph *graph, size_t *pos);
/* Each of these fills an empty buffer with a serialised message. */
TF_CAPI_EXPORT extern void TF_GraphToGraphDef(TF_Graph *graph, TF_Buffer *output_graph_def,
                                              TF_Status *status);
/* The definition of an op as a serialised OpDef, into a buffer that must be empty. NOT_FOUND
 * when there is no such op. */
TF_CAPI_EXPORT extern void TF_GraphGetOpDef(TF_Graph *graph, const char *op_name,
                                            TF_Buffer *output_op_def, TF_Status *status);
/* The graph's versions as a serialised VersionDef, into a buffer that must be empty. */
TF_CAPI_EXPORT extern void TF_GraphVersions(TF_Graph *graph, TF_Buffer *output_version_def,
                                            TF_Status *status);

/* ---- making nodes ---------------------------------------------------------------------------- */

/* Starts a node; its inputs and attrs follow in any order, and TF_FinishOperation adds it to the
 * graph. Mistakes on the way are told by TF_FinishOperation. The ...Locked forms are for callers
 * that know the graph is theirs alone. */
TF_CAPI_EXPORT extern TF_OperationDescription *TF_NewOperation(TF_Graph *graph, const char *op_type,
                                                               const char *oper_name);
/* The same as TF_NewOperation, for a caller that holds the graph's lock already. */
TF_CAPI_EXPORT extern TF_OperationDescription *
TF_NewOperationLocked(TF_Graph *graph, const char *op_type, const char *oper_name);
/* Ends |desc|, whatever the outcome. Null on error. */
TF_CAPI_EXPORT extern TF_Operation *TF_FinishOperation(TF_OperationDescription *desc,
                                                       TF_Status *status);
/* The same as TF_FinishOperation, for a caller that holds the graph's lock already. */
TF_CAPI_EXPORT extern TF_Operation *TF_FinishOperationLocked(TF_OperationDescription *desc,
                                                             TF_Status *status);

/* Asks for a device, such as "/job:worker/task:1/device:CPU:0"; copied. A malformed one is told
 * by TF_FinishOperation. */
TF_CAPI_EXPORT extern void TF_SetDevice(TF_OperationDescription *desc, const char *device);
/* Adds the next input that is a single tensor. A type that does not fit is told by
 * TF_FinishOperation. */
TF_CAPI_EXPORT extern void TF_AddInput(TF_OperationDescription *desc, TF_Output input);
/* For an argument that is a list. */
TF_CAPI_EXPORT extern void TF_AddInputList(TF_OperationDescription *desc, const TF_Output *inputs,
                                           int num_inputs);
/* Makes the node run after |input|. */
TF_CAPI_EXPORT extern void TF_AddControlInput(TF_OperationDescription *desc, TF_Operation *input);
/* Asks for the device of |op|, whichever it gets. */
TF_CAPI_EXPORT extern void TF_ColocateWith(TF_OperationDescription *desc, TF_Operation *op);

/* Attrs. Values are copied. */
TF_CAPI_EXPORT extern void TF_SetAttrString(TF_OperationDescription *desc, const char *attr_name,
                                            const void *value, size_t length);
/* Sets an attr of type list(string): |num_values| texts of |lengths| bytes each. Copied. As
 * with all TF_SetAttr functions, a wrong name or type is told by TF_FinishOperation. */
TF_CAPI_EXPORT extern void TF_SetAttrStringList(TF_OperationDescription *desc,
                                                const char *attr_name, const void *const *values,
                                                const size_t *lengths, int num_values);
/* Sets an attr of type int. */
TF_CAPI_EXPORT extern void TF_SetAttrInt(TF_OperationDescription *desc, const char *attr_name,
                                         int64_t value);
/* Sets an attr of type list(int); the values are copied. */
TF_CAPI_EXPORT extern void TF_SetAttrIntList(TF_OperationDescription *desc, const char *attr_name,
                                             const int64_t *values, int num_values);
/* Sets an attr of type float. */
TF_CAPI_EXPORT extern void TF_SetAttrFloat(TF_OperationDescription *desc, const char *attr_name,
                                           float value);
/* Sets an attr of type list(float); the values are copied. */
TF_CAPI_EXPORT extern void TF_SetAttrFloatList(TF_OperationDescription *desc, const char *attr_name,
                                               const float *values, int num_values);
/* Sets an attr of type bool; every value but 0 is true. */
TF_CAPI_EXPORT extern void TF_SetAttrBool(TF_OperationDescription *desc, const char *attr_name,
                                          unsigned char value);
/* Sets an attr of type list(bool); the values are copied. */
TF_CAPI_EXPORT extern void TF_SetAttrBoolList(TF_OperationDescription *desc, const char *attr_name,
                                              const unsigned char *values, int num_values);
/* Sets an attr of type type. */
TF_CAPI_EXPORT extern void TF_SetAttrType(TF_OperationDescription *desc, const char *attr_name,
                                          TF_DataType value);
/* Sets an attr of type list(type); the values are copied. */
TF_CAPI_EXPORT extern void TF_SetAttrTypeList(TF_OperationDescription *desc, const char *attr_name,
                                              const TF_DataType *values, int num_values);
/* A name that the caller of the function around this node replaces by a value. */
TF_CAPI_EXPORT extern void TF_SetAttrPlaceholder(TF_OperationDescription *desc,
                                                 const char *attr_name, const char *placeholder);
/* Sets an attr of type func to the function of that name, without attrs of its own. */
TF_CAPI_EXPORT extern void TF_SetAttrFuncName(TF_OperationDescription *desc, const char *attr_name,
                                              const char *value, size_t length);
/* num_dims -1: unknown rank. */
TF_CAPI_EXPORT extern void TF_SetAttrShape(TF_OperationDescription *desc, const char *attr_name,
                                           const int64_t *dims, int num_dims);
/* Sets an attr of type list(shape): |dims[i]| has |num_dims[i]| sizes, -1 for one that is not
 * known; a |num_dims[i]| of -1 is a shape of unknown rank. Copied. */
TF_CAPI_EXPORT extern void TF_SetAttrShapeList(TF_OperationDescription *desc, const char *attr_name,
                                               const int64_t *const *dims, const int *num_dims,
                                               int num_shapes);
/* Serialised TensorShapeProtos. */
TF_CAPI_EXPORT extern void TF_SetAttrTensorShapeProto(TF_OperationDescription *desc,
                                                      const char *attr_name, const void *proto,
                                                      size_t proto_len, TF_Status *status);
/* Sets an attr of type list(shape) from serialised TensorShapeProtos. INVALID_ARGUMENT when one
 * is none. */
TF_CAPI_EXPORT extern void TF_SetAttrTensorShapeProtoList(TF_OperationDescription *desc,
                                                          const char *attr_name,
                                                          const void *const *protos,
                                                          const size_t *proto_lens, int num_shapes,
                                                          TF_Status *status);
/* Sets an attr of type tensor. The values are copied; the tensor stays the caller's. */
TF_CAPI_EXPORT extern void TF_SetAttrTensor(TF_OperationDescription *desc, const char *attr_name,
                                            TF_Tensor *value, TF_Status *status);
/* Sets an attr of type list(tensor). The values are copied; the tensors stay the caller's. */
TF_CAPI_EXPORT extern void TF_SetAttrTensorList(TF_OperationDescription *desc,
                                                const char *attr_name, TF_Tensor *const *values,
                                                int num_values, TF_Status *status);
/* A serialised AttrValue of any kind. */
TF_CAPI_EXPORT extern void TF_SetAttrValueProto(TF_OperationDescription *desc,
                                                const char *attr_name, const void *proto,
                                                size_t proto_len, TF_Status *status);

/* ---- looking at nodes ------------------------------------------------------------------------ */

/* Strings live as long as the graph. */
TF_CAPI_EXPORT extern const char *TF_OperationName(TF_Operation *oper);
/* The op's name, such as "MatMul"; valid as long as the graph. */
TF_CAPI_EXPORT extern const char *TF_OperationOpType(TF_Operation *oper);
/* The device that was asked for, "" for none; valid until it is changed. */
TF_CAPI_EXPORT extern const char *TF_OperationDevice(TF_Operation *oper); /* as requested */

/* How many outputs the node has, lists counted tensor by tensor. */
TF_CAPI_EXPORT extern int TF_OperationNumOutputs(TF_Operation *oper);
/* The element type of an output. */
TF_CAPI_EXPORT extern TF_DataType TF_OperationOutputType(TF_Output oper_out);
/* How many outputs (or inputs) the argument |arg_name| of the signature stands for. */
TF_CAPI_EXPORT extern int TF_OperationOutputListLength(TF_Operation *oper, const char *arg_name,
                                                       TF_Status *status);
/* How many inputs the node has, lists counted tensor by tensor, without control inputs. */
TF_CAPI_EXPORT extern int TF_OperationNumInputs(TF_Operation *oper);
/* The element type of an input. */
TF_CAPI_EXPORT extern TF_DataType TF_OperationInputType(TF_Input oper_in);
/* How many tensors an input of that name has; 1 where it is no list. -1 and NOT_FOUND when
 * there is no such input. */
TF_CAPI_EXPORT extern int TF_OperationInputListLength(TF_Operation *oper, const char *arg_name,
                                                      TF_Status *status);
/* The output that an input takes its value from. */
TF_CAPI_EXPORT extern TF_Output TF_OperationInput(TF_Input oper_in);
/* These fill at most |max_...| entries. The int ones return how many they filled. */
TF_CAPI_EXPORT extern void TF_OperationAllInputs(TF_Operation *oper, TF_Output *inputs,
                                                 int max_inputs);
/* How many inputs take their value from an output. It changes while other threads add nodes. */
TF_CAPI_EXPORT extern int TF_OperationOutputNumConsumers(TF_Output oper_out);
/* Writes at most |max_consumers| of those inputs to the caller's array; gives how many there
 * are. */
TF_CAPI_EXPORT extern int TF_OperationOutputConsumers(TF_Output oper_out, TF_Input *consumers,
                                                      int max_consumers);
/* How many nodes this one runs after, besides those of its inputs. */
TF_CAPI_EXPORT extern int TF_OperationNumControlInputs(TF_Operation *oper);
/* Writes at most |max_control_inputs| of those nodes to the caller's array; gives how many were
 * written. */
TF_CAPI_EXPORT extern int TF_OperationGetControlInputs(TF_Operation *oper,
                                                       TF_Operation **control_inputs,
                                                       int max_control_inputs);
/* How many nodes run after this one, besides those that take its outputs. */
TF_CAPI_EXPORT extern int TF_OperationNumControlOutputs(TF_Operation *oper);
/* Writes at most |max_control_outputs| of those nodes to the caller's array; gives how many
 * were written. */
TF_CAPI_EXPORT extern int TF_OperationGetControlOutputs(TF_Operation *oper,
                                                        TF_Operation **control_outputs,
                                                        int max_control_outputs);
/* The node as a serialised NodeDef, into a buffer that must be empty. */
TF_CAPI_EXPORT extern void TF_OperationToNodeDef(TF_Operation *oper, TF_Buffer *output_node_def,
                                                 TF_Status *status);

/* What to make room for before an attr is read. */
typedef struct TF_AttrMetadata {
    unsigned char is_list;
    int64_t list_size; /* -1 when it is no list */
    TF_AttrType type;  /* of the value, or of the list's elements */
    /* Bytes of a string or of all strings, dims of a shape or of all shapes; -1 for other kinds and
     * for shapes of unknown rank. */
    int64_t total_size;
} TF_AttrMetadata;

/* Type and size of an attr, to have room for its value. INVALID_ARGUMENT when the node has no
 * attr of that name. */
TF_CAPI_EXPORT extern TF_AttrMetadata
TF_OperationGetAttrMetadata(TF_Operation *oper, const char *attr_name, TF_Status *status);
/* How many attrs the node has. */
TF_CAPI_EXPORT extern int TF_OperationGetNumAttrs(TF_Operation *oper);
/* Bytes in the name of attr |i|, without an end. */
TF_CAPI_EXPORT extern int TF_OperationGetAttrNameLength(TF_Operation *oper, int i);
/* Fills |output| with the name, not terminated. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrName(TF_Operation *oper, int i, char *output,
                                                   TF_Status *status);

/* Attrs by name. Lists fill at most |max_values| entries; the elements of string and shape lists
 * lie in |storage|, for which total_size is room enough. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrString(TF_Operation *oper, const char *attr_name,
                                                     void *value, size_t max_length,
                                                     TF_Status *status);
/* The texts of an attr of type list(string), copied into |storage|, with pointers and lengths
 * in |values| and |lengths|. INVALID_ARGUMENT when the room does not do. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrStringList(TF_Operation *oper, const char *attr_name,
                                                         void **values, size_t *lengths,
                                                         int max_values, void *storage,
                                                         size_t storage_size, TF_Status *status);
/* The value of an attr of type int. As with all of these, INVALID_ARGUMENT when there is no
 * such attr or it is of another type. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrInt(TF_Operation *oper, const char *attr_name,
                                                  int64_t *value, TF_Status *status);
/* The first |max_values| of an attr of type list(int), into the caller's array. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrIntList(TF_Operation *oper, const char *attr_name,
                                                      int64_t *values, int max_values,
                                                      TF_Status *status);
/* The value of an attr of type float. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrFloat(TF_Operation *oper, const char *attr_name,
                                                    float *value, TF_Status *status);
/* The first |max_values| of an attr of type list(float), into the caller's array. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrFloatList(TF_Operation *oper, const char *attr_name,
                                                        float *values, int max_values,
                                                        TF_Status *status);
/* The value of an attr of type bool: 0 or 1. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrBool(TF_Operation *oper, const char *attr_name,
                                                   unsigned char *value, TF_Status *status);
/* The first |max_values| of an attr of type list(bool), into the caller's array. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrBoolList(TF_Operation *oper, const char *attr_name,
                                                       unsigned char *values, int max_values,
                                                       TF_Status *status);
/* The value of an attr of type type. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrType(TF_Operation *oper, const char *attr_name,
                                                   TF_DataType *value, TF_Status *status);
/* The first |max_values| of an attr of type list(type), into the caller's array. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrTypeList(TF_Operation *oper, const char *attr_name,
                                                       TF_DataType *values, int max_values,
                                                       TF_Status *status);
/* The sizes of an attr of type shape, -1 for one that is not known; |num_dims| is the total
 * size of its metadata. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrShape(TF_Operation *oper, const char *attr_name,
                                                    int64_t *value, int num_dims,
                                                    TF_Status *status);
/* The shapes of an attr of type list(shape): ranks in |num_dims|, sizes in |storage| with a
 * pointer for each shape in |dims|. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrShapeList(TF_Operation *oper, const char *attr_name,
                                                        int64_t **dims, int *num_dims,
                                                        int num_shapes, int64_t *storage,
                                                        int storage_size, TF_Status *status);
/* An attr of type shape as a serialised TensorShapeProto, into a buffer that must be empty. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrTensorShapeProto(TF_Operation *oper,
                                                               const char *attr_name,
                                                               TF_Buffer *value, TF_Status *status);
/* Makes a new buffer per element. */
TF_CAPI_EXPORT extern void
TF_OperationGetAttrTensorShapeProtoList(TF_Operation *oper, const char *attr_name,
                                        TF_Buffer **values, int max_values, TF_Status *status);
/* Make new tensors. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrTensor(TF_Operation *oper, const char *attr_name,
                                                     TF_Tensor **value, TF_Status *status);
/* The tensors of an attr of type list(tensor), at most |max_values|; the caller deletes each.
 * */
TF_CAPI_EXPORT extern void TF_OperationGetAttrTensorList(TF_Operation *oper, const char *attr_name,
                                                         TF_Tensor **values, int max_values,
                                                         TF_Status *status);
/* Any attr as a serialised AttrValue, into a buffer that must be empty. */
TF_CAPI_EXPORT extern void TF_OperationGetAttrValueProto(TF_Operation *oper, const char *attr_name,
                                                         TF_Buffer *output_attr_value,
                                                         TF_Status *status);

/* ---- importing graphs ------------------------------------------------------------------------ */

typedef struct TF_ImportGraphDefOptions TF_ImportGraphDefOptions;
typedef struct TF_ImportGraphDefResults TF_ImportGraphDefResults;

/* Options with nothing set; the caller's, by TF_DeleteImportGraphDefOptions. */
TF_CAPI_EXPORT extern TF_ImportGraphDefOptions *TF_NewImportGraphDefOptions(void);
/* Frees them. Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteImportGraphDefOptions(TF_ImportGraphDefOptions *opts);
/* Every imported name becomes "prefix/name". */
TF_CAPI_EXPORT extern void TF_ImportGraphDefOptionsSetPrefix(TF_ImportGraphDefOptions *opts,
                                                             const char *prefix);
/* For nodes that ask for no device. */
TF_CAPI_EXPORT extern void TF_ImportGraphDefOptionsSetDefaultDevice(TF_ImportGraphDefOptions *opts,
                                                                    const char *device);
/* Names (or the prefix) that are taken are changed rather than refused. */
TF_CAPI_EXPORT extern void TF_ImportGraphDefOptionsSetUniquifyNames(TF_ImportGraphDefOptions *opts,
                                                                    unsigned char uniquify_names);
/* Whether a prefix that is taken already gets a number behind it. */
TF_CAPI_EXPORT extern void TF_ImportGraphDefOptionsSetUniquifyPrefix(TF_ImportGraphDefOptions *opts,
                                                                     unsigned char uniquify_prefix);
/* Imported inputs that name src_name:src_index come from |dst| instead. */
TF_CAPI_EXPORT extern void TF_ImportGraphDefOptionsAddInputMapping(TF_ImportGraphDefOptions *opts,
                                                                   const char *src_name,
                                                                   int src_index, TF_Output dst);
/* Control inputs from node |src_name| of the imported graph come from |dst| instead. */
TF_CAPI_EXPORT extern void
TF_ImportGraphDefOptionsRemapControlDependency(TF_ImportGraphDefOptions *opts, const char *src_name,
                                               TF_Operation *dst);
/* Imported nodes without inputs wait for |oper|. */
TF_CAPI_EXPORT extern void
TF_ImportGraphDefOptionsAddControlDependency(TF_ImportGraphDefOptions *opts, TF_Operation *oper);
/* What the results should hold. */
TF_CAPI_EXPORT extern void TF_ImportGraphDefOptionsAddReturnOutput(TF_ImportGraphDefOptions *opts,
                                                                   const char *oper_name,
                                                                   int index);
/* How many outputs were asked for. */
TF_CAPI_EXPORT extern int
TF_ImportGraphDefOptionsNumReturnOutputs(const TF_ImportGraphDefOptions *opts);
/* Asks for a node of the imported graph by its name there; copied. */
TF_CAPI_EXPORT extern void
TF_ImportGraphDefOptionsAddReturnOperation(TF_ImportGraphDefOptions *opts, const char *oper_name);
/* How many nodes were asked for. */
TF_CAPI_EXPORT extern int
TF_ImportGraphDefOptionsNumReturnOperations(const TF_ImportGraphDefOptions *opts);

/* Arrays of the results live as long as the results. */
TF_CAPI_EXPORT extern void TF_ImportGraphDefResultsReturnOutputs(TF_ImportGraphDefResults *results,
                                                                 int *num_outputs,
                                                                 TF_Output **outputs);
/* The nodes that were asked for, in that order; the array is the results'. */
TF_CAPI_EXPORT extern void
TF_ImportGraphDefResultsReturnOperations(TF_ImportGraphDefResults *results, int *num_opers,
                                         TF_Operation ***opers);
/* Input mappings that fitted nothing in the GraphDef. */
TF_CAPI_EXPORT extern void
TF_ImportGraphDefResultsMissingUnusedInputMappings(TF_ImportGraphDefResults *results,
                                                   int *num_missing_unused_input_mappings,
                                                   const char ***src_names, int **src_indexes);
/* Frees the results; the nodes stay the graph's. Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteImportGraphDefResults(TF_ImportGraphDefResults *results);

/* All or nothing: after an error the graph is as before. */
TF_CAPI_EXPORT extern void TF_GraphImportGraphDef(TF_Graph *graph, const TF_Buffer *graph_def,
                                                  const TF_ImportGraphDefOptions *options,
                                                  TF_Status *status);
/* Adds a serialised GraphDef's nodes; the results are the caller's, by
 * TF_DeleteImportGraphDefResults. Null on an error, and nothing is added. */
TF_CAPI_EXPORT extern TF_ImportGraphDefResults *
TF_GraphImportGraphDefWithResults(TF_Graph *graph, const TF_Buffer *graph_def,
                                  const TF_ImportGraphDefOptions *options, TF_Status *status);
/* |graph_def| points at a C++ object of TensorFlow's; always refused. */
TF_CAPI_EXPORT extern TF_ImportGraphDefResults *
TF_GraphImportGraphDefWithResultsNoSerialization(TF_Graph *graph, const TF_Buffer *graph_def,
                                                 const TF_ImportGraphDefOptions *options,
                                                 TF_Status *status);
/* |num_return_outputs| must be that of the options. */
TF_CAPI_EXPORT extern void TF_GraphImportGraphDefWithReturnOutputs(
    TF_Graph *graph, const TF_Buffer *graph_def, const TF_ImportGraphDefOptions *options,
    TF_Output *return_outputs, int num_return_outputs, TF_Status *status);

/* ---- functions ------------------------------------------------------------------------------- */

/* Makes a function of the nodes |opers| of |fn_body| (num_opers -1: all but the inputs' own).
 * |output_names| may be null; |opts| must be. */
TF_CAPI_EXPORT extern TF_Function *
TF_GraphToFunction(const TF_Graph *fn_body, const char *fn_name,
                   unsigned char append_hash_to_fn_name, int num_opers,
                   const TF_Operation *const *opers, int ninputs, const TF_Output *inputs,
                   int noutputs, const TF_Output *outputs, const char *const *output_names,
                   const TF_FunctionOptions *opts, const char *description, TF_Status *status);
/* The same with nodes that always run: their names default to those of the nodes. */
TF_CAPI_EXPORT extern TF_Function *TF_GraphToFunctionWithControlOutputs(
    const TF_Graph *fn_body, const char *fn_name, unsigned char append_hash_to_fn_name,
    int num_opers, const TF_Operation *const *opers, int ninputs, const TF_Output *inputs,
    int noutputs, const TF_Output *outputs, const char *const *output_names, int ncontrol_outputs,
    const TF_Operation *const *control_outputs, const char *const *control_output_names,
    const TF_FunctionOptions *opts, const char *description, TF_Status *status);
/* Its name; valid as long as the function. */
TF_CAPI_EXPORT extern const char *TF_FunctionName(TF_Function *func);
/* The function as a serialised FunctionDef, into a buffer that must be empty. */
TF_CAPI_EXPORT extern void TF_FunctionToFunctionDef(TF_Function *func, TF_Buffer *output_func_def,
                                                    TF_Status *status);
/* A function from a serialised FunctionDef; the caller's, by TF_DeleteFunction. Null and
 * INVALID_ARGUMENT when it is none. */
TF_CAPI_EXPORT extern TF_Function *TF_FunctionImportFunctionDef(const void *proto, size_t proto_len,
                                                                TF_Status *status);
/* Sets an attr of the function from a serialised AttrValue. */
TF_CAPI_EXPORT extern void TF_FunctionSetAttrValueProto(TF_Function *func, const char *attr_name,
                                                        const void *proto, size_t proto_len,
                                                        TF_Status *status);
/* An attr of the function as a serialised AttrValue, into a buffer that must be empty.
 * INVALID_ARGUMENT when it has none of that name. */
TF_CAPI_EXPORT extern void TF_FunctionGetAttrValueProto(TF_Function *func, const char *attr_name,
                                                        TF_Buffer *output_attr_value,
                                                        TF_Status *status);
/* Frees the caller's reference; graphs that took the function keep it. Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteFunction(TF_Function *func);
/* Adds |func| (may be null) and the gradient |grad| of it (may be null) to the graph's library. */
TF_CAPI_EXPORT extern void TF_GraphCopyFunction(TF_Graph *g, const TF_Function *func,
                                                const TF_Function *grad, TF_Status *status);
/* How many functions the graph has. */
TF_CAPI_EXPORT extern int TF_GraphNumFunctions(TF_Graph *g);
/* Makes new functions, at most |max_func|; returns how many. */
TF_CAPI_EXPORT extern int TF_GraphGetFunctions(TF_Graph *g, TF_Function **funcs, int max_func,
                                               TF_Status *status);

/* ---- loops, gradients, constants ------------------------------------------------------------- */

/* A loop being made. The client fills cond_output and body_outputs from nodes it adds to the two
 * graphs, sets |name|, and calls TF_FinishWhile or TF_AbortWhile, either of which ends it. */
typedef struct TF_WhileParams {
    const int ninputs;
    TF_Graph *const cond_graph;
    const TF_Output *const cond_inputs;
    TF_Output cond_output; /* a bool scalar */
    TF_Graph *const body_graph;
    const TF_Output *const body_inputs;
    TF_Output *const body_outputs; /* ninputs of them */
    const char *name;              /* unique in the graph; used as a prefix */
} TF_WhileParams;

/* Begins a loop over |ninputs| values: the graphs of its condition and body are in the result,
 * to be filled and handed to TF_FinishWhile or TF_AbortWhile. On an error the result is zeroed.
 * */
TF_CAPI_EXPORT extern TF_WhileParams TF_NewWhile(TF_Graph *g, TF_Output *inputs, int ninputs,
                                                 TF_Status *status);
/* Fills |outputs|, ninputs of them. */
TF_CAPI_EXPORT extern void TF_FinishWhile(const TF_WhileParams *params, TF_Status *status,
                                          TF_Output *outputs);
/* Frees what TF_NewWhile made; the graph is as before. */
TF_CAPI_EXPORT extern void TF_AbortWhile(const TF_WhileParams *params);

/* Adds nodes that compute d(sum of y)/dx, weighted by |dx| when it is not null (ny of them), and
 * fills |dy| (nx of them). An x that no y depends on is an error; one whose way to y has no
 * gradient gets a null oper. */
TF_CAPI_EXPORT extern void TF_AddGradients(TF_Graph *g, TF_Output *y, int ny, TF_Output *x, int nx,
                                           TF_Output *dx, TF_Status *status, TF_Output *dy);
/* The same, naming new nodes "prefix/...". */
TF_CAPI_EXPORT extern void TF_AddGradientsWithPrefix(TF_Graph *g, const char *prefix, TF_Output *y,
                                                     int ny, TF_Output *x, int nx, TF_Output *dx,
                                                     TF_Status *status, TF_Output *dy);
/* True, with a new tensor in *result, when the output follows from constants alone. */
TF_CAPI_EXPORT extern unsigned char TF_TryEvaluateConstant(TF_Graph *graph, TF_Output output,
                                                           TF_Tensor **result, TF_Status *status);

/* ---- changing graphs ------------------------------------------------------------------------- */

/* Changes hold for nodes that no session has run yet; a session keeps what it ran as it was.
 *
 * Input |dst| comes from |new_src| from now on. */
TF_CAPI_EXPORT extern void TF_UpdateEdge(TF_Graph *graph, TF_Output new_src, TF_Input dst,
                                         TF_Status *status);
/* Makes |op| run after |input|. For programs that change graphs in place, as Python's front end
 * does. */
TF_CAPI_EXPORT extern void TF_AddOperationControlInput(TF_Graph *graph, TF_Operation *op,
                                                       TF_Operation *input);
/* Takes all of them away. */
TF_CAPI_EXPORT extern void TF_RemoveAllControlInputs(TF_Graph *graph, TF_Operation *op);
/* Sets an attr of a node in the graph from a serialised AttrValue; plans of sessions are made
 * anew. */
TF_CAPI_EXPORT extern void TF_SetAttr(TF_Graph *graph, TF_Operation *op, const char *attr_name,
                                      TF_Buffer *attr_value_proto, TF_Status *status);
/* Takes an attr away from a node. */
TF_CAPI_EXPORT extern void TF_ClearAttr(TF_Graph *graph, TF_Operation *op, const char *attr_name,
                                        TF_Status *status);
/* Sets a node's full type from a serialised FullTypeDef. */
TF_CAPI_EXPORT extern void TF_SetFullType(TF_Graph *graph, TF_Operation *op,
                                          const TF_Buffer *full_type_proto);
/* Asks for a device for a node in the graph. */
TF_CAPI_EXPORT extern void TF_SetRequestedDevice(TF_Graph *graph, TF_Operation *op,
                                                 const char *device);
/* With false, ops without a shape function are taken as they are. */
TF_CAPI_EXPORT extern void TF_SetRequireShapeInferenceFns(TF_Graph *graph, bool require);
/* A serialised CppShapeInferenceResult.HandleData: what a resource output refers to. */
TF_CAPI_EXPORT extern TF_Buffer *TF_GetHandleShapeAndType(TF_Graph *graph, TF_Output output);
/* Says what a resource output refers to, by a serialised CppShapeInferenceResult.HandleData. */
TF_CAPI_EXPORT extern void TF_SetHandleShapeAndType(TF_Graph *graph, TF_Output output,
                                                    const void *proto, size_t proto_len,
                                                    TF_Status *status);
/* Adds |new_src| to the inputs of the While node |dst|. */
TF_CAPI_EXPORT extern void TF_AddWhileInputHack(TF_Graph *graph, TF_Output new_src,
                                                TF_Operation *dst, TF_Status *status);

/* ---- sessions -------------------------------------------------------------------------------- */

typedef struct TF_Session TF_Session;

/* A session on |graph|, which must outlive it; the caller's, by TF_DeleteSession. Null on an
 * error: a target that is none, a server that does not answer. Steps of one session may run in
 * several threads. */
TF_CAPI_EXPORT extern TF_Session *TF_NewSession(TF_Graph *graph, const TF_SessionOptions *opts,
                                                TF_Status *status);
/* Reads the SavedModel in |export_dir| whose tags are exactly |tags| into the empty |graph|,
 * restores its variables and initialises it. |run_options| and |meta_graph_def| may be null. */
TF_CAPI_EXPORT extern TF_Session *
TF_LoadSessionFromSavedModel(const TF_SessionOptions *session_options, const TF_Buffer *run_options,
                             const char *export_dir, const char *const *tags, int tags_len,
                             TF_Graph *graph, TF_Buffer *meta_graph_def, TF_Status *status);
/* Gives the session new nodes of its graph now; runs do so by themselves. */
TF_CAPI_EXPORT extern void TF_ExtendSession(TF_Session *session, TF_Status *status);
/* Cancels the steps that run; later ones fail. */
TF_CAPI_EXPORT extern void TF_CloseSession(TF_Session *, TF_Status *status);
/* Frees the session, closing it if need be. Takes null. No step may be running. */
TF_CAPI_EXPORT extern void TF_DeleteSession(TF_Session *, TF_Status *status);

/* One step. |run_options| (a serialised RunOptions) and |run_metadata| (an empty buffer, filled
 * with a RunMetadata) may be null. Inputs stay the caller's; outputs are new tensors, all null on
 * error. */
TF_CAPI_EXPORT extern void TF_SessionRun(TF_Session *session, const TF_Buffer *run_options,
                                         const TF_Output *inputs, TF_Tensor *const *input_values,
                                         int ninputs, const TF_Output *outputs,
                                         TF_Tensor **output_values, int noutputs,
                                         const TF_Operation *const *target_opers, int ntargets,
                                         TF_Buffer *run_metadata, TF_Status *);

/* A step fed and fetched in several calls: first everything that will be, then parts of it. */
TF_CAPI_EXPORT extern void TF_SessionPRunSetup(TF_Session *, const TF_Output *inputs, int ninputs,
                                               const TF_Output *outputs, int noutputs,
                                               const TF_Operation *const *target_opers,
                                               int ntargets, const char **handle, TF_Status *);
/* Goes on with a partial run: feeds some inputs, fetches some outputs, which are the caller's.
 * INVALID_ARGUMENT for what the handle was not set up with. */
TF_CAPI_EXPORT extern void TF_SessionPRun(TF_Session *, const char *handle, const TF_Output *inputs,
                                          TF_Tensor *const *input_values, int ninputs,
                                          const TF_Output *outputs, TF_Tensor **output_values,
                                          int noutputs, const TF_Operation *const *target_opers,
                                          int ntargets, TF_Status *);
/* Frees a handle of TF_SessionPRunSetup. Takes null. */
TF_CAPI_EXPORT extern void TF_DeletePRunHandle(const char *handle);

/* ---- sessions by names, without a graph of their own: kept for old clients ------------------- */

typedef struct TF_DeprecatedSession TF_DeprecatedSession;

/* A session with a graph of its own, to be extended by TF_ExtendGraph; the caller's. */
TF_CAPI_EXPORT extern TF_DeprecatedSession *TF_NewDeprecatedSession(const TF_SessionOptions *,
                                                                    TF_Status *status);
/* Ends its steps; nothing runs afterwards. */
TF_CAPI_EXPORT extern void TF_CloseDeprecatedSession(TF_DeprecatedSession *, TF_Status *status);
/* Frees it. Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteDeprecatedSession(TF_DeprecatedSession *, TF_Status *status);
/* Empties containers of the target (none: all of them). */
TF_CAPI_EXPORT extern void TF_Reset(const TF_SessionOptions *opt, const char **containers,
                                    int ncontainers, TF_Status *status);
/* Adds the nodes of a serialised GraphDef. */
TF_CAPI_EXPORT extern void TF_ExtendGraph(TF_DeprecatedSession *, const void *proto,
                                          size_t proto_len, TF_Status *);
/* Names are "node:0" or "node". */
TF_CAPI_EXPORT extern void TF_Run(TF_DeprecatedSession *, const TF_Buffer *run_options,
                                  const char **input_names, TF_Tensor **inputs, int ninputs,
                                  const char **output_names, TF_Tensor **outputs, int noutputs,
                                  const char **target_oper_names, int ntargets,
                                  TF_Buffer *run_metadata, TF_Status *);
/* Begins a partial run by names; *handle is the caller's, by TF_DeletePRunHandle. */
TF_CAPI_EXPORT extern void TF_PRunSetup(TF_DeprecatedSession *, const char **input_names,
                                        int ninputs, const char **output_names, int noutputs,
                                        const char **target_oper_names, int ntargets,
                                        const char **handle, TF_Status *);
/* Goes on with it, as TF_SessionPRun. */
TF_CAPI_EXPORT extern void TF_PRun(TF_DeprecatedSession *, const char *handle,
                                   const char **input_names, TF_Tensor **inputs, int ninputs,
                                   const char **output_names, TF_Tensor **outputs, int noutputs,
                                   const char **target_oper_names, int ntargets, TF_Status *);

/* ---- devices --------------------------------------------------------------------------------- */

typedef struct TF_DeviceList TF_DeviceList;

/* The devices that a session's nodes can be on; the caller's, by TF_DeleteDeviceList. Null on
 * an error. */
TF_CAPI_EXPORT extern TF_DeviceList *TF_SessionListDevices(TF_Session *session, TF_Status *status);
/* The same of a session with a graph of its own. */
TF_CAPI_EXPORT extern TF_DeviceList *TF_DeprecatedSessionListDevices(TF_DeprecatedSession *session,
                                                                     TF_Status *status);
/* Frees the list and its names. Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteDeviceList(TF_DeviceList *list);
/* How many devices it has. */
TF_CAPI_EXPORT extern int TF_DeviceListCount(const TF_DeviceList *list);
/* Strings live as long as the list. */
TF_CAPI_EXPORT extern const char *TF_DeviceListName(const TF_DeviceList *list, int index,
                                                    TF_Status *status);
/* "CPU", "GPU"; the list's. Null and INVALID_ARGUMENT when |index| is out of bounds. */
TF_CAPI_EXPORT extern const char *TF_DeviceListType(const TF_DeviceList *list, int index,
                                                    TF_Status *status);
/* The device's memory; -1 and INVALID_ARGUMENT when |index| is out of bounds. */
TF_CAPI_EXPORT extern int64_t TF_DeviceListMemoryBytes(const TF_DeviceList *list, int index,
                                                       TF_Status *status);
/* Differs every time the device's process starts. */
TF_CAPI_EXPORT extern uint64_t TF_DeviceListIncarnation(const TF_DeviceList *list, int index,
                                                        TF_Status *status);

/* ---- the catalogue of ops -------------------------------------------------------------------- */

typedef struct TF_Library TF_Library;
typedef struct TF_ApiDefMap TF_ApiDefMap;

/* Opens a shared library of further ops. */
TF_CAPI_EXPORT extern TF_Library *TF_LoadLibrary(const char *library_filename, TF_Status *status);
/* A serialised OpList of the ops it brought; lives as long as the handle. */
TF_CAPI_EXPORT extern TF_Buffer TF_GetOpList(TF_Library *lib_handle);
/* Frees the handle; the ops stay. Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteLibraryHandle(TF_Library *lib_handle);
/* All ops as a serialised OpList; the caller's, by TF_DeleteBuffer. */
TF_CAPI_EXPORT extern TF_Buffer *TF_GetAllOpList(void);                         /* OpList */
TF_CAPI_EXPORT extern TF_Buffer *TF_GetAllRegisteredKernels(TF_Status *status); /* KernelList */
/* A KernelList of one op, empty when there is no such op; the caller's, by TF_DeleteBuffer. */
TF_CAPI_EXPORT extern TF_Buffer *TF_GetRegisteredKernelsForOp(const char *name, TF_Status *status);

/* Descriptions of ops: starts from a serialised OpList; ApiDefs in text form are laid over it. */
TF_CAPI_EXPORT extern TF_ApiDefMap *TF_NewApiDefMap(TF_Buffer *op_list_buffer, TF_Status *status);
/* Frees it. Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteApiDefMap(TF_ApiDefMap *apimap);
/* Adds ApiDefs in text form, which win over those that are there. INVALID_ARGUMENT when the
 * text is none. */
TF_CAPI_EXPORT extern void TF_ApiDefMapPut(TF_ApiDefMap *api_def_map, const char *text,
                                           size_t text_len, TF_Status *status);
/* A serialised ApiDef. */
TF_CAPI_EXPORT extern TF_Buffer *TF_ApiDefMapGet(TF_ApiDefMap *api_def_map, const char *name,
                                                 size_t name_len, TF_Status *status);

/* ---- a server in this process ---------------------------------------------------------------- */

typedef struct TF_Server TF_Server;

/* A task from a serialised ServerDef, not started; the caller's, by TF_DeleteServer. Null on an
 * error. */
TF_CAPI_EXPORT extern TF_Server *TF_NewServer(const void *proto, size_t proto_len,
                                              TF_Status *status);
/* Listens. A server that was stopped cannot be started again. */
TF_CAPI_EXPORT extern void TF_ServerStart(TF_Server *server, TF_Status *status);
/* Ends it: calls in progress fail with CANCELLED. */
TF_CAPI_EXPORT extern void TF_ServerStop(TF_Server *server, TF_Status *status);
/* Waits until it was stopped, from another thread. */
TF_CAPI_EXPORT extern void TF_ServerJoin(TF_Server *server, TF_Status *status);
/* "grpc://host:port", for sessions; the server's. */
TF_CAPI_EXPORT extern const char *TF_ServerTarget(TF_Server *server);
/* Stops and frees it. Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteServer(TF_Server *server);

/* ---- the rest -------------------------------------------------------------------------------- */

/* Every line of the log also goes to |listener|. */
TF_CAPI_EXPORT extern void TF_RegisterLogListener(void (*listener)(const char *));
/* UNIMPLEMENTED: Weir reads and writes local files only. */
TF_CAPI_EXPORT extern void TF_RegisterFilesystemPlugin(const char *plugin_filename,
                                                       TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
