/* native/checkpoint_file.c - weir/checkpoint.h: writes, rotates and converts checkpoints. */
#include "weir/checkpoint.h"

#include "capi/capi.h"
#include "io/checkpoint.h"
#include "io/tensors.h"

static weir_status save(const char *prefix, const char *const *names, TF_Tensor *const *tensors,
                        int count)
{
    WEIR_OWNED(weir_bundle_writer) writer = NULL;
    WEIR_TRY(weir_bundle_writer_create(prefix, &writer));
    for (int i = 0; i < count; i++)
        WEIR_TRY(
            weir_bundle_writer_add(writer, weir_str_of(names[i]), weir_capi_tensor_of(tensors[i])));
    return weir_bundle_writer_finish(WEIR_TAKE(writer));
}

void weir_checkpoint_save(const char *prefix, const char *const *names, TF_Tensor *const *tensors,
                          int count, TF_Status *status)
{
    weir_capi_end(status, save(prefix, names, tensors, count));
}

void weir_checkpoint_advance(const char *dir, const char *prefix, int keep, TF_Status *status)
{
    weir_capi_end(status, weir_checkpoint_state_advance(dir, prefix, keep));
}

TF_Buffer *weir_checkpoint_latest(const char *dir, TF_Status *status)
{
    weir_checkpoint_state state = {0};
    TF_Buffer *latest = NULL;
    weir_status result = weir_checkpoint_state_read(dir, &state);
    if (weir_status_code(result) == WEIR_NOT_FOUND) {
        weir_status_free(result);
        result = WEIR_OK;
    }
    if (state.latest) {
        weir_buf path = {0};
        weir_buf_adds(&path, state.latest);
        latest = weir_capi_buffer(&path);
    }
    weir_checkpoint_state_fini(&state);
    weir_capi_end(status, result);
    return latest;
}

void weir_checkpoint_delete(const char *prefix, TF_Status *status)
{
    weir_capi_end(status, weir_checkpoint_remove(prefix));
}

static weir_status convert(const char *from, const char *to, weir_checkpoint_format format)
{
    WEIR_OWNED(weir_tensors) tensors = NULL;
    WEIR_TRY(weir_tensors_open(from, &tensors));
    return weir_tensors_write(tensors, to, (weir_tensors_format)format);
}

void weir_checkpoint_convert(const char *from, const char *to, weir_checkpoint_format format,
                             TF_Status *status)
{
    weir_capi_end(status, convert(from, to, format));
}
