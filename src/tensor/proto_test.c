/* tensor/proto_test.c - tensors, shapes, handles and variants as messages and back. */
#include "tensor/proto.h"

#include "base/test.h"
#include "tensor/opaque.h"
#include "tensor/tstring.h"
#include "tensor/values.h"
#include "wire/message.h"
#include "wire/messages.h"

/* Parses the tensor of a TensorProto in text format. */
static weir_status parse_text(const char *text, weir_tensor *out)
{
    WEIR_BUF(bytes);
    WEIR_TRY(
        weir_message_parse(weir_message_find(WEIR_STR("TensorProto")), weir_str_of(text), &bytes));
    return weir_tensor_parse(weir_view(&bytes), out);
}

static void check_refused(const char *text, const char *message)
{
    weir_tensor tensor;
    CHECK_FAILS(parse_text(text, &tensor), WEIR_INVALID_ARGUMENT, message);
}

static bool same(const weir_tensor *a, const weir_tensor *b)
{
    if (a->dtype != b->dtype || !weir_shape_eq(&a->shape, &b->shape))
        return false;
    if (a->dtype != WEIR_STRING)
        return memcmp(a->data, b->data, weir_tensor_bytes(a)) == 0;
    for (int64_t i = 0; i < weir_tensor_count(a); i++)
        if (!weir_str_eq(weir_tstring_get((weir_tstring *)a->data + i),
                         weir_tstring_get((weir_tstring *)b->data + i)))
            return false;
    return true;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

TEST(shapes_come_back)
{
    static const weir_shape shapes[] = {
        {0}, {.rank = -1}, {3, {2, 0, 5}}, {2, {-1, 7}}, {1, {1ll << 40}}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        WEIR_BUF(bytes);
        weir_shape back;
        weir_shape_encode(&shapes[i], &bytes);
        CHECK_OK(weir_shape_parse(weir_view(&bytes), &back));
        CHECK(weir_shape_eq(&back, &shapes[i]));
    }
    weir_shape shape;
    CHECK_FAILS(weir_shape_parse(WEIR_STR("\x12\x05\x08\x01"), &shape), WEIR_INVALID_ARGUMENT,
                "TensorShapeProto");
}

/* ---- tensors --------------------------------------------------------------------------------- */

TEST(tensors_of_every_plain_type_come_back)
{
    weir_shape shape = {2, {2, 3}};
    for (int type = 1; type < WEIR_DTYPE_COUNT; type++) {
        weir_tensor tensor, back;
        if (!weir_dtype_is_plain((weir_dtype)type))
            continue;
        CHECK_OK(weir_tensor_alloc((weir_dtype)type, &shape, &tensor));
        for (size_t i = 0; i < weir_tensor_bytes(&tensor); i++)
            ((uint8_t *)tensor.data)[i] = type == WEIR_BOOL ? i % 2 : (uint8_t)(i * 7 + 1);
        WEIR_BUF(bytes);
        CHECK_OK(weir_tensor_encode(&tensor, &bytes));
        CHECK_OK(weir_tensor_parse(weir_view(&bytes), &back));
        CHECK_MSG(same(&tensor, &back), "%s differs", weir_dtype_name(type));
        weir_tensor_release(&back);
        weir_tensor_release(&tensor);
    }
}

/* The repeated fields, which V1 checkpoints use. */
TEST(values_of_every_type_come_back)
{
    weir_shape shape = {1, {4}};
    int types = 0;
    for (int type = 1; type < WEIR_DTYPE_COUNT; type++) {
        weir_tensor tensor, back;
        if (!weir_dtype_is_plain((weir_dtype)type))
            continue;
        CHECK_OK(weir_tensor_alloc((weir_dtype)type, &shape, &tensor));
        for (size_t i = 0; i < weir_tensor_bytes(&tensor); i++)
            ((uint8_t *)tensor.data)[i] = type == WEIR_BOOL ? i % 2 : (uint8_t)(i * 91 + 200);
        WEIR_BUF(bytes);
        WEIR_MESSAGE_ARENA(arena);
        weir_msg_tensor_proto proto = {.dtype = type,
                                       .tensor_shape = weir_shape_to_proto(&shape, &arena)};
        weir_status status = weir_values_write(&tensor, &arena, &proto);
        weir_msg_tensor_proto_write(&proto, &bytes);
        if (!status) {
            CHECK_OK(weir_tensor_parse(weir_view(&bytes), &back));
            CHECK_MSG(same(&tensor, &back), "%s differs", weir_dtype_name(type));
            weir_tensor_release(&back);
            types++;
        }
        weir_status_free(status);
        weir_tensor_release(&tensor);
    }
    CHECK_EQ(types, 20);
}

TEST(strings_come_back_in_both_forms)
{
    weir_shape shape = {1, {3}};
    weir_tensor tensor, back;
    CHECK_OK(weir_tensor_alloc(WEIR_STRING, &shape, &tensor));
    weir_tstring_set((weir_tstring *)tensor.data + 1, "a string of more than 22 bytes", 30);
    weir_tstring_set((weir_tstring *)tensor.data + 2, "\0\xff", 2);
    for (int list = 0; list < 2; list++) {
        WEIR_BUF(bytes);
        CHECK_OK(list ? weir_tensor_encode_list(&tensor, &bytes)
                      : weir_tensor_encode(&tensor, &bytes));
        CHECK_OK(weir_tensor_parse(weir_view(&bytes), &back));
        CHECK(same(&tensor, &back));
        weir_tensor_release(&back);
    }
    weir_tensor_release(&tensor);
}

TEST(the_last_value_fills_the_rest)
{
    weir_tensor tensor;
    CHECK_OK(parse_text("dtype: DT_INT32 tensor_shape { dim { size: 4 } } int_val: 7 int_val: -1",
                        &tensor));
    const int32_t *values = tensor.data;
    CHECK(values[0] == 7 && values[1] == -1 && values[2] == -1 && values[3] == -1);
    weir_tensor_release(&tensor);
    CHECK_OK(parse_text("dtype: DT_COMPLEX64 tensor_shape { dim { size: 2 } } scomplex_val: 1 "
                        "scomplex_val: 2",
                        &tensor));
    CHECK_NEAR(((float *)tensor.data)[3], 2, 0);
    weir_tensor_release(&tensor);
    CHECK_OK(parse_text("dtype: DT_FLOAT tensor_shape { dim { size: 2 } }", &tensor));
    CHECK_NEAR(((float *)tensor.data)[1], 0, 0); /* none at all: zeros */
    weir_tensor_release(&tensor);
    CHECK_OK(
        parse_text("dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: 'x'", &tensor));
    CHECK(weir_str_is(weir_tstring_get((weir_tstring *)tensor.data + 1), "x"));
    weir_tensor_release(&tensor);
}

TEST(wrong_tensors_are_refused)
{
    weir_tensor tensor;
    check_refused("tensor_shape { }", "invalid dtype 0");
    check_refused("dtype: DT_FLOAT tensor_shape { dim { size: -1 } }", "unknown dimensions: [?]");
    check_refused("dtype: DT_FLOAT tensor_shape { dim { size: 2 } } tensor_content: 'abcd'",
                  "tensor_content has 4 bytes, but float of shape [2] needs 8");
    check_refused("dtype: DT_STRING tensor_shape { dim { size: 2 } } tensor_content: '\\001\\005a'",
                  "malformed tensor_content of string");
    check_refused("dtype: DT_FLOAT tensor_shape { dim { size: -5 } }", "-5");
    CHECK_FAILS(weir_tensor_parse(WEIR_STR("\x08\x01\x12"), &tensor), WEIR_INVALID_ARGUMENT,
                "TensorProto");
    CHECK_FAILS(weir_tensor_parse(WEIR_STR("\x08\x01\x2a\x04\x01\x02"), &tensor),
                WEIR_INVALID_ARGUMENT, "TensorProto");
}

/* ---- handles and variants -------------------------------------------------------------------- */

TEST(handles_come_back)
{
    weir_handle *handle = weir_handle_create("/cpu:0", "box", "v", "Var");
    handle->hash_code = 0xfedcba9876543210;
    handle->dtype_count = 1;
    handle->dtypes = WEIR_NEW_ARRAY(weir_dtype, 1);
    handle->shapes = WEIR_NEW_ARRAY(weir_shape, 1);
    handle->dtypes[0] = WEIR_HALF;
    handle->shapes[0] = (weir_shape){2, {3, -1}};
    weir_tensor tensor = weir_tensor_from_handle(handle);
    for (int list = 0; list < 2; list++) {
        WEIR_BUF(bytes);
        weir_tensor back;
        CHECK_OK(list ? weir_tensor_encode_list(&tensor, &bytes)
                      : weir_tensor_encode(&tensor, &bytes));
        CHECK_OK(weir_tensor_parse(weir_view(&bytes), &back));
        const weir_handle *same = weir_tensor_handle(&back);
        CHECK_STR(same->device, "/cpu:0");
        CHECK_STR(same->container, "box");
        CHECK_STR(same->name, "v");
        CHECK_STR(same->type_name, "Var");
        CHECK(same->hash_code == 0xfedcba9876543210);
        CHECK_EQ(same->dtype_count, 1);
        CHECK_EQ(same->dtypes[0], WEIR_HALF);
        CHECK_STR(WEIR_SHAPE_STR(&same->shapes[0]), "[3,?]");
        weir_tensor_release(&back);
    }
    weir_tensor_release(&tensor);
}

TEST(variants_that_are_not_known_are_handed_on)
{
    WEIR_BUF(message);
    WEIR_BUF(bytes);
    CHECK_OK(weir_message_parse(
        weir_message_find(WEIR_STR("VariantTensorDataProto")),
        WEIR_STR(
            "type_name: 'somebody::Thing' metadata: 'm' tensors { dtype: DT_INT32 int_val: 5 }"),
        &message));
    weir_tensor tensor = weir_tensor_from_variant(weir_opaque_create(weir_view(&message))), back;
    CHECK_OK(weir_tensor_encode(&tensor, &bytes));
    CHECK_OK(weir_tensor_parse(weir_view(&bytes), &back));
    weir_str kept;
    CHECK(weir_opaque_get(weir_tensor_variant(&back), &kept));
    CHECK(weir_str_eq(kept, weir_view(&message)));
    weir_variant_data data;
    CHECK_OK(weir_variant_data_parse(kept, &data));
    CHECK(weir_str_is(data.type_name, "somebody::Thing") && weir_str_is(data.metadata, "m"));
    CHECK_EQ(data.count, 1);
    CHECK_EQ(*(int32_t *)data.tensors[0].data, 5);
    weir_variant_data_fini(&data);
    weir_tensor_release(&tensor);
    weir_tensor_release(&back);
}

TEST_MAIN()
