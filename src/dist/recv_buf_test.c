/* dist/recv_buf_test.c - RecvBuf's bytes: in one piece, in many, of a wrong size, and truncated. */
#include "dist/recv_buf.h"

#include "base/test.h"
#include "wire/messages.h"

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

/* As in TensorFlow's tasks' answers. */
static void in_pieces(const weir_tensor *tensor, size_t piece, weir_buf *out)
{
    WEIR_BUF(extra);
    for (size_t at = 0; at < weir_tensor_bytes(tensor); at += piece) {
        size_t left = weir_tensor_bytes(tensor) - at;
        weir_str bytes = {(const char *)tensor->data + at, left < piece ? left : piece};
        weir_msg_recv_buf_resp_extra_write(
            &(weir_msg_recv_buf_resp_extra){.tensor_content = {&bytes, 1}}, &extra);
    }
    weir_msg_any any = {.type_url = WEIR_STR("type.googleapis.com/tensorflow.RecvBufRespExtra"),
                        .value = weir_view(&extra)};
    weir_msg_recv_buf_response_write(
        &(weir_msg_recv_buf_response){.transport_options = &any, .send_start_micros = 12345}, out);
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
    for (size_t n = 0; n < m.head.length; n += 97) { /* truncated anywhere: a status */
        weir_rpc_message cut = {0};
        weir_buf_add(&cut.head, m.head.at, n);
        CHECK_FAILS(weir_recv_buf_parse(&cut, WEIR_FLOAT, COUNT, &got), WEIR_INTERNAL,
                    n ? "Unable to parse" : "Mismatch");
        weir_rpc_message_fini(&cut);
    }
    weir_rpc_message_fini(&m);
    weir_tensor_release(&t);
}

TEST_MAIN()
