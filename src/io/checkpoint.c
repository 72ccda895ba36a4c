/* io/checkpoint.c - which format a checkpoint is in. */
#include "io/checkpoint.h"

struct weir_checkpoint {
    weir_bundle *v2; /* one of the two */
    weir_v1 *v1;
};

weir_status weir_checkpoint_open(const char *prefix, weir_checkpoint **out_checkpoint)
{
    WEIR_OWNED(weir_checkpoint) c = WEIR_NEW(weir_checkpoint);
    if (weir_bundle_exists(prefix))
        WEIR_TRY(weir_bundle_open(prefix, &c->v2));
    else
        WEIR_TRY(weir_v1_open(prefix, &c->v1));
    *out_checkpoint = WEIR_TAKE(c);
    return WEIR_OK;
}

void weir_checkpoint_destroy(weir_checkpoint *c)
{
    if (!c)
        return;
    weir_bundle_destroy(c->v2);
    weir_v1_destroy(c->v1);
    weir_free(c);
}

size_t weir_checkpoint_count(const weir_checkpoint *c)
{
    return c->v2 ? weir_bundle_count(c->v2) : weir_v1_count(c->v1);
}

weir_tensor_info weir_checkpoint_at(const weir_checkpoint *c, size_t i)
{
    return c->v2 ? weir_bundle_at(c->v2, i) : weir_v1_at(c->v1, i);
}

bool weir_checkpoint_find(const weir_checkpoint *c, weir_str name, weir_tensor_info *out_info)
{
    return c->v2 ? weir_bundle_find(c->v2, name, out_info) : weir_v1_find(c->v1, name, out_info);
}

weir_status weir_checkpoint_read(weir_checkpoint *c, weir_str name, const weir_slice *s,
                                 weir_tensor *out_tensor)
{
    return c->v2 ? weir_bundle_read(c->v2, name, s, out_tensor)
                 : weir_v1_read(c->v1, name, s, out_tensor);
}
