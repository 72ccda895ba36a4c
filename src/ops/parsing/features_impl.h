/* ops/parsing/features_impl.h - parses features of examples into dense, sparse and ragged tensors.
 *
 * An op fills in a weir_features: the requested features, their form and their outputs. Then
 * weir_features_run parses single features (examples, and the context of sequence examples), and
 * weir_lists_run parses lists of them.
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
    const weir_tensor *otherwise; /* dense: default or padding value; null or empty: required */
    bool may_miss;                /* dense list: a missing one is empty */
    int same;                     /* another request with the same key, or -1 */
} weir_feature_want;

/* The value found in a message for one request. */
typedef struct weir_found {
    weir_str bytes;            /* at is null: not present */
    const weir_feature *steps; /* of a list, once parsed ... */
    int64_t count;             /* ... and their number */
} weir_found;

typedef struct weir_features {
    weir_call *call;
    uint32_t outer;            /* field number of the containing message; see io/example.h */
    const weir_tensor *inputs; /* serialised messages */
    const weir_tensor *names;  /* of the messages, for errors; null or empty: none */
    bool batched;              /* outputs have a batch dimension */
    bool scalar_splits;        /* without a batch, row splits are scalars instead of empty */
    bool single;               /* a single Example: affects the wording of errors */
    bool plain_errors;         /* errors for missing features omit the message's name */
    int64_t count;             /* number of messages */
    WEIR_VEC(weir_feature_want) wants;
    weir_map by_key;   /* number of a request + 1 */
    weir_found *found; /* [count][wants] */
    weir_arena arena;  /* for parsed data */
} weir_features;

/* Adds a request; sets its |same|. */
void weir_features_add(weir_features *f, weir_feature_want want);
void weir_features_fini(weir_features *f);

WEIR_CHECKED weir_status weir_features_run(weir_features *f);
WEIR_CHECKED weir_status weir_lists_run(weir_features *f);

/* An error prefixed with "Name: x, Key: k, Index: i.  " of message |i|. */
WEIR_CHECKED weir_status weir_features_error(const weir_features *f, const weir_feature_want *w,
                                             int64_t i, const char *fmt, ...) WEIR_PRINTF(4, 5);
weir_str weir_features_name(const weir_features *f, int64_t i); /* "<unknown>" without names */
/* The value of request |w| in message |i|. */
static inline weir_found *weir_features_found(const weir_features *f, size_t w, int64_t i)
{
    return &f->found[(size_t)i * f->wants.count + w];
}
/* Finds every requested value; part of both runs. */
WEIR_CHECKED weir_status weir_features_find(weir_features *f);
/* The shape of the row splits of all messages. */
weir_shape weir_features_splits(const weir_features *f);
/* Stores a row split as int32 or int64. */
void weir_put_split(weir_tensor *t, int64_t i, int64_t v);

/* ---- shape inference ------------------------------------------------------------------------- */

/* Sets the shapes of one argument's outputs; |rank| is 1 for a batch, 0 for one message. */
void weir_infer_sparse(weir_infer *i, weir_range indices, weir_range values, weir_range shapes,
                       int rank);
/* [batch] + shape for each of |out|; the attr |shapes| lists the shapes. */
WEIR_CHECKED weir_status weir_infer_dense(weir_infer *i, weir_range out, int shapes,
                                          const weir_shape *batch);

#endif
