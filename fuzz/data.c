/* fuzz/data.c - any bytes as lines of a table and as an IDX file. */
#include "base/csv.h"
#include "io/idx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_str input = {(const char *)data, size};
    weir_csv csv = {.between = weir_csv_guess_between("x", input)};
    weir_csv_split(&csv, input);
    csv.strict = true;
    weir_csv_split(&csv, input);
    weir_csv_fini(&csv);
    weir_tensor tensor;
    weir_status status = weir_idx_decode(input, &tensor);
    if (!status)
        weir_tensor_release(&tensor);
    weir_status_free(status);
    return 0;
}
