/* ops/device/cells.c - cells of recurrent networks, and sums of their products. */
#include "ops/device/device_impl.h"
#include "ops/internal/cell.h"

bool weir_device_has_cell(const weir_site *site)
{
    weir_cell cell;
    weir_status status = weir_cell_read(site, &cell);
    bool has = !status && site->in_count + site->out_count < WEIR_GPU_ARGS &&
               weir_gpu_has_cell(cell.program, cell.count, weir_elem_of(weir_site_type(site, 1)));
    weir_status_free(status);
    return has;
}

weir_status weir_device_cell(weir_call *call)
{
    const weir_site *site = call->site;
    weir_cell cell;
    weir_gpu_arg args[WEIR_GPU_ARGS];
    int at = 0;
    WEIR_TRY(weir_cell_read(site, &cell));
    WEIR_TRY(weir_cell_fits(call, &cell));
    int64_t count = cell.rows * cell.columns;
    for (int i = 0; i < site->in_count; i++)
        args[at++] = AT(weir_in(call, i));
    for (int i = 0; i < site->out_count; i++)
        args[at++] = AT(weir_out(call, i));
    args[at++] = VALUE(count);
    weir_gpu_which which = {.text = WEIR_GPU_IN_CELL,
                            .family = cell.count,
                            .op = at - 1,
                            .elem = weir_elem_of(weir_site_type(site, 1)),
                            .narrow = true,
                            .kernel = "cell",
                            .program = cell.program};
    return weir_gpu_unit_launch(weir_unit_of(call), &which, count, args, at);
}

/* ---- _MatMulSum ---- */

/* Concatenates the inputs from |first| on along rows. */
static weir_status stack_rows(const weir_call *call, int first, int count, int64_t rows,
                              weir_buffer **out_buffer)
{
    const weir_tensor *one = weir_in(call, first);
    int64_t columns = one->shape.dims[1];
    size_t unit = weir_dtype_size(one->dtype);
    weir_memory_pieces pieces = {0};
    weir_memory_scope scope = {.memory = call->site->memory, .pieces = &pieces};
    WEIR_TRY(weir_device_scratch(call, (size_t)(rows * columns) * unit, out_buffer));
    char *to = (*out_buffer)->data;
    for (int i = first; i < first + count; i++) {
        const weir_tensor *x = weir_in(call, i);
        weir_memory_walk walk = {.rank = 1, .dims = {weir_tensor_count(x)}, .to = {1}, .from = {1}};
        weir_memory_scope_walk(&scope, (int)unit, to, x->data, &walk);
        to += weir_tensor_bytes(x);
    }
    weir_memory_scope_end(&scope);
    if (scope.failed)
        weir_buffer_release(*out_buffer);
    return scope.failed;
}

weir_status weir_device_mat_mul_sum(weir_call *call)
{
    const weir_tensor *sum = weir_out(call, 0);
    int terms = call->site->in_count / 2;
    int64_t rows = 0;
    weir_buffer *a, *b;
    for (int i = 0; i < terms; i++)
        rows += weir_in(call, i)->shape.dims[0];
    WEIR_TRY(stack_rows(call, 0, terms, rows, &a));
    weir_status status = stack_rows(call, terms, terms, rows, &b);
    if (status) {
        weir_buffer_release(a);
        return status;
    }
    weir_gpu_product product = {.elem = (int)weir_elem_of(sum->dtype),
                                .m = sum->shape.dims[0],
                                .n = sum->shape.dims[1],
                                .k = rows,
                                .batch = 1,
                                .a_transposed = true,
                                .a = a->data,
                                .b = b->data,
                                .c = sum->data};
    status = weir_gpu_unit_product(weir_unit_of(call), &product);
    weir_buffer_release(a);
    weir_buffer_release(b);
    return status;
}
