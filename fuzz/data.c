/* fuzz/data.c - any bytes as lines of a table and as an IDX file. */
#include "data/csv.h"
#include "io/idx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_buf line = {0};
    weir_fields fields = {0};
    weir_buf_add(&line, data, size);
    weir_csv_split(&line, weir_csv_between("x", (weir_str){line.at, line.length}), &fields);
    weir_vec_fini(&fields);
    weir_buf_fini(&line);
    weir_tensor t;
    weir_status s = weir_idx_decode((weir_str){(const char *)data, size}, &t);
    if (!s)
        weir_tensor_release(&t);
    weir_status_free(s);
    return 0;
}
