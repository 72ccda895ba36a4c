/* cli/ops.c - weir ops: the catalogue, as a list, in full, or as JSON; and missing ops. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "cli/op_names.h"
#include "cli/ops_impl.h"
#include "command/output.h"
#include "ops/device/device.h"
#include "session/session.h"

typedef struct ops_args {
    int format;
    bool missing;
} ops_args;

/* "x: T; y: T" -> "x: T, y: T". Signatures separate arguments by semicolons. */
static void add_args(weir_buf *buf, const char *args)
{
    for (; args && *args; args++)
        weir_buf_addc(buf, *args == ';' ? ',' : *args);
}

static char *signature(const weir_op *op)
{
    weir_buf buf = {0};
    weir_buf_addf(&buf, "%s(", op->name);
    add_args(&buf, op->in);
    weir_buf_adds(&buf, ")");
    if (op->out) {
        weir_buf_adds(&buf, " -> ");
        add_args(&buf, op->out);
    }
    return weir_buf_take(&buf);
}

static bool hidden(const weir_op *op)
{
    return op->flags & (WEIR_INTERNAL_OP | WEIR_UNLISTED);
}

void weir_ops_each(void (*each)(const char *name, void *arg), void *arg)
{
    const weir_registry *registry = weir_catalogue();
    for (size_t i = 0; i < weir_registry_count(registry); i++)
        if (!hidden(weir_registry_at(registry, i)))
            each(weir_registry_at(registry, i)->name, arg);
}

static void print_row(const weir_op *op)
{
    WEIR_FREED char *text = signature(op);
    printf("%-9s%s\n", op->grad ? "gradient" : "", text);
}

/* One attr per line; a default may contain newlines itself. */
static void print_attr(const char *attr, size_t length)
{
    printf("    ");
    for (size_t i = 0; i < length; i++)
        attr[i] == '\n' ? fputs("\\n", stdout) : putchar(attr[i]);
    printf("\n");
}

static void print_device_types(const weir_op *op)
{
    WEIR_BUF(types);
    if (!weir_device_types(op, &types))
        return;
    weir_buf_addc(&types, 0);
    printf("    on devices for %s\n", *types.at ? types.at : "every type");
}

static void print_in_full(const weir_op *op)
{
    WEIR_FREED char *text = signature(op);
    printf("%s\n", text);
    for (const char *at = op->attrs; at && *at;) {
        size_t count = strcspn(at, ";");
        print_attr(at, count);
        at += count;
        at += strspn(at, "; ");
    }
    for (int i = 0; i < WEIR_KERNELS_MAX && op->kernels[i].devices; i++)
        printf("    kernel for %s\n", op->kernels[i].types && strcmp(op->kernels[i].types, "*") != 0
                                          ? op->kernels[i].types
                                          : "every type");
    print_device_types(op);
    printf("    %s%s\n",
           op->grad      ? "has a gradient"
           : op->no_grad ? "stops gradients"
                         : "has no gradient",
           op->flags & WEIR_STATEFUL ? ", keeps state" : "");
    if (op->deprecated_at)
        printf("    deprecated since GraphDef version %d: %s\n", op->deprecated_at,
               op->deprecation);
}

/* The devices supported by some kernel of |op|; control flow has no kernels on CPUs. */
static size_t devices_of(const weir_op *op, const char **out)
{
    size_t count = 0;
    for (int i = 0; count == 0 && i < WEIR_KERNELS_MAX; i++)
        if (op->kernels[i].devices & WEIR_CPU)
            out[count++] = "CPU";
    if (weir_device_serves(op))
        out[count++] = "GPU";
    return count;
}

static void put_record(weir_output *output, const weir_op *op)
{
    const char *devices[2], *kernels[WEIR_KERNELS_MAX];
    size_t count = 0;
    for (; count < WEIR_KERNELS_MAX && op->kernels[count].devices; count++)
        kernels[count] = op->kernels[count].types ? op->kernels[count].types : "*";
    weir_output_row(output);
    weir_output_text(output, "name", op->name);
    weir_output_text(output, "in", op->in ? op->in : "");
    weir_output_text(output, "out", op->out ? op->out : "");
    weir_output_text(output, "attrs", op->attrs ? op->attrs : "");
    weir_output_bool(output, "gradient", op->grad);
    weir_output_bool(output, "stateful", op->flags & WEIR_STATEFUL);
    weir_output_list(output, "devices", devices, devices_of(op, devices));
    weir_output_list(output, "kernels", kernels, count);
}

/* All ops, or those in |names|, in machine-readable form. */
static int list_records(const weir_registry *registry, int format, int count, char **names)
{
    weir_output *output = weir_output_begin(format);
    weir_output_table(output, NULL);
    for (size_t i = 0; count == 0 && i < weir_registry_count(registry); i++)
        if (!hidden(weir_registry_at(registry, i)))
            put_record(output, weir_registry_at(registry, i));
    for (int i = 0; i < count; i++)
        put_record(output, weir_registry_find(registry, weir_str_of(names[i])));
    weir_output_end(output);
    return WEIR_EXIT_OK;
}

static int list(const weir_registry *registry)
{
    int shown = 0, gradients = 0;
    for (size_t i = 0; i < weir_registry_count(registry); i++) {
        const weir_op *op = weir_registry_at(registry, i);
        if (hidden(op))
            continue;
        print_row(op);
        gradients += op->grad != NULL;
        shown++;
    }
    printf("%d ops, %d with a gradient\n", shown, gradients);
    return WEIR_EXIT_OK;
}

static int unknown(const weir_registry *registry, const char *name)
{
    size_t count = weir_registry_count(registry);
    const char **names = WEIR_NEW_ARRAY(const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        names[i] = weir_registry_at(registry, i)->name;
    const char *meant = weir_cli_nearest(name, names, count);
    char cure[160] = "'weir ops' lists all.";
    if (meant)
        snprintf(cure, sizeof cure, "Did you mean %s? 'weir ops' lists all.", meant);
    weir_free(names);
    weir_cli_fail(cure, "there is no op '%s'", name);
    return WEIR_EXIT_USAGE;
}

static int ops(void *args, int argc, char **argv)
{
    const ops_args *ops_args = args;
    const weir_registry *registry = weir_catalogue();
    if (ops_args->missing && argc)
        return weir_cli_misuse("ops", "--missing takes no names");
    if (ops_args->missing)
        return weir_cli_ops_missing(registry, ops_args->format);
    for (int i = 0; i < argc; i++)
        if (!weir_registry_find(registry, weir_str_of(argv[i])))
            return unknown(registry, argv[i]);
    if (ops_args->format != WEIR_OUTPUT_TABLE)
        return list_records(registry, ops_args->format, argc, argv);
    for (int i = 0; i < argc; i++)
        print_in_full(weir_registry_find(registry, weir_str_of(argv[i])));
    return argc ? WEIR_EXIT_OK : list(registry);
}

static const weir_option options[] = {
    WEIR_OUTPUT_OPTION(ops_args, format),
    {"missing", 'm', NULL, "list the TensorFlow ops that Weir lacks", WEIR_FLAG(ops_args, missing)},
};

const weir_command weir_command_ops = {
    .name = "ops",
    .summary = "list the ops, or describe some",
    .words = "[OP...]",
    .about = "Lists every op with its signature in TensorFlow's notation, or describes the "
             "named ops in full: attributes, types supported by the kernels, whether there is a "
             "gradient.\n\n"
             "  weir ops MatMul\n"
             "  weir ops --missing",
    WEIR_OPTIONS(options),
    WEIR_ARGS(ops_args),
    .hint = WEIR_HINT_OP,
    .run = ops,
};
