/* cli/ops.c - weir ops: the catalogue, as a list, in full, or as JSON; and what it lacks. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "cli/ops_impl.h"
#include "session/session.h"

/* "x: T; y: T" -> "x: T, y: T". Signatures separate arguments by semicolons. */
static void add_args(weir_buf *b, const char *args)
{
    for (; args && *args; args++)
        weir_buf_addc(b, *args == ';' ? ',' : *args);
}

static char *signature(const weir_op *op)
{
    weir_buf b = {0};
    weir_buf_addf(&b, "%s(", op->name);
    add_args(&b, op->in);
    weir_buf_adds(&b, ")");
    if (op->out) {
        weir_buf_adds(&b, " -> ");
        add_args(&b, op->out);
    }
    return weir_buf_take(&b);
}

static bool hidden(const weir_op *op)
{
    return op->flags & WEIR_INTERNAL_OP;
}

static void print_row(const weir_op *op)
{
    char *s = signature(op);
    printf("%-9s%s\n", op->grad ? "gradient" : "", s);
    weir_free(s);
}

/* One attr a line; a default may hold a line's end itself. */
static void print_attr(const char *attr, size_t length)
{
    printf("    ");
    for (size_t i = 0; i < length; i++)
        attr[i] == '\n' ? fputs("\\n", stdout) : putchar(attr[i]);
    printf("\n");
}

static void print_in_full(const weir_op *op)
{
    char *s = signature(op);
    printf("%s\n", s);
    weir_free(s);
    for (const char *at = op->attrs; at && *at;) {
        size_t n = strcspn(at, ";");
        print_attr(at, n);
        at += n;
        at += strspn(at, "; ");
    }
    for (int i = 0; i < WEIR_KERNELS_MAX && op->kernels[i].devices; i++)
        printf("    kernel for %s\n", op->kernels[i].types && strcmp(op->kernels[i].types, "*") != 0
                                          ? op->kernels[i].types
                                          : "every type");
    printf("    %s%s\n",
           op->grad      ? "has a gradient"
           : op->no_grad ? "stops gradients"
                         : "has no gradient",
           op->flags & WEIR_STATEFUL ? ", keeps state" : "");
    if (op->deprecated_at)
        printf("    deprecated since GraphDef version %d: %s\n", op->deprecated_at,
               op->deprecation);
}

static void add_json_string(weir_buf *b, const char *s)
{
    weir_buf_addc(b, '"');
    for (; s && *s; s++) {
        if ((unsigned char)*s < ' ') {
            weir_buf_addf(b, "\\u%04x", *s);
            continue;
        }
        if (*s == '"' || *s == '\\')
            weir_buf_addc(b, '\\');
        weir_buf_addc(b, *s);
    }
    weir_buf_addc(b, '"');
}

/* The devices that some kernel of |op| serves; control flow needs none. */
static void add_devices(weir_buf *b, const weir_op *op)
{
    static const struct {
        int bit;
        const char *name;
    } devices[] = {{WEIR_CPU, "CPU"}, {WEIR_CUDA, "GPU"}};
    unsigned served = 0;
    bool first = true;
    for (int i = 0; i < WEIR_KERNELS_MAX; i++)
        served |= op->kernels[i].devices;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        if (!(served & (unsigned)devices[i].bit))
            continue;
        weir_buf_addf(b, "%s\"%s\"", first ? "" : ", ", devices[i].name);
        first = false;
    }
}

static void print_json(const weir_op *op, bool first)
{
    weir_buf b = {0};
    const char *keys[] = {"name", "in", "out", "attrs"};
    const char *values[] = {op->name, op->in, op->out, op->attrs};
    for (int i = 0; i < 4; i++) {
        weir_buf_addf(&b, "%s\"%s\": ", i ? ", " : "", keys[i]);
        add_json_string(&b, values[i]);
    }
    weir_buf_addf(&b, ", \"gradient\": %s, \"stateful\": %s, \"devices\": [",
                  op->grad ? "true" : "false", op->flags & WEIR_STATEFUL ? "true" : "false");
    add_devices(&b, op);
    weir_buf_adds(&b, "], \"kernels\": [");
    for (int i = 0; i < WEIR_KERNELS_MAX && op->kernels[i].devices; i++) {
        weir_buf_adds(&b, i ? ", " : "");
        add_json_string(&b, op->kernels[i].types ? op->kernels[i].types : "*");
    }
    printf("%s\n  {%s]}", first ? "" : ",", b.at);
    weir_buf_fini(&b);
}

static int list(const weir_registry *r, bool json)
{
    int shown = 0, gradients = 0;
    if (json)
        printf("[");
    for (size_t i = 0; i < weir_registry_count(r); i++) {
        const weir_op *op = weir_registry_at(r, i);
        if (hidden(op))
            continue;
        json ? print_json(op, shown == 0) : print_row(op);
        gradients += op->grad != NULL;
        shown++;
    }
    if (json)
        printf("\n]\n");
    else
        printf("%d ops, %d with a gradient\n", shown, gradients);
    return WEIR_EXIT_OK;
}

static int unknown(const weir_registry *r, const char *name)
{
    size_t count = weir_registry_count(r);
    const char **names = WEIR_NEW_ARRAY(const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        names[i] = weir_registry_at(r, i)->name;
    const char *meant = weir_cli_nearest(name, names, count);
    char cure[160] = "'weir ops' lists all.";
    if (meant)
        snprintf(cure, sizeof cure, "Did you mean %s? 'weir ops' lists all.", meant);
    weir_free(names);
    return weir_cli_fail(cure, "there is no op '%s'", name);
}

static int describe(const weir_registry *r, int count, char **names, bool json)
{
    for (int i = 0; i < count; i++)
        if (!weir_registry_find(r, weir_str_of(names[i])))
            return unknown(r, names[i]);
    if (json)
        printf("[");
    for (int i = 0; i < count; i++) {
        const weir_op *op = weir_registry_find(r, weir_str_of(names[i]));
        json ? print_json(op, i == 0) : print_in_full(op);
    }
    if (json)
        printf("\n]\n");
    return WEIR_EXIT_OK;
}

int weir_cli_ops(int argc, char **argv)
{
    const char *output = "text";
    bool missing = false;
    const weir_option options[] = {
        {"output", 'o', "FORMAT", "text or json", .text = &output},
        {"missing", 'm', NULL, "list the ops of TensorFlow that Weir lacks", .flag = &missing},
    };
    const weir_usage usage = {
        .command = "ops",
        .about = "Lists every op with its signature in TensorFlow's notation, or describes the "
                 "named ones in\nfull: attrs, the types its kernels serve, whether it has a "
                 "gradient.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .takes_words = true,
    };
    weir_parsed parsed = weir_cli_parse(&usage, &argc, argv);
    if (parsed != WEIR_PARSED)
        return parsed == WEIR_PARSED_HELP ? WEIR_EXIT_OK : WEIR_EXIT_USAGE;
    bool json = strcmp(output, "json") == 0;
    if (!json && strcmp(output, "text") != 0)
        return weir_cli_misuse("ops", "--output is text or json, not '%s'", output);
    const weir_registry *r = weir_catalogue();
    if (missing && argc)
        return weir_cli_misuse("ops", "--missing takes no names");
    if (missing)
        return weir_cli_ops_missing(r, json);
    return argc ? describe(r, argc, argv, json) : list(r, json);
}
