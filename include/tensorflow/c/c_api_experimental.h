/* tensorflow/c/c_api_experimental.h - checkpoints, shape inference and switches.
 *
 * The part of TensorFlow's experimental API that this library has. Its functions may change more
 * readily than those of c_api.h.
 */
#ifndef TENSORFLOW_C_C_API_EXPERIMENTAL_H_
#define TENSORFLOW_C_C_API_EXPERIMENTAL_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/eager/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- switches of TensorFlow's compiler ------------------------------------------------------- */

/* There is no such compiler here: the switches keep their values and change nothing else. Setters
 * that return a value return the old one. */
TF_CAPI_EXPORT extern void TF_EnableXLACompilation(TF_SessionOptions *options,
                                                   unsigned char enable);
/* Keeps the value and returns the one before it. Thread-safe, as the switches below. */
TF_CAPI_EXPORT extern unsigned char TF_SetXlaEnableLazyCompilation(unsigned char enable);
/* Keeps the value and returns the one before it. */
TF_CAPI_EXPORT extern unsigned char TF_SetTfXlaCpuGlobalJit(unsigned char enable);
/* Keeps whether |mode| asks for compilation: a number above 0, or "fusible". The string is not
 * kept. */
TF_CAPI_EXPORT extern void TF_SetXlaAutoJitMode(const char *mode);
/* 1 when the last TF_SetXlaAutoJitMode asked for compilation. */
TF_CAPI_EXPORT extern unsigned char TF_GetXlaAutoJitEnabled(void);
/* Does nothing. */
TF_CAPI_EXPORT extern void TF_SetXlaMinClusterSize(int size);
/* What TF_SetXlaConstantFoldingDisabled kept; 0 at first. */
TF_CAPI_EXPORT extern unsigned char TF_GetXlaConstantFoldingDisabled(void);
/* Keeps the value. Constants are folded all the same. */
TF_CAPI_EXPORT extern void TF_SetXlaConstantFoldingDisabled(unsigned char should_enable);

/* ---- ready-made messages --------------------------------------------------------------------- */

/* A serialised ConfigProto. */
TF_CAPI_EXPORT extern TF_Buffer *TF_CreateConfig(unsigned char enable_xla_compilation,
                                                 unsigned char gpu_memory_allow_growth,
                                                 unsigned int num_cpu_devices);
/* A serialised RunOptions. */
TF_CAPI_EXPORT extern TF_Buffer *TF_CreateRunOptions(unsigned char enable_full_trace);

/* ---- graphs and ops -------------------------------------------------------------------------- */

/* A text for people, one node a line; ended by free(). |len| may be null. */
TF_CAPI_EXPORT extern const char *TF_GraphDebugString(TF_Graph *graph, size_t *len);
/* As TF_GraphDebugString, of a function: its nodes, and what it returns. */
TF_CAPI_EXPORT extern char *TF_FunctionDebugString(TF_Function *func, size_t *len);
/* Takes a function out of the graph. INVALID_ARGUMENT when there is none of that name. Thread-safe.
 */
TF_CAPI_EXPORT extern void TF_GraphRemoveFunction(TF_Graph *g, const char *func_name,
                                                  TF_Status *status);
/* Does nothing: constraints that name missing nodes are never refused. */
TF_CAPI_EXPORT extern void
TF_ImportGraphDefOptionsSetValidateColocationConstraints(TF_ImportGraphDefOptions *opts,
                                                         unsigned char enable);
/* The attr that holds the length of a list argument; null when the argument is no such list. The
 * string lives as long as the process. */
TF_CAPI_EXPORT extern const char *
TF_GetNumberAttrForOpListInput(const char *op_name, int input_index, TF_Status *status);
/* 1 when the op has effects or keeps state, else 0; 0 and NOT_FOUND when there is no such op
 * type. */
TF_CAPI_EXPORT extern int TF_OpIsStateful(const char *op_type, TF_Status *status);

/* Whether some device type has a kernel for an op with given types. */
typedef struct TF_AttrBuilder TF_AttrBuilder;
/* The caller ends it with TF_DeleteAttrBuilder. The name is copied, and looked up only when a
 * device is asked for. One thread at a time. */
TF_CAPI_EXPORT extern TF_AttrBuilder *TF_NewAttrBuilder(const char *op_name);
/* Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteAttrBuilder(TF_AttrBuilder *builder);
/* Sets an attr of kind type; a second value takes the place of the first. */
TF_CAPI_EXPORT extern void TF_AttrBuilderSetType(TF_AttrBuilder *builder, const char *attr_name,
                                                 TF_DataType value);
/* Sets an attr of kind list(type). The values are copied. */
TF_CAPI_EXPORT extern void TF_AttrBuilderSetTypeList(TF_AttrBuilder *builder, const char *attr_name,
                                                     const TF_DataType *values, int num_values);
/* OK when a kernel serves these types on |device_type|, "CPU" or "GPU"; NOT_FOUND when none does
 * or there is no such op, INVALID_ARGUMENT for other device types. */
TF_CAPI_EXPORT extern void TF_AttrBuilderCheckCanRunOnDevice(TF_AttrBuilder *builder,
                                                             const char *device_type,
                                                             TF_Status *status);

/* ---- checkpoints ----------------------------------------------------------------------------- */

/* Reads tensors by name from the checkpoint whose files start with |filename|. */
typedef struct TF_CheckpointReader TF_CheckpointReader;
/* The caller ends it with TF_DeleteCheckpointReader. Null when there is no checkpoint (NOT_FOUND)
 * or it is damaged (DATA_LOSS). Both formats are read; any number of threads may read at once. */
TF_CAPI_EXPORT extern TF_CheckpointReader *TF_NewCheckpointReader(const char *filename,
                                                                  TF_Status *status);
/* Takes null. Tensors that were read stay. */
TF_CAPI_EXPORT extern void TF_DeleteCheckpointReader(TF_CheckpointReader *reader);
/* 1 when the checkpoint has the tensor, else 0. */
TF_CAPI_EXPORT extern int TF_CheckpointReaderHasTensor(TF_CheckpointReader *reader,
                                                       const char *name);
/* How many tensors it has. */
TF_CAPI_EXPORT extern int TF_CheckpointReaderSize(TF_CheckpointReader *reader);
/* The name of tensor |index|, in order; null past the end. */
TF_CAPI_EXPORT extern const char *TF_CheckpointReaderGetVariable(TF_CheckpointReader *reader,
                                                                 int index);
/* 0 when there is no such tensor. */
TF_CAPI_EXPORT extern TF_DataType
TF_CheckpointReaderGetVariableDataType(TF_CheckpointReader *reader, const char *name);
/* -1 when there is no such tensor. */
TF_CAPI_EXPORT extern int TF_CheckpointReaderGetVariableNumDims(TF_CheckpointReader *reader,
                                                                const char *name);
/* Writes the sizes to |dims|, which has room for |num_dims|. NOT_FOUND when there is no such
 * tensor, INVALID_ARGUMENT when its rank is another. */
TF_CAPI_EXPORT extern void TF_CheckpointReaderGetVariableShape(TF_CheckpointReader *reader,
                                                               const char *name, int64_t *dims,
                                                               int num_dims, TF_Status *status);
/* Reads all of the tensor and verifies its checksum; the caller deletes it. Null with NOT_FOUND,
 * or DATA_LOSS when bytes are damaged. */
TF_CAPI_EXPORT extern TF_Tensor *TF_CheckpointReaderGetTensor(TF_CheckpointReader *reader,
                                                              const char *name, TF_Status *status);

/* ---- shapes of eager ops --------------------------------------------------------------------- */

typedef struct TF_ShapeAndType {
    int num_dims;  /* -1: unknown rank */
    int64_t *dims; /* -1: unknown */
    TF_DataType dtype;
} TF_ShapeAndType;

typedef struct TF_ShapeAndTypeList {
    int num_items;
    TF_ShapeAndType *items;
} TF_ShapeAndTypeList;

/* A list of |num_shapes| scalars of no type; the caller ends it with TF_DeleteShapeAndTypeList.
 * One thread at a time. */
TF_CAPI_EXPORT extern TF_ShapeAndTypeList *TF_NewShapeAndTypeList(int num_shapes);
/* Copies |dims| into item |index|, which must be below the number of items. */
TF_CAPI_EXPORT extern void TF_ShapeAndTypeListSetShape(TF_ShapeAndTypeList *shape_list, int index,
                                                       const int64_t *dims, int num_dims);
/* The rank of item |index|, which must be below the number of items, is not known. */
TF_CAPI_EXPORT extern void TF_ShapeAndTypeListSetUnknownShape(TF_ShapeAndTypeList *shape_list,
                                                              int index);
/* Sets the type of item |index|, which must be below the number of items. */
TF_CAPI_EXPORT extern void TF_ShapeAndTypeListSetDtype(TF_ShapeAndTypeList *shape_list, int index,
                                                       TF_DataType dtype);
/* Takes null. */
TF_CAPI_EXPORT extern void TF_DeleteShapeAndTypeList(TF_ShapeAndTypeList *shape_list);
/* Ends the lists and the array of them. Takes null, for the array and for its entries. */
TF_CAPI_EXPORT extern void TF_DeleteShapeAndTypeListArray(TF_ShapeAndTypeList **shape_list_array,
                                                          int num_items);
/* Infers the shapes of |op|'s outputs from those of its inputs. |input_tensors| (values that are
 * known; entries may be null) and |input_tensor_as_shapes| may be null; what resources refer to is
 * not followed. */
TF_CAPI_EXPORT extern void TFE_InferShapes(TFE_Op *op, TF_ShapeAndTypeList *input_shapes,
                                           TF_Tensor **input_tensors,
                                           TF_ShapeAndTypeList *input_tensor_as_shapes,
                                           TF_ShapeAndTypeList **input_resource_shapes_and_types,
                                           TF_ShapeAndTypeList **output_shapes,
                                           TF_ShapeAndTypeList ***output_resource_shapes_and_types,
                                           TF_Status *status);

/* ---- the rest -------------------------------------------------------------------------------- */

/* |len| bytes at |data| as a scalar. */
TF_CAPI_EXPORT extern TFE_TensorHandle *
TFE_NewTensorHandleFromScalar(TF_DataType data_type, void *data, size_t len, TF_Status *status);
/* Makes |status| an INTERNAL error with a copy of the message. */
TF_CAPI_EXPORT extern void TF_MakeInternalErrorStatus(TF_Status *status, const char *errMsg);
TF_CAPI_EXPORT extern void TF_InitMain(const char *usage, int *argc,
                                       char ***argv); /* does nothing */
/* A TCP port that nothing listened on a moment ago. Ends the process when the system gives none. */
TF_CAPI_EXPORT extern int TF_PickUnusedPortOrDie(void);
/* Null with UNIMPLEMENTED: devices cannot be added by libraries. */
TF_CAPI_EXPORT extern TF_Library *TF_LoadPluggableDeviceLibrary(const char *library_filename,
                                                                TF_Status *status);
/* As TF_DeleteLibraryHandle. Takes null. */
TF_CAPI_EXPORT extern void TF_DeletePluggableDeviceLibraryHandle(TF_Library *lib_handle);

#ifdef __cplusplus
}
#endif

#endif
