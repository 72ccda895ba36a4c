/* fuzz/task.c - any bytes as what one task answers another: a tensor, whole or with its elements
 * beside it, to a task that has a value or none; a buffer of a collective op. */
#include "dist/recv_buf.h"
#include "dist/recv_tensor.h"
#include "net/message_impl.h"

static weir_rpc_message message_of(const uint8_t *data, size_t size)
{
    weir_rpc_message message = {0};
    weir_buf_add(&message.head, data, size);
    return message;
}

static void read_tensor(const uint8_t *data, size_t size)
{
    weir_tensor tensor = {0};
    bool dead;
    weir_recv_answer_payload((weir_str){(const char *)data, size});
    weir_rpc_message answer = message_of(data, size);
    weir_status status = weir_recv_answer_parse(&answer, &tensor, &dead);
    if (!status)
        weir_tensor_release(&tensor);
    weir_status_free(status);
    weir_rpc_message_fini(&answer);
}

/* As a transport gives it, to a task that has the value "1.0". */
static void read_split_tensor(const uint8_t *data, size_t size)
{
    weir_tensor tensor = {0};
    weir_recv_known known = {.kept = weir_tensor_scalar(WEIR_FLOAT, &(float){1})};
    weir_rpc_message answer = message_of(data, size);
    bool dead;
    weir_buf_adds(&known.tag, "1.0");
    weir_status status = weir_rpc_message_split(&answer, weir_recv_answer_payload);
    if (!status)
        status = weir_recv_answer_parse_known(&answer, &known, &tensor, &dead);
    if (!status)
        weir_tensor_release(&tensor);
    weir_status_free(status);
    weir_rpc_message_fini(&answer);
    weir_buf_fini(&known.tag);
    weir_tensor_release(&known.kept);
}

static void read_buffer(const uint8_t *data, size_t size)
{
    weir_tensor tensor = {0};
    weir_recv_buf_payload((weir_str){(const char *)data, size});
    weir_rpc_message answer = message_of(data, size);
    weir_status status = weir_recv_buf_parse(&answer, WEIR_FLOAT, 4, &tensor);
    if (!status)
        weir_tensor_release(&tensor);
    weir_status_free(status);
    weir_rpc_message_fini(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    if (*data % 4 == 3)
        read_split_tensor(data + 1, size - 1);
    else if (*data % 2)
        read_tensor(data + 1, size - 1);
    else
        read_buffer(data + 1, size - 1);
    return 0;
}
