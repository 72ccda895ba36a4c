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
    /* int64[samples], with the expected counts of these and of the labels. */
    weir_log_uniform_candidate_sampler_outputs drawn;
} sampling;

static TF_Output column(const sampling *sampling, TF_Output x)
{
    TF_Output shape = weir_nn_ints(sampling->n, "Reshape/shape", (int32_t[]){-1, 1}, 2);
    return weir_reshape(sampling->b, "Reshape", x, shape);
}

static void draw(sampling *sampling)
{
    weir_nn_seeds seeds = weir_nn_seeds_of(sampling->n, sampling->o->seed);
    weir_log_uniform_candidate_sampler_options options = {.seed = seeds.graph, .seed2 = seeds.op};
    sampling->drawn = weir_log_uniform_candidate_sampler(sampling->b, "LogUniformCandidateSampler",
                                                         sampling->labels, 1, sampling->o->samples,
                                                         true, sampling->o->classes, &options);
}

/* Subtracts the logarithm of the expected count, to correct for the sampling. */
static TF_Output corrected(const sampling *sampling, TF_Output logits, TF_Output expected)
{
    return weir_sub(sampling->b, "Sub", logits, weir_log_op(sampling->b, "Log", expected));
}

/* [batch, 1]: the logits of the labels. */
static TF_Output label_logits(const sampling *sampling)
{
    TF_Output w = weir_nn_embedding(sampling->n, sampling->o->w, sampling->flat);
    TF_Output bias = weir_nn_embedding(sampling->n, sampling->o->b, sampling->flat);
    TF_Output axes = weir_nn_ints(sampling->n, "Sum/axes", (int32_t[]){1}, 1);
    TF_Output sums =
        weir_sum(sampling->b, "Sum", weir_mul(sampling->b, "Mul", sampling->x, w), axes, NULL);
    TF_Output logits = column(sampling, weir_add_v2(sampling->b, "Add", sums, bias));
    return corrected(sampling, logits, sampling->drawn.true_expected_count);
}

/* [batch, samples]: the lowest float where a sample is the example's own label, 0 elsewhere. */
static TF_Output own_labels(const sampling *sampling)
{
    weir_builder *builder = sampling->b;
    weir_compute_accidental_hits_outputs hits =
        weir_compute_accidental_hits(builder, "ComputeAccidentalHits", sampling->labels,
                                     sampling->drawn.sampled_candidates, 1, NULL);
    TF_Output samples = weir_cast(builder, "Cast", hits.ids, TF_INT32, NULL);
    TF_Output where = weir_nn_concat(
        sampling->n, (TF_Output[]){column(sampling, hits.indices), column(sampling, samples)}, 2,
        1);
    TF_Output sides[] = {
        weir_shape(builder, "Shape", sampling->flat, NULL),
        weir_nn_ints(sampling->n, "samples", (int32_t[]){sampling->o->samples}, 1)};
    return weir_sparse_to_dense(builder, "SparseToDense", where,
                                weir_nn_concat(sampling->n, sides, 2, 0), hits.weights,
                                weir_build_float(builder, "zero", 0),
                                &(weir_sparse_to_dense_options){.not_validate_indices = true});
}

static TF_Output sample_logits(const sampling *sampling)
{
    TF_Output w =
        weir_nn_embedding(sampling->n, sampling->o->w, sampling->drawn.sampled_candidates);
    TF_Output bias =
        weir_nn_embedding(sampling->n, sampling->o->b, sampling->drawn.sampled_candidates);
    TF_Output product = weir_mat_mul(sampling->b, "MatMul", sampling->x, w,
                                     &(weir_mat_mul_options){.transpose_b = true});
    TF_Output logits = weir_add_v2(sampling->b, "Add", product, bias);
    logits = weir_add_v2(sampling->b, "Add", logits, own_labels(sampling));
    return corrected(sampling, logits, sampling->drawn.sampled_expected_count);
}

TF_Output weir_nn_sampled_softmax_loss(const weir_net *net, TF_Output x, TF_Output labels,
                                       const weir_nn_sampled_softmax_options *options)
{
    sampling sampling = {.n = net, .b = weir_nn_builder(net), .o = options, .x = x};
    if (options->samples < 1 || options->classes < 1) {
        weir_nn_fail(net, "A sampled softmax needs classes and samples");
        return (TF_Output){0};
    }
    weir_build_push_scope(sampling.b, "sampled_softmax_loss");
    TF_Output all = weir_nn_ints(net, "flat", (int32_t[]){-1}, 1);
    sampling.flat = weir_reshape(sampling.b, "Reshape",
                                 weir_cast(sampling.b, "Cast", labels, TF_INT64, NULL), all);
    sampling.labels = column(&sampling, sampling.flat);
    draw(&sampling);
    TF_Output parts[] = {label_logits(&sampling), sample_logits(&sampling)};
    TF_Output logits = weir_nn_concat(net, parts, 2, 1); /* the label is class 0 here */
    TF_Output loss =
        weir_nn_softmax_loss(net, logits, weir_zeros_like(sampling.b, "ZerosLike", sampling.flat));
    weir_build_pop_scope(sampling.b);
    return loss;
}
