/* ops/common/strs.h - string tensors as ops read and write them. */
#ifndef WEIR_OPS_COMMON_STRS_H
#define WEIR_OPS_COMMON_STRS_H

#include "op/op.h"
#include "tensor/tstring.h"

static inline weir_str weir_str_at(const weir_tensor *t, int64_t i)
{
    return weir_tstring_get((const weir_tstring *)t->data + i);
}
static inline void weir_str_put(const weir_tensor *t, int64_t i, weir_str s)
{
    weir_tstring_set((weir_tstring *)t->data + i, s.at, s.length);
}
/* Moves the bytes of |b| into element |i|; |b| is empty again. */
static inline void weir_str_put_buf(const weir_tensor *t, int64_t i, weir_buf *b)
{
    weir_str_put(t, i, (weir_str){b->at, b->length});
    weir_buf_fini(b);
}
/* A terminated copy that the caller frees: for paths. */
static inline char *weir_str_copy_at(const weir_tensor *t, int64_t i)
{
    weir_str s = weir_str_at(t, i);
    return weir_strndup(s.at, s.length);
}
/* Sets output |o| to a string scalar. */
WEIR_CHECKED static inline weir_status weir_call_put_str(weir_call *c, int o, weir_str s)
{
    if (!weir_out(c, o)->buffer)
        WEIR_TRY(weir_call_alloc(c, o, &WEIR_SCALAR));
    weir_str_put(weir_out(c, o), 0, s);
    return WEIR_OK;
}

#endif
