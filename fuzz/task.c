/* fuzz/task.c - any bytes as what one task answers another: a tensor, a buffer of a collective op.
 */
#include "dist/recv_buf.h"
#include "dist/recv_tensor.h"

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
    if (*data % 2)
        read_tensor(data + 1, size - 1);
    else
        read_buffer(data + 1, size - 1);
    return 0;
}
