/* nn/sampled.c - softmax over the label and a sample of the other classes (Jean et al., 2015). */
#include "nn/nn_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"
#include "weir/ops/sparse.h"

typedef struct sampling {
    const weir_net *n;
    weir_builder *b;
    const weir_nn_sampled_softmax_options *o;
    TF_Output x;      /* [batch, features] */
    TF_Output labels; /* int64[batch, 1] */
    TF_Output flat;   /* int64[batch] */
    /* int64[samples], and how often each of them and of the labels is to be expected. */
    weir_log_uniform_candidate_sampler_outputs drawn;
} sampling;

static TF_Output column(const sampling *s, TF_Output x)
{
    TF_Output shape = weir_nn_ints(s->n, "Reshape/shape", (int32_t[]){-1, 1}, 2);
    return weir_reshape(s->b, "Reshape", x, shape);
}

static void draw(sampling *s)
{
    weir_nn_seeds seeds = weir_nn_seeds_of(s->n, s->o->seed);
    weir_log_uniform_candidate_sampler_options o = {.seed = seeds.graph, .seed2 = seeds.op};
    s->drawn = weir_log_uniform_candidate_sampler(s->b, "LogUniformCandidateSampler", s->labels, 1,
                                                  s->o->samples, true, s->o->classes, &o);
}

/* What is often drawn counts for less, each time. */
static TF_Output corrected(const sampling *s, TF_Output logits, TF_Output expected)
{
    return weir_sub(s->b, "Sub", logits, weir_log_op(s->b, "Log", expected));
}

/* [batch, 1]: of each label. */
static TF_Output label_logits(const sampling *s)
{
    TF_Output w = weir_nn_embedding(s->n, s->o->w, s->flat);
    TF_Output bias = weir_nn_embedding(s->n, s->o->b, s->flat);
    TF_Output axes = weir_nn_ints(s->n, "Sum/axes", (int32_t[]){1}, 1);
    TF_Output sums = weir_sum(s->b, "Sum", weir_mul(s->b, "Mul", s->x, w), axes, NULL);
    TF_Output logits = column(s, weir_add_v2(s->b, "Add", sums, bias));
    return corrected(s, logits, s->drawn.true_expected_count);
}

/* [batch, samples]: a very small number where a sample is the example's own label, 0 elsewhere. */
static TF_Output own_labels(const sampling *s)
{
    weir_builder *b = s->b;
    weir_compute_accidental_hits_outputs hits = weir_compute_accidental_hits(
        b, "ComputeAccidentalHits", s->labels, s->drawn.sampled_candidates, 1, NULL);
    TF_Output samples = weir_cast(b, "Cast", hits.ids, TF_INT32, NULL);
    TF_Output where =
        weir_nn_concat(s->n, (TF_Output[]){column(s, hits.indices), column(s, samples)}, 2, 1);
    TF_Output sides[] = {weir_shape(b, "Shape", s->flat, NULL),
                         weir_nn_ints(s->n, "samples", (int32_t[]){s->o->samples}, 1)};
    return weir_sparse_to_dense(b, "SparseToDense", where, weir_nn_concat(s->n, sides, 2, 0),
                                hits.weights, weir_build_float(b, "zero", 0),
                                &(weir_sparse_to_dense_options){.not_validate_indices = true});
}

static TF_Output sample_logits(const sampling *s)
{
    TF_Output w = weir_nn_embedding(s->n, s->o->w, s->drawn.sampled_candidates);
    TF_Output bias = weir_nn_embedding(s->n, s->o->b, s->drawn.sampled_candidates);
    TF_Output product =
        weir_mat_mul(s->b, "MatMul", s->x, w, &(weir_mat_mul_options){.transpose_b = true});
    TF_Output logits = weir_add_v2(s->b, "Add", product, bias);
    logits = weir_add_v2(s->b, "Add", logits, own_labels(s));
    return corrected(s, logits, s->drawn.sampled_expected_count);
}

TF_Output weir_nn_sampled_softmax_loss(const weir_net *n, TF_Output x, TF_Output labels,
                                       const weir_nn_sampled_softmax_options *o)
{
    sampling s = {.n = n, .b = weir_nn_builder(n), .o = o, .x = x};
    if (o->samples < 1 || o->classes < 1) {
        weir_nn_fail(n, "A sampled softmax needs classes and samples");
        return (TF_Output){0};
    }
    weir_build_push_scope(s.b, "sampled_softmax_loss");
    TF_Output all = weir_nn_ints(n, "flat", (int32_t[]){-1}, 1);
    s.flat = weir_reshape(s.b, "Reshape", weir_cast(s.b, "Cast", labels, TF_INT64, NULL), all);
    s.labels = column(&s, s.flat);
    draw(&s);
    TF_Output parts[] = {label_logits(&s), sample_logits(&s)};
    TF_Output logits = weir_nn_concat(n, parts, 2, 1); /* the label is class 0 here */
    TF_Output loss = weir_nn_softmax_loss(n, logits, weir_zeros_like(s.b, "ZerosLike", s.flat));
    weir_build_pop_scope(s.b);
    return loss;
}
