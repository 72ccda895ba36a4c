/* ops/math/clustering.c - KmeansPlusPlusInitialization, KMC2ChainInitialization, NearestNeighbors:
 * selection of centres among points, and nearest neighbours.
 *
 * |x - y|^2 is computed as 2 (|x|^2 / 2 - x y + |y|^2 / 2), so that the products of all pairs are
 * one matrix product.
 */
#include <inttypes.h>
#include <math.h>

#include "base/arith.h"
#include "math/gemm/gemm.h"
#include "math/random/philox.h"
#include "ops/common/infer_util.h"

/* Half the squared norm of each row. */
static void half_norms(const weir_tensor *rows, float *out)
{
    int64_t n = rows->shape.dims[0], d = rows->shape.dims[1];
    for (int64_t r = 0; r < n; r++) {
        const float *x = (const float *)rows->data + r * d;
        float sum = 0;
        for (int64_t k = 0; k < d; k++)
            sum += x[k] * x[k];
        out[r] = 0.5f * sum;
    }
}

static weir_status want_matrix(const weir_tensor *tensor, const char *name)
{
    if (tensor->shape.rank != 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input %s should be a matrix.", name);
    return WEIR_OK;
}
static weir_status want_scalar(const weir_tensor *tensor, const char *name, int64_t *out)
{
    if (tensor->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input %s should be a scalar.", name);
    *out = *(const int64_t *)tensor->data;
    return WEIR_OK;
}

/* ---- k-means++ ------------------------------------------------------------------------------- */

typedef struct choice {
    const weir_call *call;
    const weir_par *par;
    const weir_tensor *points;
    int64_t count, dims;
    weir_philox gen;
    weir_philox_single random;
    float *norms;      /* of the points, halved */
    float *nearest;    /* half the squared distance to the nearest selected point */
    float *sums;       /* prefix sums of nearest */
    float *trial;      /* nearest after also selecting a trial point */
    float *best_trial; /* of the best of several */
    bool *chosen;
    bool any;
} choice;

/* The first point whose prefix sum exceeds |at|; count if there is none. */
static int64_t above(const choice *choice, float at)
{
    int64_t low = 0, left = choice->count;
    while (left > 0) {
        int64_t half = left / 2;
        if (at < choice->sums[low + half]) {
            left = half;
        } else {
            low += half + 1;
            left -= half + 1;
        }
    }
    return low;
}

enum { MOST_DRAWS = 10000 };

/* Draws an unselected point with probability proportional to its squared distance. If rounding
 * leaves all weight on selected points, takes any other. */
static int64_t draw(choice *choice)
{
    if (!choice->any)
        return (int64_t)weir_philox_below_u64(&choice->random, (uint64_t)choice->count);
    for (int tries = 0; tries < MOST_DRAWS; tries++) {
        int64_t at =
            above(choice, weir_philox_f32(&choice->random) * choice->sums[choice->count - 1]);
        if (at == choice->count)
            return at - 1;
        if (!choice->chosen[at])
            return at;
    }
    int64_t at = 0;
    while (choice->chosen[at])
        at++;
    return at;
}

/* out[i] = the smaller of nearest[i] and the distance to point |at|; returns their sum. */
static float try_point(const choice *choice, int64_t at, float *out)
{
    const float *x = (const float *)choice->points->data + at * choice->dims;
    weir_gemm_run(choice->par, &(weir_gemm){.elem = WEIR_E_f32,
                                            .m = choice->count,
                                            .n = 1,
                                            .k = choice->dims,
                                            .a = choice->points->data,
                                            .b = x,
                                            .c = out});
    float sum = 0;
    for (int64_t i = 0; i < choice->count; i++) {
        float distance = choice->norms[i] - out[i] + choice->norms[at];
        out[i] = distance < choice->nearest[i] ? distance : choice->nearest[i];
        sum += out[i];
    }
    return sum;
}

static void swap(float **a, float **b)
{
    float *t = *a;
    *a = *b;
    *b = t;
}

/* The best of 1 + |retries| drawn points: the one with the smallest resulting distances. */
static weir_status choose(choice *choice, int64_t retries, int64_t *out)
{
    float best = INFINITY;
    int64_t chosen = 0;
    for (int64_t k = 0; k <= retries; k++) {
        WEIR_TRY(weir_call_check(choice->call));
        int64_t at = draw(choice);
        float sum = try_point(choice, at, choice->trial);
        if (sum < best || retries == 0) {
            best = sum;
            chosen = at;
            swap(&choice->trial, &choice->best_trial);
        }
    }
    swap(&choice->nearest, &choice->best_trial);
    choice->chosen[chosen] = choice->any = true;
    *out = chosen;
    return WEIR_OK;
}

static weir_status choose_all(choice *choice, int64_t wanted, int64_t retries, float *out)
{
    for (int64_t i = 0; i < choice->count; i++)
        choice->nearest[i] = choice->best_trial[i] = INFINITY;
    for (int64_t n = 0; n < wanted; n++) {
        float sum = 0;
        for (int64_t i = 0; n > 0 && i < choice->count; i++)
            choice->sums[i] = sum += choice->nearest[i];
        int64_t at;
        WEIR_TRY(choose(choice, retries, &at));
        memcpy(out + n * choice->dims, (const float *)choice->points->data + at * choice->dims,
               sizeof(float) * (size_t)choice->dims);
    }
    return WEIR_OK;
}

static weir_status kmeans_plus_plus(weir_call *call)
{
    const weir_tensor *points = weir_in(call, 0);
    int64_t wanted, seed, retries;
    WEIR_TRY(want_matrix(points, "points"));
    WEIR_TRY(want_scalar(weir_in(call, 1), "num_to_sample", &wanted));
    WEIR_TRY(want_scalar(weir_in(call, 2), "seed", &seed));
    WEIR_TRY(want_scalar(weir_in(call, 3), "num_retries_per_sample", &retries));
    int64_t count = points->shape.dims[0], dims = points->shape.dims[1];
    if (count <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected points.rows() > 0.");
    if (wanted <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected num_to_sample > 0.");
    if (wanted > count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected num_to_sample <= points.rows(). %" PRId64 " vs %" PRId64 ".",
                          wanted, count);
    if (retries < 0)
        retries = 2 + (int64_t)log((double)wanted);
    weir_tensor workspace;
    weir_shape size = weir_shape_matrix(6, count), out = weir_shape_matrix(wanted, dims);
    WEIR_TRY(weir_call_alloc(call, 0, &out));
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &size, &workspace));
    float *rows = workspace.data;
    choice choice = {.call = call,
                     .par = &call->run->par,
                     .points = points,
                     .count = count,
                     .dims = dims,
                     .gen = weir_philox_seeded((uint64_t)seed, 0),
                     .norms = rows,
                     .nearest = rows + count,
                     .sums = rows + 2 * count,
                     .trial = rows + 3 * count,
                     .best_trial = rows + 4 * count,
                     .chosen = (bool *)(rows + 5 * count)};
    choice.random = weir_philox_singles(&choice.gen);
    memset(choice.chosen, 0, (size_t)count);
    half_norms(points, choice.norms);
    weir_status status = choose_all(&choice, wanted, retries, weir_out(call, 0)->data);
    weir_tensor_release(&workspace);
    return status;
}

/* A Markov chain over candidates that prefers distant ones. */
static weir_status kmc2_chain(weir_call *call)
{
    const weir_tensor *distances = weir_in(call, 0);
    const float *distance = distances->data;
    int64_t seed, at = 0;
    if (distances->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input distances should be a vector.");
    WEIR_TRY(want_scalar(weir_in(call, 1), "seed", &seed));
    if (distances->shape.dims[0] <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected distances_tensor.size() > 0.");
    weir_philox gen = weir_philox_seeded((uint64_t)seed, 0);
    weir_philox_single random = weir_philox_singles(&gen);
    for (int64_t i = 1; i < distances->shape.dims[0]; i++)
        if (distance[i] > weir_philox_f32(&random) * distance[at])
            at = i;
    *(int64_t *)weir_out(call, 0)->data = at;
    return WEIR_OK;
}

/* ---- nearest neighbours ---------------------------------------------------------------------- */

enum { BLOCK = 1 << 16 }; /* products computed at once */

typedef struct search {
    const weir_tensor *points, *centers;
    const float *point_norms, *center_norms;
    int64_t k;
    int64_t *index;
    float *distance;
} search;

/* Keeps the |k| smallest of a row of distances, sorted; ties by index. */
static void keep_nearest(const search *search, int64_t point, const float *products)
{
    int64_t *index = search->index + point * search->k, kept = 0;
    float *distance = search->distance + point * search->k;
    for (int64_t j = 0; j < search->centers->shape.dims[0]; j++) {
        float d = search->center_norms[j] - products[j];
        if (kept == search->k && !(d < distance[kept - 1]))
            continue;
        int64_t at = kept < search->k ? kept++ : kept - 1;
        for (; at > 0 && d < distance[at - 1]; at--) {
            distance[at] = distance[at - 1];
            index[at] = index[at - 1];
        }
        distance[at] = d;
        index[at] = j;
    }
    for (int64_t j = 0; j < search->k; j++)
        distance[j] = 2 * (search->point_norms[point] + distance[j]);
}

typedef struct rows_part {
    const search *s;
    const float *products;
    int64_t first;
} rows_part;

static void some_rows(void *ctx, int64_t begin, int64_t end)
{
    const rows_part *part = ctx;
    for (int64_t r = begin; r < end; r++)
        keep_nearest(part->s, part->first + r,
                     part->products + r * part->s->centers->shape.dims[0]);
}

static weir_status find_all(weir_call *call, const search *search)
{
    int64_t points = search->points->shape.dims[0], centers = search->centers->shape.dims[0];
    int64_t dims = search->points->shape.dims[1], block = BLOCK / centers + 1;
    if (block > points)
        block = points;
    weir_tensor products;
    weir_shape size = weir_shape_matrix(block, centers);
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &size, &products));
    for (int64_t first = 0; first < points; first += block) {
        int64_t rows = points - first < block ? points - first : block;
        weir_gemm_run(&call->run->par, &(weir_gemm){
                                           .elem = WEIR_E_f32,
                                           .m = rows,
                                           .n = centers,
                                           .k = dims,
                                           .a = (const float *)search->points->data + first * dims,
                                           .b = search->centers->data,
                                           .c = products.data,
                                           .op_b = WEIR_GEMM_TRANS,
                                       });
        rows_part part = {search, products.data, first};
        weir_par_for(&call->run->par, rows, 65536 / centers + 1, some_rows, &part);
    }
    weir_tensor_release(&products);
    return WEIR_OK;
}

static weir_status nearest_neighbors(weir_call *call)
{
    const weir_tensor *points = weir_in(call, 0), *centers = weir_in(call, 1);
    int64_t k;
    WEIR_TRY(want_matrix(points, "points"));
    WEIR_TRY(want_matrix(centers, "centers"));
    WEIR_TRY(want_scalar(weir_in(call, 2), "k", &k));
    int64_t count = points->shape.dims[0], others = centers->shape.dims[0];
    if (count <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected points.rows() > 0.");
    if (points->shape.dims[1] != centers->shape.dims[1])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected point_dimensions == center_dimensions: %" PRId64 " vs %" PRId64
                          ".",
                          points->shape.dims[1], centers->shape.dims[1]);
    if (k < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "k must be non-negative, not %" PRId64, k);
    weir_shape out = weir_shape_matrix(count, weir_min(k, others));
    weir_shape norms = weir_shape_vector(count + others);
    weir_tensor workspace;
    WEIR_TRY(weir_call_alloc(call, 0, &out));
    WEIR_TRY(weir_call_alloc(call, 1, &out));
    if (out.dims[1] == 0)
        return WEIR_OK;
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &norms, &workspace));
    search search = {.points = points,
                     .centers = centers,
                     .point_norms = workspace.data,
                     .center_norms = (float *)workspace.data + count,
                     .k = out.dims[1],
                     .index = weir_out(call, 0)->data,
                     .distance = weir_out(call, 1)->data};
    half_norms(points, workspace.data);
    half_norms(centers, (float *)workspace.data + count);
    weir_status status = find_all(call, &search);
    weir_tensor_release(&workspace);
    return status;
}

const weir_op weir_op_kmeans_plus_plus_initialization = {
    .name = "KmeansPlusPlusInitialization",
    .in = "points: float; num_to_sample: int64; seed: int64; num_retries_per_sample: int64",
    .out = "samples: float",
    .infer = weir_infer_unknown,
    .kernels = {{WEIR_CPU, "*", kmeans_plus_plus}},
};

const weir_op weir_op_kmc2_chain_initialization = {
    .name = "KMC2ChainInitialization",
    .in = "distances: float; seed: int64",
    .out = "index: int64",
    .infer = weir_infer_scalar,
    .kernels = {{WEIR_CPU, "*", kmc2_chain}},
};

const weir_op weir_op_nearest_neighbors = {
    .name = "NearestNeighbors",
    .in = "points: float; centers: float; k: int64",
    .out = "nearest_center_indices: int64; nearest_center_distances: float",
    .infer = weir_infer_unknown,
    .kernels = {{WEIR_CPU, "*", nearest_neighbors}},
};
