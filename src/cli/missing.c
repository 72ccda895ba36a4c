/* cli/missing.c - weir ops --missing: what TensorFlow has and the catalogue has not. */
#include <stdio.h>

#include "cli/ops_impl.h"
#include "command/output.h"

static const char *const tensorflow_ops[] = {
#define TENSORFLOW_OP(name) #name,
#include "cli/tensorflow_ops.inc"
#undef TENSORFLOW_OP
};

enum { TENSORFLOW_OPS = sizeof tensorflow_ops / sizeof *tensorflow_ops };

/* "Experimental..." and "...V2" are ops of their own; no guess is made of what stands in. */
int weir_cli_ops_missing(const weir_registry *r, int format)
{
    int missing = 0;
    weir_output *o = weir_output_begin(format);
    weir_output_table(o, NULL);
    for (int i = 0; i < TENSORFLOW_OPS; i++) {
        if (weir_registry_find(r, weir_str_of(tensorflow_ops[i])))
            continue;
        weir_output_row(o);
        weir_output_text(o, "name", tensorflow_ops[i]);
        missing++;
    }
    weir_output_remark(o, "%d of TensorFlow's %d ops are missing", missing, TENSORFLOW_OPS);
    weir_output_end(o);
    return WEIR_EXIT_OK;
}
