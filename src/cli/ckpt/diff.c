/* cli/ckpt/diff.c - weir ckpt diff: the differences between two checkpoints. */
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
    double tolerance; /* for both differences */
    bool all;
} diff_args;

typedef struct difference {
    int64_t elements; /* number of differing elements */
    double most, most_relative;
    bool measured; /* the two above are valid */
} difference;

static void note(difference *difference, double a, double b)
{
    if (a == b || (isnan(a) && isnan(b)))
        return;
    double by = isnan(a) || isnan(b) || isinf(a) || isinf(b) ? INFINITY : fabs(a - b);
    double scale = fmax(fabs(a), fabs(b));
    double relative = isinf(by) ? INFINITY : by / scale;
    difference->elements++;
    difference->most = by > difference->most ? by : difference->most;
    difference->most_relative =
        relative > difference->most_relative ? relative : difference->most_relative;
}

static void compare_numbers(const weir_tensor *a, const weir_tensor *b, difference *difference)
{
    double x[CHUNK], y[CHUNK];
    int64_t count = weir_tensor_count(a);
    difference->measured = true;
    for (int64_t at = 0; at < count; at += CHUNK) {
        int64_t total = count - at < CHUNK ? count - at : CHUNK;
        weir_values_get(a, at, total, x);
        weir_values_get(b, at, total, y);
        for (int64_t i = 0; i < total; i++)
            note(difference, x[i], y[i]);
    }
}

static void compare_bytes(const weir_tensor *a, const weir_tensor *b, difference *difference)
{
    size_t size = weir_dtype_size(a->dtype);
    for (int64_t i = 0; i < weir_tensor_count(a); i++) {
        const char *x = (const char *)a->data + (size_t)i * size;
        const char *y = (const char *)b->data + (size_t)i * size;
        bool same = a->dtype == WEIR_STRING ? weir_str_eq(weir_tstring_get((const void *)x),
                                                          weir_tstring_get((const void *)y))
                                            : memcmp(x, y, size) == 0;
        difference->elements += !same;
    }
}

/* Compares numbers only if the bytes differ. */
static void compare(const weir_tensor *a, const weir_tensor *b, difference *difference)
{
    bool real = weir_values_are_real(a->dtype);
    difference->measured = real;
    if (weir_dtype_is_plain(a->dtype) && memcmp(a->data, b->data, weir_tensor_bytes(a)) == 0)
        return;
    if (real)
        compare_numbers(a, b, difference);
    else
        compare_bytes(a, b, difference);
}

static weir_status compare_tensors(weir_tensors *a, size_t i, weir_tensors *b, size_t j,
                                   difference *difference)
{
    weir_tensor x = {0}, y = {0};
    weir_status status = weir_tensors_read(a, i, &x);
    if (!status)
        status = weir_tensors_read(b, j, &y);
    if (!status)
        compare(&x, &y, difference);
    weir_tensor_release(&x);
    weir_tensor_release(&y);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void put_row(weir_output *output, const char *change, const weir_tensor_info *info,
                    const difference *difference)
{
    weir_output_row(output);
    weir_output_str(output, "name", info->name);
    weir_output_text(output, "change", change);
    inspect_dtype(output, "dtype", (int)info->dtype);
    weir_output_dims(output, "shape", info->shape.rank, info->shape.dims);
    if (difference)
        weir_output_int(output, "differing", difference->elements);
    else
        weir_output_null(output, "differing");
    if (difference && difference->measured) {
        weir_output_real(output, "max_abs", difference->most);
        weir_output_real(output, "max_rel", difference->most_relative);
    } else {
        weir_output_null(output, "max_abs");
        weir_output_null(output, "max_rel");
    }
}

typedef struct walk {
    const diff_args *args;
    weir_tensors *a, *b;
    weir_output *out;
    int64_t changed, same;
} walk;

static weir_status put_pair(walk *walk, size_t i, size_t j)
{
    weir_tensor_info info = weir_tensors_at(walk->a, i), other = weir_tensors_at(walk->b, j);
    const char *change = info.dtype != other.dtype                   ? "type"
                         : !weir_shape_eq(&info.shape, &other.shape) ? "shape"
                                                                     : NULL;
    difference difference = {0};
    if (!change)
        WEIR_TRY(compare_tensors(walk->a, i, walk->b, j, &difference));
    bool within = difference.measured && difference.most <= walk->args->tolerance;
    bool same = !change && (difference.elements == 0 || within);
    walk->same += same;
    walk->changed += !same;
    if (!same || walk->args->all)
        put_row(walk->out,
                change ? change
                : same ? "same"
                       : "changed",
                &other, change ? NULL : &difference);
    return WEIR_OK;
}

/* Both are sorted, so one merge pass suffices. */
static weir_status put_all(walk *walk)
{
    size_t i = 0, j = 0, count = weir_tensors_count(walk->a), m = weir_tensors_count(walk->b);
    while (i < count || j < m) {
        weir_tensor_info info = i < count ? weir_tensors_at(walk->a, i) : (weir_tensor_info){0};
        weir_tensor_info other = j < m ? weir_tensors_at(walk->b, j) : (weir_tensor_info){0};
        int order = i == count ? 1 : j == m ? -1 : weir_key_compare(info.name, other.name);
        if (order == 0) {
            WEIR_TRY(put_pair(walk, i++, j++));
            continue;
        }
        put_row(walk->out, order < 0 ? "removed" : "added", order < 0 ? &info : &other, NULL);
        walk->changed++;
        i += order < 0;
        j += order > 0;
    }
    return WEIR_OK;
}

static int diff(void *args, int argc, char **argv)
{
    const diff_args *diff_args = args;
    WEIR_OWNED(weir_tensors) from = ckpt_open(argv[0]);
    WEIR_OWNED(weir_tensors) to = from ? ckpt_open(argv[1]) : NULL;
    if (!to)
        return WEIR_EXIT_USAGE;
    walk walk = {
        .args = diff_args, .a = from, .b = to, .out = weir_output_begin(diff_args->format)};
    weir_output_table(walk.out, NULL);
    weir_output_columns(walk.out, "name,change,dtype,shape,differing,max_abs,max_rel");
    weir_status status = put_all(&walk);
    weir_output_remark(walk.out, "%lld differ, %lld are the same", (long long)walk.changed,
                       (long long)walk.same);
    weir_output_end(walk.out);
    if (status) {
        weir_cli_fail_status("One of the files is damaged; what stands above is true.", status);
        return WEIR_EXIT_USAGE;
    }
    return walk.changed ? WEIR_EXIT_FAILED : WEIR_EXIT_OK;
}

static const weir_option options[] = {
    WEIR_OUTPUT_OPTION(diff_args, format),
    {"tolerance", 't', "X", "treat numbers that differ by at most X as equal",
     WEIR_REAL(diff_args, tolerance)},
    {"all", 'a', NULL, "also list equal tensors", WEIR_FLAG(diff_args, all)},
};

const weir_command weir_command_ckpt_diff = {
    .name = "diff",
    .summary = "compare two checkpoints",
    .words = "BEFORE AFTER",
    .least = 2,
    .most = 2,
    .about = "Lists the tensors that were added, removed or changed between BEFORE and AFTER, with "
             "the number of differing elements and their maximum absolute and relative difference "
             "(relative to the larger value). The formats may differ. As for diff(1), the exit "
             "status is 0 if there are no differences, 1 if there are some, and 2 on an error.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(diff_args),
    .hint = WEIR_HINT_FILE,
    .run = diff,
};
