/* cli/missing.c - weir ops --missing: TensorFlow's ops that the catalogue lacks, with reasons. */
#include <fnmatch.h>

#include "cli/ops_impl.h"
#include "command/output.h"

/* The names of TensorFlow's ops, one per line, and the reasons for missing ones: a pattern, a tab
 * and the reason. The build defines the paths of the files. */
__asm__(".section .rodata\n"
        "weir_tensorflow_ops: .incbin \"" WEIR_TENSORFLOW_OPS "\"\n"
        ".byte 0\n"
        "weir_out_of_scope: .incbin \"" WEIR_OUT_OF_SCOPE "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char weir_tensorflow_ops[], weir_out_of_scope[];

static bool fits(weir_str pattern, weir_str name)
{
    WEIR_FREED char *shape = weir_strndup(pattern.at, pattern.length);
    WEIR_FREED char *text = weir_strndup(name.at, name.length);
    return fnmatch(shape, text, 0) == 0;
}

static weir_str reason(weir_str name)
{
    for (const char *at = weir_out_of_scope; *at;) {
        size_t line = strcspn(at, "\n"), tab = strcspn(at, "\t\n");
        if (*at != '#' && tab < line && fits((weir_str){at, tab}, name))
            return (weir_str){at + tab + 1, line - tab - 1};
        at += line + 1;
    }
    return WEIR_STR("not yet");
}

/* "Experimental..." and "...V2" are separate ops: no substitute is guessed. */
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
        weir_output_str(output, "why", reason(name));
        missing++;
    }
    weir_output_remark(output, "%d of TensorFlow's %d ops are missing", missing, all);
    weir_output_end(output);
    return WEIR_EXIT_OK;
}
