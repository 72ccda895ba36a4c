/* op/opdef_test.c - parses signatures: arguments, attrs, defaults and errors. */
#include "op/opdef.h"

#include "base/test.h"
#include "op/op.h"

static weir_arena arena;

static weir_status parse(const char *in, const char *out, const char *attrs, weir_opdef *def)
{
    return weir_opdef_parse(&arena, "Toy", in, out, attrs, def);
}

TEST(arguments_name_their_types)
{
    weir_arena_init(&arena);
    weir_opdef def;
    CHECK_OK(parse("x: T; y: N * int32; z: Ref(T); rest: Tlist", "out: float",
                   "T: type; N: int >= 1; Tlist: list(type)", &def));
    CHECK_EQ(def.in_count, 4);
    CHECK_EQ(def.out_count, 1);
    CHECK_EQ(def.in[0].type_attr, 0);
    CHECK_EQ(def.in[0].dtype, 0);
    CHECK_EQ(def.in[1].dtype, WEIR_INT32);
    CHECK_EQ(def.in[1].number_attr, 1);
    CHECK(def.in[2].is_ref && def.in[2].type_attr == 0);
    CHECK_EQ(def.in[3].type_list_attr, 2);
    CHECK_EQ(def.out[0].dtype, WEIR_FLOAT);
    CHECK(strcmp(def.in[3].name, "rest") == 0);
    weir_arena_fini(&arena);
}

TEST(no_text_is_no_argument)
{
    weir_arena_init(&arena);
    weir_opdef def;
    CHECK_OK(parse(NULL, "", NULL, &def));
    CHECK_EQ(def.in_count + def.out_count + def.attr_count, 0);
    weir_arena_fini(&arena);
}

TEST(attrs_have_bounds_and_defaults)
{
    weir_arena_init(&arena);
    weir_opdef def;
    CHECK_OK(parse(NULL, NULL,
                   "T: {half, float} = DT_FLOAT; N: int >= 2 = 3; alpha: float = 0.5; "
                   "padding: {'SAME', 'VALID'}; on: bool = true; sizes: list(int) >= 0 = [1, -2]; "
                   "text: string = \"a b\"; shape: shape = unknown",
                   &def));
    CHECK_EQ(def.attr_count, 8);
    CHECK_EQ(def.attrs[0].kind, WEIR_ATTR_TYPE);
    CHECK_EQ(def.attrs[0].allowed.count, 2);
    CHECK_EQ(def.attrs[0].otherwise.type, WEIR_FLOAT);
    CHECK(def.attrs[1].has_min && def.attrs[1].min == 2 && def.attrs[1].otherwise.i == 3);
    CHECK(def.attrs[2].otherwise.f == 0.5f);
    CHECK(!def.attrs[3].has_default && def.attrs[3].kind == WEIR_ATTR_STRING);
    CHECK(weir_str_is(def.attrs[3].allowed.ss[1], "VALID"));
    CHECK(def.attrs[4].otherwise.b);
    CHECK(def.attrs[5].is_list && def.attrs[5].otherwise.count == 2);
    CHECK_EQ(def.attrs[5].otherwise.is[1], -2);
    CHECK(weir_str_is(def.attrs[6].otherwise.s, "a b"));
    CHECK_EQ(def.attrs[7].otherwise.shape->rank, -1);
    weir_arena_fini(&arena);
}

TEST(words_stand_for_several_types)
{
    weir_arena_init(&arena);
    weir_opdef def;
    CHECK_OK(
        parse("x: T; all: N * U", NULL,
              "T: {quantizedtype, float}; U: numbertype; N: int; name: {\"a\", \"b\"}; "
              "s: shape = { dim { size: 2 } dim { size: -1 } }; r: shape = { unknown_rank: true }",
              &def));
    CHECK_EQ(def.attrs[0].allowed.count, 6);
    CHECK_EQ(def.attrs[1].allowed.count, 15);
    CHECK(def.attrs[2].has_min && def.attrs[2].min == 1);
    CHECK_EQ(def.attrs[3].kind, WEIR_ATTR_STRING);
    CHECK_EQ(def.attrs[4].otherwise.shape->rank, 2);
    CHECK_EQ(def.attrs[4].otherwise.shape->dims[1], -1);
    CHECK_EQ(def.attrs[5].otherwise.shape->rank, -1);
    weir_arena_fini(&arena);
}

TEST(attrs_are_found_by_name)
{
    weir_arena_init(&arena);
    weir_opdef def;
    CHECK_OK(parse(NULL, NULL, "T: type; N: int", &def));
    CHECK_EQ(weir_opdef_attr(&def, "N"), 1);
    CHECK_EQ(weir_opdef_attr(&def, "M"), -1);
    weir_arena_fini(&arena);
}

TEST(mistakes_name_the_op_and_the_place)
{
    static const char *const bad_args[] = {"x", "x:", "x: T; y: U", ": T", "x: M * T", "x: Ref(T"};
    static const char *const bad_attrs[] = {"T: kind", "T: {float", "N: int >= x", "N: int = many"};
    weir_arena_init(&arena);
    weir_opdef def;
    for (size_t i = 0; i < sizeof bad_args / sizeof *bad_args; i++)
        CHECK_FAILS(parse(bad_args[i], NULL, "T: type", &def), WEIR_INVALID_ARGUMENT, "op Toy");
    for (size_t i = 0; i < sizeof bad_attrs / sizeof *bad_attrs; i++)
        CHECK_FAILS(parse(NULL, NULL, bad_attrs[i], &def), WEIR_INVALID_ARGUMENT, "op Toy");
    weir_arena_fini(&arena);
}

TEST(arguments_in_host_memory_are_marked)
{
    weir_arena_init(&arena);
    weir_opdef def;
    CHECK_OK(parse("x: T; shape: int32; axis: int32", "y: T; sizes: int32", "T: type", &def));
    CHECK(weir_opdef_mark_host(&def, NULL));
    CHECK(!def.in[1].host);
    CHECK(weir_opdef_mark_host(&def, "shape; sizes"));
    CHECK(def.in[1].host && def.out[1].host);
    CHECK(!def.in[0].host && !def.in[2].host && !def.out[0].host);
    CHECK(!weir_opdef_mark_host(&def, "axis; shapes"));
    CHECK(def.in[2].host);
    weir_arena_fini(&arena);
}

TEST_MAIN()
