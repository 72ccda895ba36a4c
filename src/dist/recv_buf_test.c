/* dist/recv_buf_test.c - RecvBuf's bytes: in one piece, in many, of a wrong size, and cut. */
#include "dist/recv_buf.h"

#include "base/test.h"
#include "wire/pb.h"

enum { COUNT = 5000 };

static weir_tensor numbers(void)
{
    weir_tensor tensor;
    weir_shape shape = {.rank = 1, .dims = {COUNT}};
    CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, &shape, &tensor));
    for (int i = 0; i < COUNT; i++)
        ((float *)tensor.data)[i] = (float)i;
    return tensor;
}

TEST(an_answer_comes_back_without_a_copy)
{
    weir_tensor t = numbers(), got;
    weir_rpc_message m = {0};
    CHECK_OK(weir_recv_buf_encode(&t, &m));
    CHECK_EQ(weir_recv_buf_payload(weir_view(&m.head)), m.head.length);
    CHECK_EQ(weir_recv_buf_payload((weir_str){m.head.at, 12}), SIZE_MAX);
    CHECK_OK(weir_recv_buf_parse(&m, WEIR_FLOAT, COUNT, &got));
    CHECK(got.data == t.data);
    weir_tensor_release(&got);
    weir_rpc_message_fini(&m);
    weir_tensor_release(&t);
}

/* As TensorFlow's tasks answer. */
static void in_pieces(const weir_tensor *tensor, size_t piece, weir_buf *out)
{
    size_t any = weir_pb_begin(out, 4);
    weir_pb_put_str(out, 1, "type.googleapis.com/tensorflow.RecvBufRespExtra");
    size_t extra = weir_pb_begin(out, 2);
    for (size_t at = 0; at < weir_tensor_bytes(tensor); at += piece) {
        size_t left = weir_tensor_bytes(tensor) - at;
        weir_pb_put_bytes(out, 1, (const char *)tensor->data + at, left < piece ? left : piece);
    }
    weir_pb_end(out, extra);
    weir_pb_end(out, any);
    weir_pb_put_varint(out, 5, 12345);
}

TEST(pieces_are_put_together)
{
    weir_tensor t = numbers(), got;
    weir_rpc_message m = {0};
    in_pieces(&t, 4096, &m.head);
    CHECK_OK(weir_recv_buf_parse(&m, WEIR_FLOAT, COUNT, &got));
    CHECK(memcmp(got.data, t.data, weir_tensor_bytes(&t)) == 0);
    weir_tensor_release(&got);
    CHECK_FAILS(weir_recv_buf_parse(&m, WEIR_FLOAT, COUNT - 1, &got), WEIR_INTERNAL,
                "Tensor Size Mismatch");
    for (size_t n = 0; n < m.head.length; n += 97) { /* cut anywhere: a status */
        weir_rpc_message cut = {0};
        weir_buf_add(&cut.head, m.head.at, n);
        CHECK_FAILS(weir_recv_buf_parse(&cut, WEIR_FLOAT, COUNT, &got), WEIR_INTERNAL, "Mismatch");
        weir_rpc_message_fini(&cut);
    }
    weir_rpc_message_fini(&m);
    weir_tensor_release(&t);
}

TEST(requests_travel)
{
    weir_recv_buf_request q = {77, {"1:2:0:0:0:1:0", 13}, 4096, {"/job:w", 6}, 1ull << 63, -5}, got;
    weir_buf b = {0};
    weir_recv_buf_request_encode(&q, &b);
    CHECK_OK(weir_recv_buf_request_parse(weir_view(&b), &got));
    CHECK_EQ(got.step_id, 77);
    CHECK(weir_str_eq(got.key, q.key) && weir_str_eq(got.src_device, q.src_device));
    CHECK_EQ(got.bytes, 4096);
    CHECK(got.src_incarnation == q.src_incarnation && got.request_id == -5);
    CHECK_FAILS(weir_recv_buf_request_parse((weir_str){b.at, b.length - 3}, &got), WEIR_INTERNAL,
                "parse");
    weir_buf_fini(&b);
}

TEST_MAIN()
