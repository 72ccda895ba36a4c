/* io/checkpoint.c - detects a checkpoint's format. */
#include "io/checkpoint.h"

struct weir_checkpoint {
    weir_bundle *v2; /* one of the two */
    weir_v1 *v1;
};

weir_status weir_checkpoint_open(const char *prefix, weir_checkpoint **out_checkpoint)
{
    WEIR_OWNED(weir_checkpoint) checkpoint = WEIR_NEW(weir_checkpoint);
    if (weir_bundle_exists(prefix))
        WEIR_TRY(weir_bundle_open(prefix, &checkpoint->v2));
    else
        WEIR_TRY(weir_v1_open(prefix, &checkpoint->v1));
    *out_checkpoint = WEIR_TAKE(checkpoint);
    return WEIR_OK;
}

void weir_checkpoint_destroy(weir_checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    weir_bundle_destroy(checkpoint->v2);
    weir_v1_destroy(checkpoint->v1);
    weir_free(checkpoint);
}

size_t weir_checkpoint_count(const weir_checkpoint *checkpoint)
{
    return checkpoint->v2 ? weir_bundle_count(checkpoint->v2) : weir_v1_count(checkpoint->v1);
}

weir_tensor_info weir_checkpoint_at(const weir_checkpoint *checkpoint, size_t i)
{
    return checkpoint->v2 ? weir_bundle_at(checkpoint->v2, i) : weir_v1_at(checkpoint->v1, i);
}

bool weir_checkpoint_find(const weir_checkpoint *checkpoint, weir_str name,
                          weir_tensor_info *out_info)
{
    return checkpoint->v2 ? weir_bundle_find(checkpoint->v2, name, out_info)
                          : weir_v1_find(checkpoint->v1, name, out_info);
}

weir_status weir_checkpoint_read(weir_checkpoint *checkpoint, weir_str name,
                                 const weir_slice *slice, weir_tensor *out_tensor)
{
    return checkpoint->v2 ? weir_bundle_read(checkpoint->v2, name, slice, out_tensor)
                          : weir_v1_read(checkpoint->v1, name, slice, out_tensor);
}
