/* ops/summary/summary.h - appends values to a Summary message. */
#ifndef WEIR_OPS_SUMMARY_SUMMARY_H
#define WEIR_OPS_SUMMARY_SUMMARY_H

#include "op/op.h"
#include "ops/common/strs.h"
#include "wire/messages.h"

/* Appends one value to a Summary. */
static inline void weir_summary_add(weir_buf *summary, const weir_msg_summary_value *value)
{
    weir_msg_summary_write(&(weir_msg_summary){.value = {value, 1}}, summary);
}
/* A tensor value; |metadata| is serialised; null: none. */
WEIR_CHECKED weir_status weir_summary_add_tensor(weir_str tag, const char *node,
                                                 const weir_tensor *tensor,
                                                 const weir_str *metadata, weir_buf *summary);
/* Each appends values to a Summary. */
WEIR_CHECKED weir_status weir_summary_add_scalars(const weir_tensor *tags,
                                                  const weir_tensor *values, weir_buf *summary);
/* |node| is named in the error for a non-finite value. */
WEIR_CHECKED weir_status weir_summary_add_histogram(const char *node, weir_str tag,
                                                    const weir_tensor *values, weir_buf *summary);
WEIR_CHECKED weir_status weir_summary_add_images(weir_str tag, const weir_tensor *images,
                                                 const weir_tensor *bad_color, int64_t most,
                                                 weir_buf *summary);
WEIR_CHECKED weir_status weir_summary_add_sounds(weir_str tag, const weir_tensor *sounds,
                                                 float sample_rate, int64_t most,
                                                 weir_buf *summary);

/* The tag of value |i|: image and audio summaries number them if there can be several. */
static inline void weir_summary_tag(weir_str tag, const char *kind, int64_t i, int64_t most,
                                    weir_buf *out)
{
    weir_buf_add(out, tag.at, tag.length);
    weir_buf_addf(out, most > 1 ? "/%s/%lld" : "/%s", kind, (long long)i);
}

#endif
