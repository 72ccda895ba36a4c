/* cli/missing.c - weir ops --missing: what TensorFlow has and the catalogue has not. */
#include <stdio.h>
#include <string.h>

#include "cli/ops_impl.h"

static const char *const tensorflow_ops[] = {
#define TENSORFLOW_OP(name) #name,
#include "cli/tensorflow_ops.inc"
#undef TENSORFLOW_OP
};

enum { TENSORFLOW_OPS = sizeof tensorflow_ops / sizeof *tensorflow_ops };

/* "Experimental..." and "...V2" are ops of their own; no guess is made of what stands in. */
int weir_cli_ops_missing(const weir_registry *r, bool json)
{
    int missing = 0;
    if (json)
        printf("[");
    for (int i = 0; i < TENSORFLOW_OPS; i++) {
        const char *name = tensorflow_ops[i];
        if (weir_registry_find(r, weir_str_of(name)))
            continue;
        if (json)
            printf("%s\n  \"%s\"", missing ? "," : "", name);
        else
            printf("%s\n", name);
        missing++;
    }
    if (json)
        printf("\n]\n");
    else
        printf("%d of TensorFlow's %d ops are missing\n", missing, TENSORFLOW_OPS);
    return WEIR_EXIT_OK;
}
