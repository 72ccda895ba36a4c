/* pass/test_passes.h - runs selected passes, for unit tests. */
#ifndef WEIR_PASS_TEST_PASSES_H
#define WEIR_PASS_TEST_PASSES_H

#include "base/test.h"
#include "pass/pass.h"

/* Runs only the passes of |names|, after partitioning. */
static inline void run_only(weir_graph *graph, const char *names, weir_pass_options options)
{
    options.skip |= ~weir_pass_named(names, NULL);
    CHECK_OK(weir_pass_run(graph, WEIR_AFTER_PARTITION, &options));
}

/* The passes that create internal ops for products, losses and updates. */
static inline void remap_with(weir_graph *graph, weir_pass_options options)
{
    run_only(graph, "dropout,xent,products,updates,batch_updates,dense,prepack,defer_sums",
             options);
}

#endif
