/* dist/recv_tensor_test.c - bytes as TensorFlow's tasks send and expect them. */
#include "dist/recv_tensor.h"
#include "dist/wire_type.h"

#include "base/test.h"
#include "tensor/tstring.h"

/* The answer's bytes in hexadecimal, without the time (field 3). */
static const char *hex(const weir_rpc_message *message)
{
    static char text[96];
    WEIR_BUF(all);
    weir_buf_add(&all, message->head.at, message->head.length);
    if (message->payload)
        weir_buf_add(&all, (char *)message->payload->data + message->payload_at,
                     message->payload_bytes);
    size_t at = 0;
    for (size_t i = 0; i < all.length && at < sizeof text - 3; i++) {
        if ((uint8_t)all.at[i] == 0x18 && (i == 0 || i == 2 || i + 9 == all.length)) {
            while ((uint8_t)all.at[++i] & 0x80)
                ;
            continue;
        }
        at += (size_t)sprintf(text + at, "%02x", (uint8_t)all.at[i]);
    }
    text[at] = 0;
    return text;
}

static void check_bytes(weir_tensor tensor, bool dead, const char *want)
{
    weir_rpc_message message = {0};
    CHECK_OK(weir_recv_answer_encode(&tensor, dead, &message));
    CHECK_STR(hex(&message), want);
    weir_rpc_message_fini(&message);
    weir_tensor_release(&tensor);
}

TEST(answers_have_the_bytes_of_the_protocol)
{
    weir_shape one = weir_shape_vector(1), none = weir_shape_vector(0);
    float f = 0;
    check_bytes(weir_tensor_scalar(WEIR_BOOL, &(bool){true}), false, "0a05080a220101");
    check_bytes(weir_tensor_from(WEIR_FLOAT, &one, &f), false, "0a0e0801120412020801220400000000");
    check_bytes(weir_tensor_scalar(WEIR_INT64, &(int64_t){0}), false,
                "0a0c080922080000000000000000");
    check_bytes(weir_tensor_from(WEIR_INT32, &none, NULL), false, "0a080803120212002200");
    check_bytes((weir_tensor){0}, true, "10010a080801120212002200");
    weir_tensor s;
    weir_shape two = weir_shape_vector(2);
    CHECK_OK(weir_tensor_alloc(WEIR_STRING, &two, &s));
    weir_tstring_set((weir_tstring *)s.data, "s1", 2);
    weir_tstring_set((weir_tstring *)s.data + 1, "s2", 2);
    check_bytes(s, false,
                "0a10080712041202080222060202"
                "73317332");
}

/* Splits the message as a channel would: with a separate payload if it has one. */
static weir_rpc_message travel(const weir_rpc_message *message)
{
    WEIR_BUF(all);
    weir_buf_add(&all, message->head.at, message->head.length);
    if (message->payload)
        weir_buf_add(&all, (char *)message->payload->data + message->payload_at,
                     message->payload_bytes);
    size_t at = SIZE_MAX;
    for (size_t seen = 1; at == SIZE_MAX && seen <= all.length; seen++)
        at = weir_recv_answer_payload((weir_str){all.at, seen});
    weir_rpc_message out = {0};
    weir_buf_add(&out.head, all.at, at ? at : all.length);
    if (at) {
        out.payload_bytes = all.length - at;
        CHECK_OK(weir_buffer_alloc(out.payload_bytes, &out.payload));
        memcpy(out.payload->data, all.at + at, out.payload_bytes);
    }
    return out;
}

static void check_round(int64_t rows, int64_t columns, bool with_payload)
{
    weir_tensor tensor, back;
    weir_shape shape = {.rank = 2, .dims = {rows, columns}};
    CHECK_OK(weir_tensor_alloc(WEIR_DOUBLE, &shape, &tensor));
    for (int64_t i = 0; i < rows * columns; i++)
        ((double *)tensor.data)[i] = (double)i;
    weir_rpc_message message = {0};
    CHECK_OK(weir_recv_answer_encode(&tensor, false, &message));
    weir_rpc_message came = travel(&message);
    CHECK_EQ(came.payload != NULL, with_payload);
    bool dead = true;
    CHECK_OK(weir_recv_answer_parse(&came, &back, &dead));
    CHECK(!dead && weir_shape_eq(&back.shape, &shape));
    CHECK(memcmp(back.data, tensor.data, weir_tensor_bytes(&tensor)) == 0);
    weir_tensor_release(&back);
    weir_tensor_release(&tensor);
    weir_rpc_message_fini(&message);
    weir_rpc_message_fini(&came);
}

/* Values that fit into 16 bits are unchanged after the round trip, whatever the wire type. */
static void check_narrow(weir_dtype wire, int64_t count, bool narrow)
{
    weir_tensor tensor, back;
    weir_shape shape = {.rank = 1, .dims = {count}};
    CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, &shape, &tensor));
    for (int64_t i = 0; i < count; i++)
        ((float *)tensor.data)[i] = (float)(i % 128) - 64;
    weir_rpc_message message = {0};
    CHECK_OK(weir_recv_answer_encode_as(&tensor, false, wire, &message));
    CHECK_EQ(message.payload_bytes, (size_t)count * (narrow ? 2 : 4));
    weir_rpc_message came = travel(&message);
    bool dead = true;
    CHECK_OK(weir_recv_answer_parse(&came, &back, &dead));
    CHECK(!dead && back.dtype == WEIR_FLOAT && weir_shape_eq(&back.shape, &shape));
    CHECK(memcmp(back.data, tensor.data, weir_tensor_bytes(&tensor)) == 0);
    weir_tensor_release(&back);
    weir_tensor_release(&tensor);
    weir_rpc_message_fini(&message);
    weir_rpc_message_fini(&came);
}

TEST(large_floats_travel_as_asked)
{
    check_narrow(WEIR_FLOAT, 10000, false);
    check_narrow(WEIR_BFLOAT16, 10000, true);
    check_narrow(WEIR_HALF, 10000, true);
    check_narrow(WEIR_BFLOAT16, 2000, false); /* small */
}

TEST(other_types_travel_as_they_are)
{
    weir_tensor tensor, back;
    weir_shape shape = {.rank = 1, .dims = {10000}};
    CHECK_OK(weir_tensor_alloc(WEIR_BFLOAT16, &shape, &tensor));
    memset(tensor.data, 0, weir_tensor_bytes(&tensor));
    weir_rpc_message message = {0};
    CHECK_OK(weir_recv_answer_encode_as(&tensor, false, WEIR_BFLOAT16, &message));
    weir_rpc_message came = travel(&message);
    bool dead = true;
    CHECK_OK(weir_recv_answer_parse(&came, &back, &dead));
    CHECK_EQ(back.dtype, WEIR_BFLOAT16);
    weir_tensor_release(&back);
    weir_tensor_release(&tensor);
    weir_rpc_message_fini(&message);
    weir_rpc_message_fini(&came);
}

TEST(a_mark_of_16_bits_on_another_type)
{
    weir_tensor tensor, back;
    weir_shape shape = {.rank = 1, .dims = {10000}};
    CHECK_OK(weir_tensor_alloc(WEIR_DOUBLE, &shape, &tensor));
    memset(tensor.data, 0, weir_tensor_bytes(&tensor));
    weir_rpc_message message = {0}, body = {0};
    WEIR_BUF(room);
    weir_msg_any mark = weir_wire_options_put(&(weir_wire_options){.type = WEIR_HALF}, &room);
    weir_msg_recv_tensor_response response = {.transport_options = &mark};
    weir_msg_recv_tensor_response_write(&response, &message.head);
    CHECK_OK(weir_recv_answer_encode(&tensor, false, &body));
    weir_buf_add(&message.head, body.head.at, body.head.length);
    message.payload = body.payload;
    message.payload_bytes = body.payload_bytes;
    weir_buf_fini(&body.head);
    weir_rpc_message came = travel(&message);
    bool dead = true;
    CHECK_FAILS(weir_recv_answer_parse(&came, &back, &dead), WEIR_INTERNAL, "in place of 16-bit");
    weir_tensor_release(&tensor);
    weir_rpc_message_fini(&message);
    weir_rpc_message_fini(&came);
}

TEST(tensors_come_back)
{
    check_round(3, 5, false);
    check_round(0, 5, false);
    check_round(100, 70, true);
}

TEST(bad_answers_are_refused)
{
    weir_tensor t;
    bool dead;
    weir_rpc_message m = {0};
    weir_buf_adds(&m.head, "\x0a\x7f");
    CHECK_FAILS(weir_recv_answer_parse(&m, &t, &dead), WEIR_INTERNAL, "Unable to parse");
    weir_rpc_message_fini(&m);
    /* The shape declares more elements than there are. */
    m = (weir_rpc_message){0};
    weir_buf_add(&m.head, "\x0a\x93\x4e\x08\x01\x12\x04\x12\x02\x08\x02\x22\x88\x4e", 14);
    m.payload_bytes = 9992;
    CHECK_OK(weir_buffer_alloc(m.payload_bytes, &m.payload));
    CHECK_FAILS(weir_recv_answer_parse(&m, &t, &dead), WEIR_INTERNAL, "does not fit");
    weir_rpc_message_fini(&m);
}

TEST_MAIN()
