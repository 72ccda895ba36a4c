/* ops/sparse/ragged.c - checks of row splits. */
#include "ops/sparse/ragged.h"

#include <inttypes.h>

#include "ops/common/elements.h"

weir_status weir_ragged_check_splits(const weir_tensor *splits, int64_t count)
{
    if (splits->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Invalid ragged splits: ragged splits must be rank 1 but is rank %d",
                          splits->shape.rank);
    int64_t total = weir_tensor_count(splits);
    if (total < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Invalid ragged splits: ragged splits must have at least one splits, but "
                          "is empty");
    if (weir_int_at(splits, 0) != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Invalid ragged splits: first element of ragged splits  must be 0 but is "
                          "%" PRId64,
                          weir_int_at(splits, 0));
    for (int64_t i = 1; i < total; i++) {
        int64_t before = weir_int_at(splits, i - 1), now = weir_int_at(splits, i);
        if (now < before)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid ragged splits: ragged splits must be monotonically "
                              "increasing, but ragged_splits[%" PRId64 "]=%" PRId64
                              " is smaller than row_splits[%" PRId64 "]=%" PRId64,
                              i, now, i - 1, before);
    }
    if (count >= 0 && weir_int_at(splits, total - 1) != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Invalid ragged splits: last element of ragged splits must be the number "
                          "of ragged values(%" PRId64 ") but is %" PRId64,
                          count, weir_int_at(splits, total - 1));
    return WEIR_OK;
}
