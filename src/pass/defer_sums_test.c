/* pass/defer_sums_test.c - which sums in loops are deferred, and that a collected sum is a
 * value. */
#include <math.h>

#include "pass/small_graph.h"
#include "session/session.h"

enum { SIDE = 24, ROWS = 5 };

typedef struct loop {
    weir_edge merge, branch, sum, next, leave;
} loop;

static weir_edge entered(const char *name, weir_edge x, bool constant)
{
    weir_named_attr attrs[] = {weir_a_str("frame_name", "loop"),
                               weir_a_bool("is_constant", constant)};
    return add_with(name, "Enter", &x, 1, attrs, 2);
}

static weir_edge second(weir_edge e)
{
    return (weir_edge){e.node, 1};
}

/* while (more) total += (a * total of iterations)' b, as seen by the passes. */
static loop add_loop(void)
{
    loop l;
    weir_edge a = entered("ea", fed("a", &(weir_shape){2, {ROWS, SIDE}}), true);
    weir_edge b = entered("eb", fed("b", &(weir_shape){2, {ROWS, SIDE}}), true);
    weir_edge total = entered("et", fed("total", &(weir_shape){2, {SIDE, SIDE}}), false);
    weir_named_attr type = weir_a_type("dtype", WEIR_BOOL);
    weir_edge more = add_with("more", "Placeholder", NULL, 0, &type, 1);
    more = entered("em", more, true);
    weir_edge cond = add("cond", "LoopCond", &more, 1);
    l.merge = add("merge", "Merge", (weir_edge[]){total, total}, 2);
    l.branch = add("switch", "Switch", (weir_edge[]){l.merge, cond}, 2);
    weir_named_attr transposed = weir_a_bool("transpose_a", true);
    weir_edge changing = add("neg", "Neg", &a, 1);
    weir_edge product = add_with("p", "MatMul", (weir_edge[]){changing, b}, 2, &transposed, 1);
    l.sum = add("sum", "AddV2", (weir_edge[]){second(l.branch), product}, 2);
    l.next = add("next", "NextIteration", &l.sum, 1);
    weir_graph_set_input(l.merge.node, 1, l.next);
    l.leave = add("exit", "Exit", &l.branch, 1);
    add("out", "Identity", &l.leave, 1);
    return l;
}

/* Runs the passes after |also| reads |from|; returns how many sums were deferred. */
static int count_deferred(const char *also, weir_edge (*from)(const loop *l))
{
    g = weir_graph_create(weir_catalogue());
    loop l = add_loop();
    weir_edge e = also ? from(&l) : l.leave;
    if (also)
        add("also", also, &e, 1);
    remap_with(g, (weir_pass_options){0});
    int count = count_of("_ProductsAdd");
    CHECK_EQ(count_of("_ProductsBegin"), count);
    CHECK_EQ(count_of("_ProductsEnd"), count);
    CHECK_EQ(count_of("_MatMulBias"), 1 - count);
    CHECK_EQ(count_of("Merge"), 1);
    CHECK_EQ(count_of("NextIteration"), 1);
    weir_graph_destroy(g);
    return count;
}

static weir_edge merge_of(const loop *l)
{
    return l->merge;
}

static weir_edge which_of(const loop *l)
{
    return second(l->merge);
}

static weir_edge body_of(const loop *l)
{
    return second(l->branch);
}

static weir_edge sum_of(const loop *l)
{
    return l->sum;
}

TEST(the_sum_of_a_loop_is_put_off)
{
    CHECK_EQ(count_deferred(NULL, NULL), 1);
}

TEST(a_sum_that_is_read_on_the_way_is_not)
{
    CHECK_EQ(count_deferred("Neg", merge_of), 0);
    CHECK_EQ(count_deferred("Identity", which_of), 0);
    CHECK_EQ(count_deferred("Neg", body_of), 0);
    CHECK_EQ(count_deferred("Identity", sum_of), 0);
}

TEST(who_waits_for_the_loop_waits_for_the_sum)
{
    g = weir_graph_create(weir_catalogue());
    loop l = add_loop();
    weir_node *waits = add("waits", "NoOp", NULL, 0).node,
              *iterations = add("iterations", "NoOp", NULL, 0).node;
    weir_graph_add_control(l.leave.node, waits);
    weir_graph_add_control(l.sum.node, iterations);
    remap_with(g, (weir_pass_options){0});
    CHECK_EQ(waits->controls.count, 1);
    CHECK(weir_node_is(waits->controls.at[0], "_ProductsEnd"));
    CHECK_EQ(iterations->controls.count, 1);
    CHECK(weir_node_is(iterations->controls.at[0], "_ProductsAdd"));
    weir_graph_destroy(g);
}

static weir_edge add_product(const char *name, weir_edge to, weir_edge a, weir_edge b)
{
    return add(name, "_ProductsAdd", (weir_edge[]){to, a, b}, 3);
}

static weir_edge add_end(const char *name, weir_edge products, int64_t side)
{
    weir_shape shape = weir_shape_matrix(side, side);
    weir_named_attr attrs[] = {weir_a_shape("shape", &shape), weir_a_type("T", WEIR_FLOAT)};
    return add_with(name, "_ProductsEnd", &products, 1, attrs, 2);
}

/* Runs |g| with small multiples of |unit| fed into the sum and two factors; all runs must give the
 * same result. */
static void fetch(const weir_edge *in, weir_tensor *values, float unit, const weir_edge *sums,
                  int count, int runs, weir_tensor *got)
{
    for (int i = 0; i < 3; i++) {
        CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, weir_edge_shape(in[i]), &values[i]));
        for (int64_t k = 0; k < weir_tensor_count(&values[i]); k++)
            ((float *)values[i].data)[k] = ((float)((k * 7 + i) % 11) - 5) * unit;
    }
    weir_mutex lock = WEIR_MUTEX_INIT;
    weir_session *session = NULL;
    CHECK_OK(weir_session_create(g, &lock, &(weir_session_options){.target = ""}, &session));
    weir_request q = {
        .feeds = in, .feed_values = values, .feed_count = 3, .fetches = sums, .fetch_count = count};
    CHECK_OK(weir_session_run(session, &q, got));
    for (int run = 1; run < runs; run++) {
        weir_tensor again[8];
        CHECK_OK(weir_session_run(session, &q, again));
        for (int i = 0; i < count; i++) {
            CHECK_EQ(memcmp(got[i].data, again[i].data, weir_tensor_bytes(&got[i])), 0);
            weir_tensor_release(&again[i]);
        }
    }
    weir_session_destroy(session);
}

/* The product of factors |a| and |b| at (i, j). */
static double product_at(const weir_tensor *a, const weir_tensor *b, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t p = 0; p < a->shape.dims[0]; p++)
        sum += (double)((const float *)a->data)[p * a->shape.dims[1] + i] *
               (double)((const float *)b->data)[p * b->shape.dims[1] + j];
    return sum;
}

static void release_all(weir_tensor *t, int count)
{
    for (int i = 0; i < count; i++)
        weir_tensor_release(&t[i]);
}

/* A partial sum is read while more is added to it elsewhere. */
TEST(products_are_values)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge in[] = {fed("total", &(weir_shape){2, {SIDE, SIDE}}),
                      fed("a", &(weir_shape){2, {ROWS, SIDE}}),
                      fed("b", &(weir_shape){2, {ROWS, SIDE}})};
    weir_edge none = add("begin", "_ProductsBegin", in, 1);
    weir_edge one = add_product("one", none, in[1], in[2]);
    weir_edge collected[] = {none, one, add_product("two", one, in[2], in[2]),
                             add_product("three", one, in[1], in[1])};
    weir_edge sums[4];
    for (int i = 0; i < 4; i++)
        sums[i] = add_end(numbered("end", i), collected[i], SIDE);
    weir_tensor v[3], got[4];
    fetch(in, v, 1, sums, 4, 1, got);
    int bad = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            double total = ((float *)v[0].data)[i * SIDE + j], ab = product_at(&v[1], &v[2], i, j);
            double want[] = {total, total + ab, total + ab + product_at(&v[2], &v[2], i, j),
                             total + ab + product_at(&v[1], &v[1], i, j)};
            for (int t = 0; t < 4; t++)
                bad += ((float *)got[t].data)[i * SIDE + j] != want[t];
        }
    CHECK_EQ(bad, 0);
    release_all(got, 4);
    release_all(v, 3);
    weir_graph_destroy(g);
}

/* Enough products for batches summed on another thread, while some are read meanwhile. */
static void check_lots(int64_t depth, int64_t width, float unit)
{
    enum { TERMS = 100, EVERY = 29, SUMS = TERMS / EVERY + 1 };
    g = weir_graph_create(weir_catalogue());
    weir_edge in[] = {fed("total", &(weir_shape){2, {width, width}}),
                      fed("a", &(weir_shape){2, {depth, width}}),
                      fed("b", &(weir_shape){2, {depth, width}})};
    weir_edge products = add("begin", "_ProductsBegin", in, 1), sums[SUMS];
    for (int t = 1; t <= TERMS; t++) {
        products = add_product(numbered("p", t), products, in[1], in[2]);
        if (t % EVERY == 0)
            sums[t / EVERY - 1] = add_end(numbered("end", t), products, width);
    }
    sums[SUMS - 1] = add_end("last", products, width);
    weir_tensor v[3], got[SUMS];
    fetch(in, v, unit, sums, SUMS, 20, got);
    int bad = 0;
    for (int64_t i = 0; i < width; i++)
        for (int64_t j = 0; j < width; j++) {
            double total = ((float *)v[0].data)[i * width + j], ab = product_at(&v[1], &v[2], i, j);
            for (int t = 0; t < SUMS; t++) {
                double terms = t + 1 < SUMS ? (t + 1) * EVERY : TERMS;
                double off = ((float *)got[t].data)[i * width + j] - (total + terms * ab);
                bad += !(fabs(off) <= 1e-5 * terms * (double)((float)depth * 25 * unit * unit));
            }
        }
    CHECK_EQ(bad, 0);
    release_all(got, SUMS);
    release_all(v, 3);
    weir_graph_destroy(g);
}

TEST(products_that_others_add_up)
{
    check_lots(32, 64, 1);
    check_lots(32, 64, 0.1f);
    check_lots(3000, 6, 0.01f); /* too narrow for tiles */
}

TEST_MAIN()
