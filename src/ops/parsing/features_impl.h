/* ops/parsing/features_impl.h - features of examples into dense, sparse and ragged tensors.
 *
 * An op fills in a weir_features: which features it wants, as what, and to which outputs. The
 * engines here do the rest: weir_features_run for single features (examples, and the context of
 * sequence examples), weir_lists_run for lists of them.
 */
#ifndef WEIR_OPS_PARSING_FEATURES_IMPL_H
#define WEIR_OPS_PARSING_FEATURES_IMPL_H

#include "io/example.h"
#include "op/op.h"
#include "ops/common/strs.h"

typedef enum weir_feature_form { WEIR_DENSE, WEIR_SPARSE, WEIR_RAGGED } weir_feature_form;

typedef struct weir_feature_want {
    weir_str key;
    weir_dtype dtype;
    weir_feature_form form;
    int out[3];                   /* dense: values, lengths; sparse: indices, values, shape;
                                     ragged: values, splits, inner splits */
    weir_shape shape;             /* dense: of one value; the first dimension may be unknown */
    const weir_tensor *otherwise; /* dense: when missing, or padding; null or empty: required */
    bool may_miss;                /* dense list: missing is empty */
    int same;                     /* another want of the same key, or -1 */
} weir_feature_want;

/* What a message has under the key of a want. */
typedef struct weir_found {
    weir_str bytes;            /* at is null: nothing */
    const weir_feature *steps; /* of a list, once it is read ... */
    int64_t count;             /* ... and how many */
} weir_found;

typedef struct weir_features {
    weir_call *call;
    uint32_t outer;            /* field of the message that holds them; see io/example.h */
    const weir_tensor *inputs; /* serialised messages */
    const weir_tensor *names;  /* of the messages, for errors; null or empty: none */
    bool batched;              /* outputs have a dimension for the messages */
    bool scalar_splits;        /* without a batch, row splits are scalars, not empty */
    bool single;               /* one Example, not a batch: errors are worded as for one */
    bool plain_errors;         /* a missing feature is told without the message's name */
    int64_t count;             /* messages */
    WEIR_VEC(weir_feature_want) wants;
    weir_map by_key;   /* number of a want + 1 */
    weir_found *found; /* [count][wants] */
    weir_arena arena;  /* of what is read */
} weir_features;

/* Adds a want; its |same| is set here. */
void weir_features_add(weir_features *f, weir_feature_want want);
void weir_features_fini(weir_features *f);

WEIR_CHECKED weir_status weir_features_run(weir_features *f);
WEIR_CHECKED weir_status weir_lists_run(weir_features *f);

/* "Name: x, Key: k, Index: i.  " of message |i|. */
WEIR_CHECKED weir_status weir_features_error(const weir_features *f, const weir_feature_want *w,
                                             int64_t i, const char *fmt, ...) WEIR_PRINTF(4, 5);
weir_str weir_features_name(const weir_features *f, int64_t i); /* "<unknown>" without names */
/* What message |i| has for want |w|. */
static inline weir_found *weir_features_found(const weir_features *f, size_t w, int64_t i)
{
    return &f->found[(size_t)i * f->wants.count + w];
}
/* Finds every wanted value; part of both runs. */
WEIR_CHECKED weir_status weir_features_find(weir_features *f);
/* The shape of row splits of messages. */
weir_shape weir_features_splits(const weir_features *f);
/* Writes a row split of int32 or int64. */
void weir_put_split(weir_tensor *t, int64_t i, int64_t v);

/* ---- shape inference ------------------------------------------------------------------------- */

/* Sets the outputs of one argument each; |rank| is 1 for a batch, 0 for one message. */
void weir_infer_sparse(weir_infer *i, weir_range indices, weir_range values, weir_range shapes,
                       int rank);
/* [batch] + shape for each of |out|; attr |shapes| lists the shapes. */
WEIR_CHECKED weir_status weir_infer_dense(weir_infer *i, weir_range out, int shapes,
                                          const weir_shape *batch);

#endif
