/* ops/data/choose_branch.c - ChooseFastestBranchDataset: one of several equivalent functions of a
 * dataset; the first is used. */
#include "base/arith.h"
#include "ops/data/data_impl.h"

typedef struct branch {
    weir_dataset base;
    weir_data_function f;
    int64_t times, over; /* ratio of output elements to input elements */
} branch;

typedef struct branch_iterator {
    weir_iterator base;
    weir_iterator *inner; /* null until first use */
} branch_iterator;

static void fini(weir_dataset *dataset)
{
    weir_data_function_fini(&((branch *)dataset)->f);
}

static void fini_iterator(weir_iterator *it)
{
    weir_iterator_release(((branch_iterator *)it)->inner);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    const branch *this_branch = (const branch *)dataset;
    int64_t n = weir_dataset_cardinality(dataset->inputs[0]), product;
    if (n < 0 || __builtin_mul_overflow(n, this_branch->times, &product))
        return n;
    return product / this_branch->over;
}

static weir_status open_inner(branch_iterator *iterator, weir_run *run)
{
    const branch *this_branch = (const branch *)iterator->base.dataset;
    weir_dataset *input = weir_dataset_retain(this_branch->base.inputs[0]), *made;
    weir_tensor arg = weir_tensor_from_variant(&input->base);
    weir_status status = weir_data_function_dataset(&this_branch->f, run, &arg, 1, &made);
    weir_tensor_release(&arg);
    WEIR_TRY(status);
    if (made->count != this_branch->base.count ||
        memcmp(made->types, this_branch->base.types, sizeof *made->types * (size_t)made->count))
        status = weir_error(WEIR_INVALID_ARGUMENT,
                            "A branch gives other components than output_types says");
    else
        iterator->inner = weir_iterator_create(made);
    weir_dataset_release(made);
    return status;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    branch_iterator *iterator = (branch_iterator *)it;
    if (!iterator->inner)
        WEIR_TRY(open_inner(iterator, run));
    return weir_iterator_next(iterator->inner, run, out, out_end);
}

static const weir_dataset_fns fns = {
    .name = "ChooseFastestBranch",
    .bytes = sizeof(branch),
    .iterator_bytes = sizeof(branch_iterator),
    .may_block = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
    .cardinality = cardinality,
};

static weir_status make(weir_call *call)
{
    branch *made;
    int64_t times, over;
    const weir_attr *lengths = weir_data_attr(call->site, "other_arguments_lengths"),
                    *branches = weir_data_attr(call->site, "branches");
    weir_range others = weir_data_range(call, "other_arguments");
    WEIR_TRY(weir_data_int(call, "ratio_numerator", &times));
    WEIR_TRY(weir_data_int(call, "ratio_denominator", &over));
    if (times <= 0 || over <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "ratio_%s must be greater than zero.",
                          times <= 0 ? "numerator" : "denominator");
    if (branches->count != lengths->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "branches and other_arguments_lengths must have the same length, not %d "
                          "and %d",
                          branches->count, lengths->count);
    if (lengths->is[0] < 0 || lengths->is[0] > others.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "other_arguments_lengths[0] does not fit %d arguments", others.count);
    WEIR_TRY(weir_dataset_new(call, &fns, &made));
    weir_data_function_init_nth(&made->f, call, "branches", 0,
                                (weir_range){others.start, (int)lengths->is[0]});
    made->times = times;
    made->over = over;
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(choose_fastest_branch_dataset, "ChooseFastestBranchDataset",
                "input_dataset: variant; ratio_numerator: int64; ratio_denominator: int64; "
                "other_arguments: Targuments",
                "Targuments: list(type) >= 0; num_elements_per_branch: int >= 1; branches: "
                "list(func) >= 1; other_arguments_lengths: list(int) >= 1; " WEIR_DATASET_TYPES,
                0, make);
