/* ops/data/ignore_errors.c - IgnoreErrorsDataset: skips elements that fail. */
#include "base/log.h"
#include "ops/data/data_impl.h"

typedef struct ignore {
    weir_dataset base;
    bool tell;
} ignore;

static int64_t cardinality(const weir_dataset *dataset)
{
    int64_t count = weir_dataset_cardinality(dataset->inputs[0]);
    return count == WEIR_CARDINALITY_INFINITE ? count : WEIR_CARDINALITY_UNKNOWN;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    weir_status status = weir_iterator_pull(it, 0, run, out, out_end);
    while (status && weir_status_code(status) != WEIR_CANCELLED) {
        if (((const ignore *)it->dataset)->tell)
            weir_log(WEIR_LOG_WARNING, "Error raised with error message %s",
                     weir_status_message(status));
        weir_status_free(status);
        weir_element_clear(out, it->dataset->count);
        status = weir_iterator_pull(it, 0, run, out, out_end);
    }
    return status;
}

static const weir_dataset_fns fns = {
    .name = "IgnoreErrors",
    .bytes = sizeof(ignore),
    .iterator_bytes = sizeof(weir_iterator),
    .like_input = true,
    .next = next,
    .cardinality = cardinality,
};

static weir_status make(weir_call *call)
{
    ignore *made;
    WEIR_TRY(weir_dataset_new(call, &fns, &made));
    made->tell = weir_data_attr(call->site, "log_warning")->b;
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

#define ATTRS WEIR_DATASET_TYPES "; log_warning: bool = false"

WEIR_DATASET_OP(ignore_errors_dataset, "IgnoreErrorsDataset", "input_dataset: variant", ATTRS, 0,
                make);
WEIR_DATASET_OP(experimental_ignore_errors_dataset, "ExperimentalIgnoreErrorsDataset",
                "input_dataset: variant", ATTRS, 0, make);
