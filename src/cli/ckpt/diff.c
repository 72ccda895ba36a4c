/* cli/ckpt/diff.c - weir ckpt diff: what two checkpoints have in common, and by how much not. */
#include <math.h>
#include <string.h>

#include "cli/ckpt/ckpt.h"
#include "cli/inspect/inspect.h"
#include "cli/values.h"
#include "command/output.h"
#include "io/table.h"
#include "tensor/tstring.h"

enum { CHUNK = 4096 };

typedef struct diff_args {
    int format;
    double tolerance; /* of both differences */
    bool all;
} diff_args;

typedef struct difference {
    int64_t elements; /* that differ */
    double most, most_relative;
    bool measured; /* the two above mean something */
} difference;

static void note(difference *d, double a, double b)
{
    if (a == b || (isnan(a) && isnan(b)))
        return;
    double by = isnan(a) || isnan(b) || isinf(a) || isinf(b) ? INFINITY : fabs(a - b);
    double scale = fmax(fabs(a), fabs(b));
    double relative = isinf(by) ? INFINITY : by / scale;
    d->elements++;
    d->most = by > d->most ? by : d->most;
    d->most_relative = relative > d->most_relative ? relative : d->most_relative;
}

static void compare_numbers(const weir_tensor *a, const weir_tensor *b, difference *d)
{
    double x[CHUNK], y[CHUNK];
    int64_t count = weir_tensor_count(a);
    d->measured = true;
    for (int64_t at = 0; at < count; at += CHUNK) {
        int64_t n = count - at < CHUNK ? count - at : CHUNK;
        weir_values_get(a, at, n, x);
        weir_values_get(b, at, n, y);
        for (int64_t i = 0; i < n; i++)
            note(d, x[i], y[i]);
    }
}

static void compare_bytes(const weir_tensor *a, const weir_tensor *b, difference *d)
{
    size_t size = weir_dtype_size(a->dtype);
    for (int64_t i = 0; i < weir_tensor_count(a); i++) {
        const char *x = (const char *)a->data + (size_t)i * size;
        const char *y = (const char *)b->data + (size_t)i * size;
        bool same = a->dtype == WEIR_STRING ? weir_str_eq(weir_tstring_get((const void *)x),
                                                          weir_tstring_get((const void *)y))
                                            : memcmp(x, y, size) == 0;
        d->elements += !same;
    }
}

/* Numbers are read only where the bytes are not equal. */
static void compare(const weir_tensor *a, const weir_tensor *b, difference *d)
{
    bool real = weir_values_are_real(a->dtype);
    d->measured = real;
    if (weir_dtype_is_plain(a->dtype) && memcmp(a->data, b->data, weir_tensor_bytes(a)) == 0)
        return;
    if (real)
        compare_numbers(a, b, d);
    else
        compare_bytes(a, b, d);
}

static weir_status compare_tensors(weir_tensors *a, size_t i, weir_tensors *b, size_t j,
                                   difference *d)
{
    weir_tensor x = {0}, y = {0};
    weir_status s = weir_tensors_read(a, i, &x);
    if (!s)
        s = weir_tensors_read(b, j, &y);
    if (!s)
        compare(&x, &y, d);
    weir_tensor_release(&x);
    weir_tensor_release(&y);
    return s;
}

/* ---- rows ---------------------------------------------------------------------------------------
 */

static void put_row(weir_output *o, const char *change, const weir_tensor_info *t,
                    const difference *d)
{
    weir_output_row(o);
    weir_output_str(o, "name", t->name);
    weir_output_text(o, "change", change);
    inspect_dtype(o, "dtype", (int)t->dtype);
    weir_output_dims(o, "shape", t->shape.rank, t->shape.dims);
    if (d)
        weir_output_int(o, "differing", d->elements);
    else
        weir_output_null(o, "differing");
    if (d && d->measured) {
        weir_output_real(o, "max_abs", d->most);
        weir_output_real(o, "max_rel", d->most_relative);
    } else {
        weir_output_null(o, "max_abs");
        weir_output_null(o, "max_rel");
    }
}

typedef struct walk {
    const diff_args *args;
    weir_tensors *a, *b;
    weir_output *out;
    int64_t changed, same;
} walk;

static weir_status put_pair(walk *w, size_t i, size_t j)
{
    weir_tensor_info x = weir_tensors_at(w->a, i), y = weir_tensors_at(w->b, j);
    const char *change = x.dtype != y.dtype                   ? "type"
                         : !weir_shape_eq(&x.shape, &y.shape) ? "shape"
                                                              : NULL;
    difference d = {0};
    if (!change)
        WEIR_TRY(compare_tensors(w->a, i, w->b, j, &d));
    bool within = d.measured && d.most <= w->args->tolerance;
    bool same = !change && (d.elements == 0 || within);
    w->same += same;
    w->changed += !same;
    if (!same || w->args->all)
        put_row(w->out, change ? change : same ? "same" : "changed", &y, change ? NULL : &d);
    return WEIR_OK;
}

/* Both are sorted, so that one walk over the two suffices. */
static weir_status put_all(walk *w)
{
    size_t i = 0, j = 0, n = weir_tensors_count(w->a), m = weir_tensors_count(w->b);
    while (i < n || j < m) {
        weir_tensor_info x = i < n ? weir_tensors_at(w->a, i) : (weir_tensor_info){0};
        weir_tensor_info y = j < m ? weir_tensors_at(w->b, j) : (weir_tensor_info){0};
        int order = i == n ? 1 : j == m ? -1 : weir_key_compare(x.name, y.name);
        if (order == 0) {
            WEIR_TRY(put_pair(w, i++, j++));
            continue;
        }
        put_row(w->out, order < 0 ? "removed" : "added", order < 0 ? &x : &y, NULL);
        w->changed++;
        i += order < 0;
        j += order > 0;
    }
    return WEIR_OK;
}

static int diff(void *args, int argc, char **argv)
{
    const diff_args *a = args;
    WEIR_OWNED(weir_tensors) from = ckpt_open(argv[0]);
    WEIR_OWNED(weir_tensors) to = from ? ckpt_open(argv[1]) : NULL;
    if (!to)
        return WEIR_EXIT_USAGE;
    walk w = {.args = a, .a = from, .b = to, .out = weir_output_begin(a->format)};
    weir_output_table(w.out, NULL);
    weir_status s = put_all(&w);
    weir_output_remark(w.out, "%lld differ, %lld are the same", (long long)w.changed,
                       (long long)w.same);
    weir_output_end(w.out);
    if (s) {
        weir_cli_fail_status("One of the files is damaged; what stands above is true.", s);
        return WEIR_EXIT_USAGE;
    }
    return w.changed ? WEIR_EXIT_FAILED : WEIR_EXIT_OK;
}

static const weir_option options[] = {
    WEIR_OUTPUT_OPTION(diff_args, format),
    {"tolerance", 't', "X", "numbers that differ by at most X are the same",
     WEIR_REAL(diff_args, tolerance)},
    {"all", 'a', NULL, "list tensors that are the same, too", WEIR_FLAG(diff_args, all)},
};

const weir_command weir_command_ckpt_diff = {
    .name = "diff",
    .summary = "compare two checkpoints",
    .words = "BEFORE AFTER",
    .least = 2,
    .most = 2,
    .about =
        "Lists the tensors that were added, removed, or changed from BEFORE to AFTER: how many "
        "elements differ, by how much at most, and by how much at most relative to the larger "
        "of the two. The formats may be different ones. As with diff(1) the exit status is 0 "
        "when nothing differs, 1 when something does, and 2 when there was trouble.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(diff_args),
    .hint = WEIR_HINT_FILE,
    .run = diff,
};
