/* ops/common/strs.h - access to string tensors. */
#ifndef WEIR_OPS_COMMON_STRS_H
#define WEIR_OPS_COMMON_STRS_H

#include "op/op.h"
#include "tensor/tstring.h"

static inline weir_str weir_str_at(const weir_tensor *tensor, int64_t i)
{
    return weir_tstring_get((const weir_tstring *)tensor->data + i);
}
static inline void weir_str_put(const weir_tensor *tensor, int64_t i, weir_str text)
{
    weir_tstring_set((weir_tstring *)tensor->data + i, text.at, text.length);
}
/* Moves the bytes of |buf| into element |i|; |buf| is empty again. */
static inline void weir_str_put_buf(const weir_tensor *tensor, int64_t i, weir_buf *buf)
{
    weir_str_put(tensor, i, weir_view(buf));
    weir_buf_fini(buf);
}
/* A null-terminated copy that the caller frees: for paths. */
static inline char *weir_str_copy_at(const weir_tensor *tensor, int64_t i)
{
    weir_str text = weir_str_at(tensor, i);
    return weir_strndup(text.at, text.length);
}
/* Sets output |o| to a string scalar. */
WEIR_CHECKED static inline weir_status weir_call_put_str(weir_call *call, int o, weir_str text)
{
    if (!weir_out(call, o)->buffer)
        WEIR_TRY(weir_call_alloc(call, o, &WEIR_SCALAR));
    weir_str_put(weir_out(call, o), 0, text);
    return WEIR_OK;
}

#endif
