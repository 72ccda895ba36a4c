/* capi/checkpoint.c - TF_CheckpointReader. */
#include "io/checkpoint.h"
#include "capi/capi_impl.h"
#include "tensorflow/c/c_api_experimental.h"

struct TF_CheckpointReader {
    weir_checkpoint *checkpoint;
    char **names; /* terminated, as the API gives them out */
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
    TF_CheckpointReader *r = WEIR_NEW(TF_CheckpointReader);
    r->checkpoint = checkpoint;
    r->count = weir_checkpoint_count(checkpoint);
    r->names = WEIR_NEW_ARRAY(char *, r->count);
    for (size_t i = 0; i < r->count; i++)
        r->names[i] = name_of(weir_checkpoint_at(checkpoint, i));
    return r;
}

void TF_DeleteCheckpointReader(TF_CheckpointReader *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->count; i++)
        weir_free(r->names[i]);
    weir_free(r->names);
    weir_checkpoint_destroy(r->checkpoint);
    weir_free(r);
}

int TF_CheckpointReaderSize(TF_CheckpointReader *r)
{
    return (int)r->count;
}

const char *TF_CheckpointReaderGetVariable(TF_CheckpointReader *r, int index)
{
    return index >= 0 && (size_t)index < r->count ? r->names[index] : NULL;
}

static bool find(TF_CheckpointReader *r, const char *name, weir_tensor_info *info)
{
    return weir_checkpoint_find(r->checkpoint, weir_str_of(name), info);
}

int TF_CheckpointReaderHasTensor(TF_CheckpointReader *r, const char *name)
{
    weir_tensor_info info;
    return find(r, name, &info);
}

TF_DataType TF_CheckpointReaderGetVariableDataType(TF_CheckpointReader *r, const char *name)
{
    weir_tensor_info info;
    return (TF_DataType)(find(r, name, &info) ? info.dtype : WEIR_DT_INVALID);
}

int TF_CheckpointReaderGetVariableNumDims(TF_CheckpointReader *r, const char *name)
{
    weir_tensor_info info;
    return find(r, name, &info) ? info.shape.rank : -1;
}

static weir_status get_shape(TF_CheckpointReader *r, const char *name, int64_t *dims, int num_dims)
{
    weir_tensor_info info;
    if (!find(r, name, &info))
        return weir_error(WEIR_NOT_FOUND, "Key %s not found in checkpoint", name);
    if (num_dims != info.shape.rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected rank is %d but actual rank is %d",
                          num_dims, info.shape.rank);
    for (int i = 0; i < num_dims; i++)
        dims[i] = info.shape.dims[i];
    return WEIR_OK;
}

void TF_CheckpointReaderGetVariableShape(TF_CheckpointReader *r, const char *name, int64_t *dims,
                                         int num_dims, TF_Status *status)
{
    weir_capi_end(status, get_shape(r, name, dims, num_dims));
}

TF_Tensor *TF_CheckpointReaderGetTensor(TF_CheckpointReader *r, const char *name, TF_Status *status)
{
    weir_tensor t;
    weir_status s = weir_checkpoint_read(r->checkpoint, weir_str_of(name), NULL, &t);
    return weir_capi_end(status, s) ? weir_capi_tensor(t) : NULL;
}
