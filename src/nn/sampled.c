/* nn/sampled.c - softmax over the label and a sample of the other classes (Jean et al., 2015). */
#include "nn/nn_impl.h"

typedef struct sampling {
    const weir_net *n;
    weir_builder *b;
    const weir_sampled_softmax_options *o;
    TF_Output x;      /* [batch, features] */
    TF_Output labels; /* int64[batch, 1] */
    TF_Output flat;   /* int64[batch] */
    /* What the sampler gave: int64[samples], and how often each class is to be expected. */
    TF_Output ids, label_expected, expected;
} sampling;

static TF_Output op2(const sampling *s, const char *op, TF_Output x, TF_Output y)
{
    return weir_build_op(s->b, op, op, WEIR_INPUTS(x, y));
}

static TF_Output reshape(const sampling *s, TF_Output x, const int32_t *dims, int rank)
{
    return op2(s, "Reshape", x, weir_nn_ints(s->n, "Reshape/shape", dims, rank));
}

static void draw(sampling *s)
{
    TF_OperationDescription *d =
        weir_build_begin(s->b, "LogUniformCandidateSampler", "LogUniformCandidateSampler");
    if (d) {
        TF_AddInput(d, s->labels);
        TF_SetAttrInt(d, "num_true", 1);
        TF_SetAttrInt(d, "num_sampled", s->o->samples);
        TF_SetAttrBool(d, "unique", true);
        TF_SetAttrInt(d, "range_max", s->o->classes);
        weir_nn_set_seed(d, s->o->seed);
    }
    TF_Output drawn = weir_build_end(s->b, d);
    s->ids = drawn;
    s->label_expected = (TF_Output){drawn.oper, 1};
    s->expected = (TF_Output){drawn.oper, 2};
}

/* [batch, 1]: of each label. */
static TF_Output label_logits(const sampling *s)
{
    TF_Output w = weir_nn_embedding(s->n, s->o->w, s->flat);
    TF_Output b = weir_nn_embedding(s->n, s->o->b, s->flat);
    TF_Output each = op2(s, "Mul", s->x, w);
    TF_Output sums =
        weir_nn_reduce(s->n, "Sum", "Sum", each, weir_nn_ints(s->n, "Sum/axes", (int32_t[]){1}, 1));
    TF_Output column = reshape(s, op2(s, "AddV2", sums, b), (int32_t[]){-1, 1}, 2);
    return op2(s, "Sub", column, weir_build_op(s->b, "Log", "Log", &s->label_expected, 1));
}

static TF_Output product(const sampling *s, TF_Output w)
{
    TF_OperationDescription *d = weir_build_begin(s->b, "MatMul", "MatMul");
    if (d) {
        TF_AddInput(d, s->x);
        TF_AddInput(d, w);
        TF_SetAttrBool(d, "transpose_b", true);
    }
    return weir_build_end(s->b, d);
}

/* [batch, samples]: a very small number where a sample is the example's own label, 0 elsewhere. */
static TF_Output own_labels(const sampling *s)
{
    weir_builder *b = s->b;
    TF_OperationDescription *d =
        weir_build_begin(b, "ComputeAccidentalHits", "ComputeAccidentalHits");
    if (d) {
        TF_AddInput(d, s->labels);
        TF_AddInput(d, s->ids);
        TF_SetAttrInt(d, "num_true", 1);
    }
    TF_Output rows = weir_build_end(b, d);
    TF_Output weights = {rows.oper, 2};
    TF_Output columns = weir_nn_cast(s->n, (TF_Output){rows.oper, 1}, TF_INT32);
    int32_t pair[] = {-1, 1};
    TF_Output at[] = {reshape(s, rows, pair, 2), reshape(s, columns, pair, 2)};
    TF_Output where = weir_nn_concat(s->n, at, 2, 1);
    TF_Output batch = weir_build_op(b, "Shape", "Shape", &s->flat, 1);
    TF_Output samples = weir_nn_ints(s->n, "samples", (int32_t[]){s->o->samples}, 1);
    TF_Output shape = weir_nn_concat(s->n, (TF_Output[]){batch, samples}, 2, 0);
    TF_Output zero = weir_build_float(b, "zero", 0);
    d = weir_build_begin(b, "SparseToDense", "SparseToDense");
    TF_Output in[] = {where, shape, weights, zero};
    for (int i = 0; d && i < 4; i++)
        TF_AddInput(d, in[i]);
    if (d)
        TF_SetAttrBool(d, "validate_indices", false);
    return weir_build_end(b, d);
}

static TF_Output sample_logits(const sampling *s)
{
    TF_Output w = weir_nn_embedding(s->n, s->o->w, s->ids);
    TF_Output b = weir_nn_embedding(s->n, s->o->b, s->ids);
    if (weir_nn_failed(s->n))
        return b;
    TF_Output logits = op2(s, "AddV2", product(s, w), b);
    logits = op2(s, "AddV2", logits, own_labels(s));
    return op2(s, "Sub", logits, weir_build_op(s->b, "Log", "Log", &s->expected, 1));
}

TF_Output weir_nn_sampled_softmax_loss(const weir_net *n, TF_Output x, TF_Output labels,
                                       const weir_sampled_softmax_options *o)
{
    sampling s = {.n = n, .b = weir_nn_builder(n), .o = o, .x = x};
    if (weir_nn_failed(n) || !x.oper || !labels.oper || o->samples < 1) {
        weir_nn_fail(n, "A sampled softmax needs inputs, labels and samples");
        return (TF_Output){0};
    }
    weir_build_push_scope(s.b, "sampled_softmax_loss");
    s.flat = reshape(&s, weir_nn_cast(n, labels, TF_INT64), (int32_t[]){-1}, 1);
    s.labels = reshape(&s, s.flat, (int32_t[]){-1, 1}, 2);
    draw(&s);
    TF_Output parts[] = {label_logits(&s), sample_logits(&s)};
    TF_Output logits = weir_nn_concat(n, parts, 2, 1); /* the label is class 0 here */
    TF_Output first = weir_build_op(s.b, "ZerosLike", "ZerosLike", &s.flat, 1);
    TF_Output loss = weir_nn_softmax_loss(n, logits, first);
    weir_build_pop_scope(s.b);
    return loss;
}
