/* tensor/tensor_test.c - shapes, dtypes, tensors, strings and text. */
#include "tensor/tensor.h"

#include "base/room.h"
#include "base/test.h"
#include "tensor/text.h"
#include "tensor/tstring.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

TEST(shapes_are_checked_when_they_are_made)
{
    weir_shape shape;
    CHECK_OK(weir_shape_make((int64_t[]){2, -1, 3}, 3, &shape));
    CHECK_STR(WEIR_SHAPE_STR(&shape), "[2,?,3]");
    CHECK(!weir_shape_known(&shape));
    CHECK_EQ(weir_shape_count(&shape), -1);
    CHECK_OK(weir_shape_make(NULL, 0, &shape));
    CHECK_STR(WEIR_SHAPE_STR(&shape), "[]");
    CHECK_EQ(weir_shape_count(&shape), 1);
    CHECK_OK(weir_shape_make(NULL, -1, &shape));
    CHECK_STR(WEIR_SHAPE_STR(&shape), "<unknown>");
    int64_t many[WEIR_MAX_RANK + 1] = {0};
    CHECK_OK(weir_shape_make(many, WEIR_MAX_RANK, &shape));
    CHECK(weir_shape_known(&shape) && weir_shape_count(&shape) == 0);
    CHECK_FAILS(weir_shape_make(many, WEIR_MAX_RANK + 1, &shape), WEIR_INVALID_ARGUMENT, "");
    CHECK_FAILS(weir_shape_make((int64_t[]){2, -2}, 2, &shape), WEIR_INVALID_ARGUMENT, "-2");
    CHECK_FAILS(weir_shape_make((int64_t[]){1ll << 40, 1ll << 40}, 2, &shape),
                WEIR_INVALID_ARGUMENT, "");
}

TEST(shapes_compare)
{
    weir_shape known = {2, {2, 3}}, other = {2, {2, 4}}, partly = {2, {-1, 3}};
    weir_shape longer = {3, {2, 3, 1}}, unknown = WEIR_UNKNOWN_SHAPE;
    CHECK(weir_shape_eq(&known, &known) && !weir_shape_eq(&known, &other));
    CHECK(!weir_shape_eq(&known, &partly) && !weir_shape_eq(&known, &longer));
    CHECK(weir_shape_compatible(&known, &partly) && weir_shape_compatible(&partly, &known));
    CHECK(weir_shape_compatible(&unknown, &longer) && weir_shape_compatible(&known, &unknown));
    CHECK(!weir_shape_compatible(&partly, &other) && !weir_shape_compatible(&known, &longer));
    CHECK_EQ(weir_shape_product(&longer, 0, 2), 6);
    CHECK_EQ(weir_shape_product(&longer, 1, 1), 1);
    weir_shape_append(&known, 7);
    CHECK_STR(WEIR_SHAPE_STR(&known), "[2,3,7]");
}

/* ---- dtypes ---------------------------------------------------------------------------------- */

TEST(names_of_dtypes_are_read_back)
{
    for (int type = 1; type < WEIR_DTYPE_COUNT; type++) {
        CHECK_EQ(weir_dtype_parse(weir_str_of(weir_dtype_name(type))), type);
        CHECK_EQ(weir_dtype_parse(weir_str_of(weir_dtype_enum(type))), type);
        CHECK(weir_dtype_size((weir_dtype)type) > 0);
    }
    CHECK_STR(weir_dtype_name(WEIR_FLOAT + WEIR_REF_OFFSET), "float_ref");
    CHECK_STR(weir_dtype_enum(WEIR_BFLOAT16), "DT_BFLOAT16");
    CHECK_EQ(weir_dtype_parse(WEIR_STR("DT_NONSENSE")), 0);
    CHECK_EQ(weir_dtype_parse(WEIR_STR("")), 0);
    CHECK(!weir_dtype_valid(0) && !weir_dtype_valid(WEIR_DTYPE_COUNT) && !weir_dtype_valid(-1));
    CHECK_EQ(weir_dtype_size((weir_dtype)99), 0);
    CHECK_EQ(weir_dtype_base(WEIR_INT32 + WEIR_REF_OFFSET), WEIR_INT32);
}

TEST(kinds_of_dtypes)
{
    CHECK(weir_dtype_is_plain(WEIR_BOOL) && weir_dtype_is_plain(WEIR_COMPLEX128));
    CHECK(!weir_dtype_is_plain(WEIR_STRING) && !weir_dtype_is_plain(WEIR_RESOURCE) &&
          !weir_dtype_is_plain(WEIR_VARIANT));
    CHECK(weir_dtype_is_float(WEIR_BFLOAT16) && !weir_dtype_is_float(WEIR_COMPLEX64));
    CHECK(weir_dtype_is_int(WEIR_UINT64) && !weir_dtype_is_int(WEIR_QINT8) &&
          !weir_dtype_is_int(WEIR_BOOL));
    CHECK_EQ(weir_dtype_wire_size(WEIR_STRING), 0);
    CHECK_EQ(weir_dtype_wire_size(WEIR_INT16), 2);
}

TEST(every_half_is_a_float_and_back)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        float value = weir_f16_f32((uint16_t)bits);
        bool nan = (bits & 0x7fff) > 0x7c00;
        if (nan)
            CHECK(value != value);
        else
            CHECK_EQ(weir_f32_f16(value), bits);
    }
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        float value = weir_bf16_f32((uint16_t)bits);
        bool nan = (bits & 0x7fff) > 0x7f80;
        if (nan)
            CHECK(value != value);
        else
            CHECK_EQ(weir_f32_bf16(value), bits);
    }
}

TEST(halves_round_to_the_nearest_even)
{
    CHECK_EQ(weir_f32_f16(1.0f + 0x1p-11f), 0x3c00); /* a tie, to even */
    CHECK_EQ(weir_f32_f16(1.0f + 3 * 0x1p-11f), 0x3c02);
    CHECK_EQ(weir_f32_f16(1.0f + 0x1.1p-11f), 0x3c01);
    CHECK_EQ(weir_f32_f16(65519.0f), 0x7bff);
    CHECK_EQ(weir_f32_f16(65520.0f), 0x7c00);  /* rounds to infinity */
    CHECK_EQ(weir_f32_f16(-0x1p-25f), 0x8000); /* a tie with zero */
    CHECK_EQ(weir_f32_f16(0x1.8p-25f), 0x0001);
    CHECK_EQ(weir_f32_bf16(1.0f + 0x1p-8f), 0x3f80);
    CHECK_EQ(weir_f32_bf16(1.0f + 3 * 0x1p-8f), 0x3f82);
    CHECK_EQ(weir_f32_bf16(0x1.ffp127f), 0x7f80);
}

/* ---- tensors --------------------------------------------------------------------------------- */

TEST(tensors_share_and_own_their_buffers)
{
    float values[] = {1, 2, 3, 4, 5, 6};
    weir_shape shape = {2, {2, 3}}, flat = {1, {6}}, row = {1, {3}};
    weir_tensor first = weir_tensor_from(WEIR_FLOAT, &shape, values);
    CHECK(weir_tensor_unique(&first));
    weir_tensor second = weir_tensor_share(&first);
    weir_tensor view = weir_tensor_view(&first, &flat);
    weir_tensor slice = weir_tensor_slice(&first, 3, &row);
    CHECK(!weir_tensor_unique(&first));
    CHECK(second.data == first.data && view.data == first.data);
    CHECK_NEAR(((float *)slice.data)[0], 4, 0);
    CHECK_OK(weir_tensor_own(&second));
    CHECK(weir_tensor_unique(&second) && second.data != first.data);
    ((float *)second.data)[0] = 9;
    CHECK_NEAR(((float *)first.data)[0], 1, 0);
    weir_tensor_release(&view);
    weir_tensor_release(&slice);
    CHECK(weir_tensor_unique(&first));
    weir_tensor moved = {0};
    weir_tensor_move(&moved, &first);
    CHECK(!first.buffer && weir_tensor_unique(&moved));
    CHECK_STR(WEIR_SHAPE_STR(&moved.shape), "[2,3]");
    weir_tensor_release(&moved);
    weir_tensor_release(&moved); /* takes "no tensor" */
    weir_tensor_release(&second);
}

TEST(tensors_of_any_rank_move_whole)
{
    weir_shape shape = {.rank = WEIR_MAX_RANK};
    for (int i = 0; i < WEIR_MAX_RANK; i++)
        shape.dims[i] = 1 + i % 2;
    weir_tensor from, shared = {0}, moved = {0};
    CHECK_OK(weir_tensor_alloc(WEIR_UINT8, &shape, &from));
    weir_tensor_share_into(&shared, &from);
    weir_tensor_move(&moved, &from);
    CHECK(weir_shape_eq(&moved.shape, &shape) && weir_shape_eq(&shared.shape, &shape));
    weir_tensor_release(&shared);
    weir_tensor_release(&moved);
}

TEST(ints_are_read_from_both_sizes)
{
    int32_t narrow[] = {1, -2};
    int64_t wide[] = {1ll << 40, 5}, out[2], count;
    weir_shape pair = weir_shape_vector(2);
    weir_tensor a = weir_tensor_from(WEIR_INT32, &pair, narrow);
    weir_tensor b = weir_tensor_from(WEIR_INT64, &pair, wide);
    CHECK_OK(weir_tensor_get_ints(&a, out, 2, &count));
    CHECK(count == 2 && out[1] == -2);
    CHECK_OK(weir_tensor_get_ints(&b, out, 2, &count));
    CHECK(out[0] == 1ll << 40);
    CHECK_FAILS(weir_tensor_get_ints(&b, out, 1, &count), WEIR_INVALID_ARGUMENT, "");
    weir_tensor_release(&a);
    weir_tensor_release(&b);
}

/* ---- strings --------------------------------------------------------------------------------- */

TEST(strings_are_small_or_large)
{
    static const size_t lengths[] = {0, 1, 22, 23, 24, 1000};
    char text[1000];
    memset(text, 'x', sizeof text);
    weir_tstring string = {0};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        weir_tstring_set(&string, text, lengths[i]);
        CHECK(weir_str_eq(weir_tstring_get(&string), (weir_str){text, lengths[i]}));
        CHECK_EQ(string.bytes[0] & 3, lengths[i] <= 22 ? 0 : 1);
    }
    weir_tstring_set(&string, "short", 5); /* large before */
    CHECK(weir_str_is(weir_tstring_get(&string), "short"));
    memcpy(weir_tstring_resize(&string, 30), "123456789012345678901234567890", 30);
    CHECK(weir_str_is(weir_tstring_get(&string), "123456789012345678901234567890"));
    weir_tstring_fini(&string);
    CHECK_EQ(weir_tstring_get(&string).length, 0);
}

TEST(views_and_offsets_of_clients_are_read)
{
    struct {
        weir_tstring string;
        char text[8];
    } near = {.text = "nearby"};
    near.string.off.head = 6 << 2 | 2;
    near.string.off.offset = offsetof(__typeof__(near), text);
    CHECK(weir_str_is(weir_tstring_get(&near.string), "nearby"));
    weir_tstring view = {.view = {.head = 4 << 2 | 3, .at = "viewed"}};
    CHECK(weir_str_is(weir_tstring_get(&view), "view"));
}

TEST(copies_of_strings_are_their_own)
{
    weir_tensor a = weir_tensor_string(WEIR_STR("a string of more than 22 bytes")), b;
    CHECK_OK(weir_tensor_clone(&a, &b));
    weir_tstring_set(a.data, "other", 5);
    CHECK(weir_str_is(weir_tstring_get(b.data), "a string of more than 22 bytes"));
    weir_elements_copy(WEIR_STRING, b.data, a.data, 1);
    CHECK(weir_str_is(weir_tstring_get(b.data), "other"));
    weir_elements_zero(WEIR_STRING, b.data, 1);
    CHECK_EQ(weir_tstring_get(b.data).length, 0);
    weir_tensor_release(&a);
    weir_tensor_release(&b);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void check_text(const weir_tensor *tensor, int64_t ends, const char *expected)
{
    WEIR_BUF(text);
    weir_tensor_text(tensor, ends, &text);
    CHECK_STR(text.at, expected);
}

TEST(tensors_print_as_in_tensorflow)
{
    int32_t values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    weir_shape matrix = {2, {2, 4}}, cube = {3, {2, 2, 2}};
    weir_tensor a = weir_tensor_from(WEIR_INT32, &matrix, values);
    weir_tensor b = weir_tensor_from(WEIR_INT32, &cube, values);
    check_text(&a, -1, "[[1 2 3 4]\n [5 6 7 8]]");
    check_text(&a, 1, "[[1 ... 4]\n [5 ... 8]]");
    check_text(&b, 3, "[[[1 2]\n  [3 4]]\n\n [[5 6]\n  [7 8]]]");
    weir_tensor_release(&a);
    weir_tensor_release(&b);
}

TEST(elements_print_by_their_type)
{
    static const struct {
        weir_dtype dtype;
        double bits[2];
        const char *text;
    } rows[] = {{WEIR_DOUBLE, {0.1}, "0.1"}, {WEIR_COMPLEX128, {1, -2.5}, "(1,-2.5)"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_tensor tensor = weir_tensor_scalar(rows[i].dtype, rows[i].bits);
        check_text(&tensor, -1, rows[i].text);
        weir_tensor_release(&tensor);
    }
    float third = 1.0f / 3;
    uint16_t half = 0x3e00;
    weir_tensor tensor = weir_tensor_scalar(WEIR_FLOAT, &third);
    check_text(&tensor, -1, "0.333333343");
    weir_tensor_release(&tensor);
    tensor = weir_tensor_scalar(WEIR_HALF, &half);
    check_text(&tensor, -1, "1.5");
    weir_tensor_release(&tensor);
    tensor = weir_tensor_string(WEIR_STR("a\"b\n"));
    check_text(&tensor, -1, "\"a\\\"b\\n\"");
    weir_tensor_release(&tensor);
}

TEST(long_strings_count_as_memory_in_use)
{
    weir_tstring one = {0}, other = {0};
    char text[1000] = "";
    size_t before = weir_room_used();
    for (size_t length = 0; length < sizeof text; length++) {
        weir_tstring_set(&one, text, length);
        size_t now = weir_room_used() - before;
        CHECK(length < 64 ? now == 0 : now >= length && now < length + 16);
        CHECK_EQ(weir_tstring_get(&one).length, length);
    }
    other = one;
    weir_tstring_uncount(&other);
    CHECK_EQ(weir_room_used(), before);
    CHECK(other.large.capacity >= 999 && other.large.capacity % 16 == 15);
    weir_tstring_fini(&other);
    CHECK_EQ(weir_room_used(), before);
}

TEST_MAIN()
