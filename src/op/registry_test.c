/* op/registry_test.c - the catalogue: ops by name, their kernels, and properties of all of
 * them. */
#include "base/test.h"
#include "op/op.h"
#include "session/session.h"

static weir_status nothing(weir_call *call)
{
    (void)call;
    return WEIR_OK;
}

static weir_status other(weir_call *call)
{
    return nothing(call);
}

static const weir_op op_b = {
    .name = "B",
    .in = "x: T; sizes: N * int32",
    .out = "y: T",
    .attrs = "T: type; N: int",
    .host = "sizes",
    .flow = WEIR_FLOW_MERGE,
    .infer = weir_infer_same_shape,
    .kernels = {{WEIR_CPU, "T: float, double", nothing}, {WEIR_CPU, "T: int32", other}},
};
static const weir_op op_a = {.name = "A", .infer = weir_infer_scalar};

static weir_registry *make(void)
{
    return weir_registry_create((const weir_op *const[]){&op_b, &op_a}, 2);
}

TEST(ops_are_found_by_name)
{
    weir_registry *r = make();
    CHECK_EQ(weir_registry_count(r), 2);
    CHECK(weir_registry_at(r, 0) == &op_a && weir_registry_at(r, 1) == &op_b);
    CHECK(weir_registry_find(r, weir_str_of("B")) == &op_b);
    CHECK(!weir_registry_find(r, weir_str_of("C")));
    CHECK_EQ(weir_registry_flow(r, "B"), WEIR_FLOW_MERGE);
    CHECK_EQ(weir_registry_flow(r, "A"), WEIR_FLOW_NONE);
    CHECK_EQ(weir_registry_flow(r, "C"), WEIR_FLOW_NONE);
    weir_registry_destroy(r);
}

TEST(ops_are_added_once_and_only_with_a_signature)
{
    static const weir_op more = {.name = "AA", .in = "x: float", .out = "y: float"};
    static const weir_op bad = {.name = "Bad", .in = "x: nothing"};
    weir_registry *r = make();
    const weir_op *a = weir_registry_find(r, weir_str_of("A"));
    CHECK_OK(weir_registry_add(r, &more));
    CHECK_EQ(weir_registry_count(r), 3);
    CHECK(weir_registry_at(r, 1) == &more && weir_registry_find(r, weir_str_of("AA")) == &more);
    CHECK(weir_registry_find(r, weir_str_of("A")) == a);
    CHECK_EQ(weir_registry_def(r, &more)->in_count, 1);
    CHECK_FAILS(weir_registry_add(r, &more), WEIR_ALREADY_EXISTS, "AA");
    CHECK_FAILS(weir_registry_add(r, &bad), WEIR_INVALID_ARGUMENT, "Bad");
    CHECK_EQ(weir_registry_count(r), 3);
    weir_registry_destroy(r);
}

TEST(signatures_are_parsed_once)
{
    weir_registry *r = make();
    const weir_opdef *def = weir_registry_def(r, &op_b);
    CHECK_EQ(def->in_count, 2);
    CHECK(def->in[1].host && !def->in[0].host);
    CHECK(weir_registry_def(r, &op_b) == def);
    weir_registry_destroy(r);
}

static weir_site site_of(const weir_registry *r, const weir_attr *attrs)
{
    return (weir_site){
        .name = "node", .op = &op_b, .def = weir_registry_def(r, &op_b), .attrs = attrs};
}

TEST(the_first_kernel_that_fits_is_taken)
{
    weir_registry *r = make();
    weir_attr attrs[] = {{.kind = WEIR_ATTR_TYPE, .type = WEIR_INT32},
                         {.kind = WEIR_ATTR_INT, .i = 3}};
    weir_site site = site_of(r, attrs);
    const weir_kernel *kernel = NULL;
    CHECK_OK(weir_op_kernel(&site, WEIR_CPU, &kernel));
    CHECK(kernel->run == other);
    attrs[0].type = WEIR_DOUBLE;
    CHECK_OK(weir_op_kernel(&site, WEIR_CPU, &kernel));
    CHECK(kernel->run == nothing);
    attrs[0].type = WEIR_STRING;
    CHECK_FAILS(weir_op_kernel(&site, WEIR_CPU, &kernel), WEIR_INVALID_ARGUMENT,
                "No OpKernel was registered to support Op 'B' used by {{node node}}");
    weir_registry_destroy(r);
}

TEST(arguments_lie_one_behind_the_other)
{
    weir_registry *r = make();
    weir_attr attrs[] = {{.kind = WEIR_ATTR_TYPE, .type = WEIR_FLOAT},
                         {.kind = WEIR_ATTR_INT, .i = 3}};
    weir_site site = site_of(r, attrs);
    weir_range sizes = weir_site_in(&site, 1);
    CHECK_EQ(sizes.start, 1);
    CHECK_EQ(sizes.count, 3);
    weir_registry_destroy(r);
}

TEST(an_op_knows_whether_it_keeps_shapes)
{
    CHECK(weir_op_keeps_shape(&op_b));
    CHECK(!weir_op_keeps_shape(&op_a));
}

/* ---- the whole catalogue --------------------------------------------------------------------- */

static void check_fields(const weir_registry *r, const weir_op *op)
{
    weir_opdef def = *weir_registry_def(r, op);
    CHECK_MSG(weir_opdef_mark_host(&def, op->host), "%s: .host '%s' names no argument", op->name,
              op->host);
    const weir_elementwise *e = &op->elementwise;
    int inputs = e->arity + e->scales - (e->attr != NULL);
    CHECK_MSG(!e->arity || (def.in_count == inputs && def.out_count == 1),
              "%s: its loop takes %d inputs", op->name, inputs);
    CHECK_MSG(!e->attr || weir_opdef_attr(&def, e->attr) >= 0, "%s: no attr '%s'", op->name,
              e->attr);
    CHECK_MSG(op->flow != WEIR_FLOW_FORWARD || def.in_count == 1, "%s: hands on one value",
              op->name);
}

TEST(fields_agree_with_signatures)
{
    const weir_registry *r = weir_catalogue();
    for (size_t i = 0; i < weir_registry_count(r); i++)
        check_fields(r, weir_registry_at(r, i));
}

/* A reference form forwards references as its plain form does values. */
TEST(reference_forms_have_the_flow_of_the_plain_form)
{
    const weir_registry *r = weir_catalogue();
    static const char *const ops[] = {"Switch", "Merge", "Enter", "Exit", "NextIteration"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        char ref[32];
        snprintf(ref, sizeof ref, "Ref%s", ops[i]);
        CHECK(weir_registry_flow(r, ops[i]) != WEIR_FLOW_NONE);
        CHECK_EQ(weir_registry_flow(r, ref), weir_registry_flow(r, ops[i]));
    }
}

TEST_MAIN()
