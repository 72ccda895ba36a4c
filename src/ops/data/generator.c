/* ops/data/generator.c - GeneratorDataset: one function creates a state, another returns elements
 * from it until OUT_OF_RANGE, a third finalises it.
 */
#include "ops/data/data_impl.h"

typedef struct generator {
    weir_dataset base;
    weir_data_function init, next, finalize;
} generator;

typedef struct generator_iterator {
    weir_iterator base;
    bool started, ended;
    weir_tensor state;
} generator_iterator;

static void fini(weir_dataset *dataset)
{
    generator *this_generator = (generator *)dataset;
    weir_data_function_fini(&this_generator->init);
    weir_data_function_fini(&this_generator->next);
    weir_data_function_fini(&this_generator->finalize);
}

static void fini_iterator(weir_iterator *it)
{
    weir_tensor_release(&((generator_iterator *)it)->state);
}

static weir_status finish(generator_iterator *iterator, weir_run *run)
{
    const generator *this_generator = (const generator *)iterator->base.dataset;
    weir_tensor unused = {0};
    WEIR_TRY(weir_data_function_call(&this_generator->finalize, run, &iterator->state, 1, NULL, 1,
                                     &unused));
    weir_tensor_release(&unused);
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    generator_iterator *iterator = (generator_iterator *)it;
    const generator *this_generator = (const generator *)it->dataset;
    *out_end = iterator->ended;
    if (iterator->ended)
        return WEIR_OK;
    if (!iterator->started)
        WEIR_TRY(weir_data_function_call(&this_generator->init, run, NULL, 0, NULL, 1,
                                         &iterator->state));
    iterator->started = true;
    weir_status status =
        weir_data_function_call(&this_generator->next, run, &iterator->state, 1,
                                this_generator->base.types, this_generator->base.count, out);
    if (weir_status_code(status) != WEIR_OUT_OF_RANGE)
        return status;
    weir_status_free(status);
    iterator->ended = *out_end = true;
    return finish(iterator, run);
}

static const weir_dataset_fns fns = {
    .name = "Generator",
    .bytes = sizeof(generator),
    .iterator_bytes = sizeof(generator_iterator),
    .may_block = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
};

static weir_status make(weir_call *call)
{
    generator *generator;
    WEIR_TRY(weir_dataset_new(call, &fns, &generator));
    weir_data_function_init(&generator->init, call, "init_func", "init_func_other_args");
    weir_data_function_init(&generator->next, call, "next_func", "next_func_other_args");
    weir_data_function_init(&generator->finalize, call, "finalize_func",
                            "finalize_func_other_args");
    weir_dataset_output(call, &generator->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(generator_dataset, "GeneratorDataset",
                "init_func_other_args: Tinit_func_args; next_func_other_args: Tnext_func_args; "
                "finalize_func_other_args: Tfinalize_func_args",
                "init_func: func; next_func: func; finalize_func: func; "
                "Tinit_func_args: list(type) >= 0; Tnext_func_args: list(type) >= 0; "
                "Tfinalize_func_args: list(type) >= 0; " WEIR_DATASET_TYPES WEIR_DATASET_META,
                WEIR_STATEFUL, make);
