/* capi/checkpoint.c - TF_CheckpointReader. */
#include "io/checkpoint.h"
#include "capi/capi_impl.h"
#include "tensorflow/c/c_api_experimental.h"

struct TF_CheckpointReader {
    weir_checkpoint *checkpoint;
    char **names; /* NUL-terminated, for the API */
    size_t count;
};

static char *name_of(weir_tensor_info info)
{
    return weir_strndup(info.name.at, info.name.length);
}

TF_CheckpointReader *TF_NewCheckpointReader(const char *filename, TF_Status *status)
{
    weir_checkpoint *checkpoint;
    if (!weir_capi_end(status, weir_checkpoint_open(filename, &checkpoint)))
        return NULL;
    TF_CheckpointReader *reader = WEIR_NEW(TF_CheckpointReader);
    reader->checkpoint = checkpoint;
    reader->count = weir_checkpoint_count(checkpoint);
    reader->names = WEIR_NEW_ARRAY(char *, reader->count);
    for (size_t i = 0; i < reader->count; i++)
        reader->names[i] = name_of(weir_checkpoint_at(checkpoint, i));
    return reader;
}

void TF_DeleteCheckpointReader(TF_CheckpointReader *reader)
{
    if (!reader)
        return;
    for (size_t i = 0; i < reader->count; i++)
        weir_free(reader->names[i]);
    weir_free(reader->names);
    weir_checkpoint_destroy(reader->checkpoint);
    weir_free(reader);
}

int TF_CheckpointReaderSize(TF_CheckpointReader *reader)
{
    return (int)reader->count;
}

const char *TF_CheckpointReaderGetVariable(TF_CheckpointReader *reader, int index)
{
    return index >= 0 && (size_t)index < reader->count ? reader->names[index] : NULL;
}

static bool find(TF_CheckpointReader *reader, const char *name, weir_tensor_info *info)
{
    return weir_checkpoint_find(reader->checkpoint, weir_str_of(name), info);
}

int TF_CheckpointReaderHasTensor(TF_CheckpointReader *reader, const char *name)
{
    weir_tensor_info info;
    return find(reader, name, &info);
}

TF_DataType TF_CheckpointReaderGetVariableDataType(TF_CheckpointReader *reader, const char *name)
{
    weir_tensor_info info;
    return (TF_DataType)(find(reader, name, &info) ? info.dtype : WEIR_DT_INVALID);
}

int TF_CheckpointReaderGetVariableNumDims(TF_CheckpointReader *reader, const char *name)
{
    weir_tensor_info info;
    return find(reader, name, &info) ? info.shape.rank : -1;
}

static weir_status get_shape(TF_CheckpointReader *reader, const char *name, int64_t *dims,
                             int num_dims)
{
    weir_tensor_info info;
    if (!find(reader, name, &info))
        return weir_error(WEIR_NOT_FOUND, "Key %s not found in checkpoint", name);
    if (num_dims != info.shape.rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected rank is %d but actual rank is %d",
                          num_dims, info.shape.rank);
    for (int i = 0; i < num_dims; i++)
        dims[i] = info.shape.dims[i];
    return WEIR_OK;
}

void TF_CheckpointReaderGetVariableShape(TF_CheckpointReader *reader, const char *name,
                                         int64_t *dims, int num_dims, TF_Status *status)
{
    weir_capi_end(status, get_shape(reader, name, dims, num_dims));
}

TF_Tensor *TF_CheckpointReaderGetTensor(TF_CheckpointReader *reader, const char *name,
                                        TF_Status *status)
{
    weir_tensor tensor;
    weir_status result = weir_checkpoint_read(reader->checkpoint, weir_str_of(name), NULL, &tensor);
    return weir_capi_end(status, result) ? weir_capi_tensor(tensor) : NULL;
}
