/* cli/missing.c - weir ops --missing: what TensorFlow has and the catalogue has not. */
#include "cli/ops_impl.h"
#include "command/output.h"

/* The names of TensorFlow's ops, a line each; the build says where the file is. */
__asm__(".section .rodata\n"
        "weir_tensorflow_ops: .incbin \"" WEIR_TENSORFLOW_OPS "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char weir_tensorflow_ops[];

/* "Experimental..." and "...V2" are ops of their own: no substitute is guessed. */
int weir_cli_ops_missing(const weir_registry *registry, int format)
{
    int all = 0, missing = 0;
    weir_output *output = weir_output_begin(format);
    weir_output_table(output, NULL);
    for (const char *at = weir_tensorflow_ops; *at; all++) {
        weir_str name = {at, strcspn(at, "\n")};
        at += name.length + 1;
        if (weir_registry_find(registry, name))
            continue;
        weir_output_row(output);
        weir_output_str(output, "name", name);
        missing++;
    }
    weir_output_remark(output, "%d of TensorFlow's %d ops are missing", missing, all);
    weir_output_end(output);
    return WEIR_EXIT_OK;
}
