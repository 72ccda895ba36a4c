/* ops/data/generator.c - GeneratorDataset: a function makes a state, another draws elements from it
 * until it runs out of range, a third ends it.
 */
#include "ops/data/data_impl.h"

typedef struct generator {
    weir_dataset base;
    weir_data_function init, next, finalize;
} generator;

typedef struct generator_iterator {
    weir_iterator base;
    bool started;
    weir_tensor state;
} generator_iterator;

static void fini(weir_dataset *d)
{
    generator *g = (generator *)d;
    weir_data_function_fini(&g->init);
    weir_data_function_fini(&g->next);
    weir_data_function_fini(&g->finalize);
}

static void fini_iterator(weir_iterator *it)
{
    weir_tensor_release(&((generator_iterator *)it)->state);
}

static weir_status finish(generator_iterator *g, weir_run *run)
{
    const generator *d = (const generator *)g->base.dataset;
    weir_tensor unused = {0};
    WEIR_TRY(weir_data_function_call(&d->finalize, run, &g->state, 1, NULL, 1, &unused));
    weir_tensor_release(&unused);
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    generator_iterator *g = (generator_iterator *)it;
    const generator *d = (const generator *)it->dataset;
    if (!g->started)
        WEIR_TRY(weir_data_function_call(&d->init, run, NULL, 0, NULL, 1, &g->state));
    g->started = true;
    weir_status s =
        weir_data_function_call(&d->next, run, &g->state, 1, d->base.types, d->base.count, out);
    if (weir_status_code(s) != WEIR_OUT_OF_RANGE)
        return s;
    weir_status_free(s);
    *out_end = true;
    return finish(g, run);
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

static weir_status make(weir_call *c)
{
    generator *d;
    WEIR_TRY(weir_dataset_new(c, &fns, &d));
    weir_data_function_init(&d->init, c, "init_func", "init_func_other_args");
    weir_data_function_init(&d->next, c, "next_func", "next_func_other_args");
    weir_data_function_init(&d->finalize, c, "finalize_func", "finalize_func_other_args");
    weir_dataset_output(c, &d->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(generator_dataset, "GeneratorDataset",
                "init_func_other_args: Tinit_func_args; next_func_other_args: Tnext_func_args; "
                "finalize_func_other_args: Tfinalize_func_args",
                "init_func: func; next_func: func; finalize_func: func; "
                "Tinit_func_args: list(type) >= 0; Tnext_func_args: list(type) >= 0; "
                "Tfinalize_func_args: list(type) >= 0; " WEIR_DATASET_TYPES WEIR_DATASET_META,
                WEIR_STATEFUL, make);
