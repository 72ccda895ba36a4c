/* pass/cells_test.c - which ops form a cell, and that it computes the same. */
#include "op/device.h"
#include "pass/small_graph.h"
#include "session/session.h"

enum { ROWS = 3, WIDTH = 4, MOST_EDGES = 64, MOST_FETCHES = 16 };

/* Every node has a kernel on a device. */
static weir_device_way find_any(const weir_site *site, const weir_kernel **out_kernel)
{
    *out_kernel = NULL;
    return WEIR_DEVICE_KERNEL;
}

static weir_memory *some_memory(void *arg, const char *device)
{
    return arg;
}

static weir_memory memory;
static const weir_device_kernels kernels = {find_any, some_memory, &memory};

static void make_cells(void)
{
    run_only(g, "cells", (weir_pass_options){.kernels = &kernels});
}

static weir_edge matrix(const char *name, int64_t rows, int64_t columns)
{
    return fed(name, &(weir_shape){2, {rows, columns}});
}

static weir_edge last_axis(const char *name)
{
    weir_tensor value = weir_tensor_scalar(WEIR_INT32, &(int32_t){1});
    weir_named_attr attrs[] = {weir_a_tensor("value", &value), weir_a_type("dtype", WEIR_INT32)};
    weir_edge made = add_with(name, "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&value);
    return made;
}

static weir_edge ints(const char *name, int32_t first, int32_t second)
{
    weir_shape shape = weir_shape_vector(2);
    weir_tensor value = weir_tensor_from(WEIR_INT32, &shape, (int32_t[]){first, second});
    weir_named_attr attrs[] = {weir_a_tensor("value", &value), weir_a_type("dtype", WEIR_INT32)};
    weir_edge made = add_with(name, "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&value);
    return made;
}

static weir_edge two(const char *name, const char *op, weir_edge x, weir_edge y)
{
    return add(name, op, (weir_edge[]){x, y}, 2);
}

/* A step of a small recurrent network: gates of a product, a state, the next product's operand. */
static weir_edge add_turn(int turn, weir_edge product, weir_edge *state)
{
    char name[32];
#define NAME(word) (snprintf(name, sizeof name, word "%d", turn), name)
    weir_edge bias = fed(NAME("bias"), &(weir_shape){1, {2 * WIDTH}});
    weir_edge sum = two(NAME("sum"), "AddV2", product, bias);
    weir_edge axis = last_axis(NAME("axis"));
    weir_named_attr parts = weir_a_int("num_split", 2);
    weir_edge gates = add_with(NAME("split"), "Split", (weir_edge[]){axis, sum}, 2, &parts, 1);
    weir_edge gate = add(NAME("gate"), "Sigmoid", &gates, 1);
    weir_edge value = add(NAME("value"), "Tanh", &(weir_edge){gates.node, 1}, 1);
    *state = two(NAME("state"), "AddV2", two(NAME("kept"), "Mul", gate, *state), value);
    weir_edge next = add(NAME("next"), "ConcatV2", (weir_edge[]){value, *state, axis}, 3);
#undef NAME
    return next;
}

TEST(a_turn_is_one_cell)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge state = matrix("first", ROWS, WIDTH);
    weir_edge next = add_turn(0, matrix("product", ROWS, 2 * WIDTH), &state);
    add("shown", "Identity", &next, 1);
    add("left", "Identity", &state, 1);
    make_cells();
    CHECK_EQ(count_of("_Cell"), 1);
    CHECK_EQ(count_of("Split") + count_of("ConcatV2") + count_of("Sigmoid") + count_of("AddV2"), 0);
    weir_graph_destroy(g);
}

TEST(a_product_parts_two_cells)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge state = matrix("first", ROWS, WIDTH), weight = matrix("w", 2 * WIDTH, 2 * WIDTH);
    weir_edge next = add_turn(0, matrix("product", ROWS, 2 * WIDTH), &state);
    next = add_turn(1, two("again", "MatMul", next, weight), &state);
    add("shown", "Identity", &next, 1);
    make_cells();
    CHECK_EQ(count_of("_Cell"), 2);
    CHECK_EQ(count_of("MatMul"), 1);
    weir_graph_destroy(g);
}

/* Gradients are often grouped by control edges; slices are ready long before they are read. */
TEST(what_waits_inside_and_slices_join)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = matrix("x", ROWS, WIDTH), w = matrix("w", WIDTH, WIDTH);
    weir_edge wide = matrix("wide", ROWS, 3 * WIDTH);
    weir_edge begin = ints("begin", 0, WIDTH), size = ints("size", ROWS, WIDTH);
    weir_edge part = add("part", "Slice", (weir_edge[]){wide, begin, size}, 3);
    weir_edge product = two("product", "MatMul", x, w);
    weir_edge sum = two("sum", "AddV2", product, part);
    weir_edge tanh = add("tanh", "Tanh", &sum, 1), other = add("other", "Sigmoid", &product, 1);
    weir_graph_add_control(tanh.node, other.node);
    add("shown", "Identity", &tanh, 1);
    add("left", "Identity", &other, 1);
    make_cells();
    CHECK_EQ(count_of("_Cell"), 1);
    CHECK_EQ(count_of("Slice") + count_of("AddV2") + count_of("Tanh") + count_of("Sigmoid"), 0);
    weir_graph_destroy(g);
}

TEST(without_a_device_there_are_no_cells)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge state = matrix("first", ROWS, WIDTH);
    weir_edge next = add_turn(0, matrix("product", ROWS, 2 * WIDTH), &state);
    add("shown", "Identity", &next, 1);
    run_only(g, "cells", (weir_pass_options){0});
    CHECK_EQ(count_of("_Cell"), 0);
    weir_graph_destroy(g);
}

/* ---- random graphs: the same results with and without cells ---------------------------------- */

typedef struct chance {
    uint32_t state;
    weir_edge narrow[MOST_EDGES], wide[MOST_EDGES], feeds[8], fetches[MOST_FETCHES];
    int narrows, wides, fed, fetched, named;
} chance;

static int draw(chance *chance, int below)
{
    chance->state = chance->state * 1664525u + 1013904223u;
    return (int)((chance->state >> 8) % (uint32_t)below);
}

static const char *next_name(chance *chance)
{
    return numbered("n", chance->named++);
}

static weir_edge any_narrow(chance *chance)
{
    return chance->narrow[draw(chance, chance->narrows)];
}

static weir_edge any_wide(chance *chance)
{
    return chance->wide[draw(chance, chance->wides)];
}

static weir_edge feed(chance *chance, const weir_shape *shape)
{
    return chance->feeds[chance->fed++] = fed(next_name(chance), shape);
}

static void add_some(chance *chance, weir_edge axis)
{
    static const char *const unary[] = {"Tanh", "Neg", "Sigmoid", "Square"};
    static const char *const binary[] = {"AddV2", "Mul", "Sub", "Maximum", "TanhGrad"};
    weir_named_attr parts = weir_a_int("num_split", 2);
    bool wide = draw(chance, 3) == 0;
    weir_edge x = wide ? any_wide(chance) : any_narrow(chance), y, made;
    const char *name = next_name(chance);
    switch (draw(chance, 10)) {
    case 8:
        y = ints(next_name(chance), 0, draw(chance, WIDTH + 1));
        x = ints(next_name(chance), ROWS, WIDTH);
        made = add(next_name(chance), "Slice", (weir_edge[]){any_wide(chance), y, x}, 3);
        chance->narrow[chance->narrows++] = made;
        return;
    case 9: /* any earlier node may become a control input */
        made = two(name, "Mul", any_narrow(chance), any_narrow(chance));
        weir_graph_add_control(any_narrow(chance).node, made.node);
        weir_graph_add_control(any_wide(chance).node, made.node);
        chance->narrow[chance->narrows++] = made;
        return;
    case 0:
        made = add_with(name, "Split", (weir_edge[]){axis, any_wide(chance)}, 2, &parts, 1);
        chance->narrow[chance->narrows++] = (weir_edge){made.node, 1};
        chance->narrow[chance->narrows++] = made;
        return;
    case 1:
        made =
            add(name, "ConcatV2", (weir_edge[]){any_narrow(chance), any_narrow(chance), axis}, 3);
        chance->wide[chance->wides++] = made;
        return;
    case 2:
        made = two(name, "MatMul", any_narrow(chance), chance->feeds[5]);
        chance->wide[chance->wides++] = made;
        return;
    case 3:
        made = add(name, "AddN",
                   (weir_edge[]){any_narrow(chance), any_narrow(chance), any_narrow(chance)}, 3);
        chance->narrow[chance->narrows++] = made;
        return;
    case 4:
        made = add(name, unary[draw(chance, 4)], &x, 1);
        break;
    case 5: /* a row, a column or a scalar is broadcast */
        y = chance->feeds[draw(chance, 2) ? 2 + wide : draw(chance, 2) ? 4 : 6];
        made = two(name, binary[draw(chance, 4)], x, y);
        break;
    default:
        y = wide ? any_wide(chance) : any_narrow(chance);
        made = two(name, binary[draw(chance, 5)], x, y);
    }
    if (wide)
        chance->wide[chance->wides++] = made;
    else
        chance->narrow[chance->narrows++] = made;
}

static void build(chance *chance)
{
    chance->narrow[chance->narrows++] = feed(chance, &(weir_shape){2, {ROWS, WIDTH}});
    chance->wide[chance->wides++] = feed(chance, &(weir_shape){2, {ROWS, 2 * WIDTH}});
    feed(chance, &(weir_shape){1, {WIDTH}});
    feed(chance, &(weir_shape){1, {2 * WIDTH}});
    feed(chance, &(weir_shape){2, {ROWS, 1}});
    feed(chance, &(weir_shape){2, {WIDTH, 2 * WIDTH}});
    feed(chance, &(weir_shape){0});
    weir_edge axis = last_axis("axis");
    while (chance->narrows + chance->wides < 40)
        add_some(chance, axis);
    for (int i = 0; i < MOST_FETCHES; i++) {
        weir_edge from = i % 2 ? any_wide(chance) : any_narrow(chance);
        chance->fetches[i] = add(next_name(chance), "Identity", &from, 1);
    }
}

static void compute(const chance *chance, weir_tensor results[MOST_FETCHES])
{
    weir_tensor values[8];
    for (int i = 0; i < chance->fed; i++) {
        CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, weir_edge_shape(chance->feeds[i]), &values[i]));
        for (int64_t k = 0; k < weir_tensor_count(&values[i]); k++)
            ((float *)values[i].data)[k] = (float)((k * 7 + i) % 11) / 8 - 0.5f;
    }
    weir_mutex lock = WEIR_MUTEX_INIT;
    weir_session *session = NULL;
    CHECK_OK(weir_session_create(g, &lock, &(weir_session_options){.target = ""}, &session));
    weir_request request = {.feeds = chance->feeds,
                            .feed_values = values,
                            .feed_count = chance->fed,
                            .fetches = chance->fetches,
                            .fetch_count = MOST_FETCHES};
    CHECK_OK(weir_session_run(session, &request, results));
    weir_session_destroy(session);
    for (int i = 0; i < chance->fed; i++)
        weir_tensor_release(&values[i]);
}

static void compare(const weir_tensor *a, const weir_tensor *b, uint32_t seed)
{
    CHECK(weir_shape_eq(&a->shape, &b->shape));
    for (int64_t k = 0; k < weir_tensor_count(a); k++) {
        float x = ((const float *)a->data)[k], y = ((const float *)b->data)[k];
        float apart = x > y ? x - y : y - x, size = x > 0 ? x : -x;
        CHECK_MSG(!(apart > 1e-5f + 1e-5f * size), "graph %u: %g, not %g", seed, y, x);
    }
}

TEST(graphs_by_chance_compute_the_same)
{
    int cells = 0;
    for (uint32_t seed = 1; seed <= 150; seed++) {
        chance chance = {.state = seed};
        weir_tensor plain[MOST_FETCHES], joined[MOST_FETCHES];
        g = weir_graph_create(weir_catalogue());
        build(&chance);
        compute(&chance, plain);
        make_cells();
        cells += count_of("_Cell");
        compute(&chance, joined);
        for (int i = 0; i < MOST_FETCHES; i++) {
            compare(&plain[i], &joined[i], seed);
            weir_tensor_release(&plain[i]);
            weir_tensor_release(&joined[i]);
        }
        weir_graph_destroy(g);
    }
    CHECK(cells > 150);
}

TEST_MAIN()
