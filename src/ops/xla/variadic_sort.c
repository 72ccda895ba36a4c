/* ops/xla/variadic_sort.c - XlaVariadicSort: sorts tensors together by a comparison function.
 *
 * A merge sort whose comparisons are function calls. As in ops/flow/while.c, the second of the two
 * events, completion or return of the call, starts the next one.
 */
#include <stdatomic.h>

#include "ops/common/elements.h"
#include "ops/declare.h"
#include "ops/flow/functions_impl.h"
#include "ops/xla/numbers.h"

/* Lines are sorted one after another; runs of |width| are merged from |from| to |to|. */
typedef struct sorting {
    weir_call *call;
    int count;
    int64_t lines, length, stride, line;
    int64_t width, left, right, middle, end, at; /* of the runs being merged */
    int64_t *from, *to;
    atomic_bool second;
    weir_status status;
    bool right_first; /* the last result */
} sorting;

static int64_t place(const sorting *s, int64_t i)
{
    return s->line / s->stride * s->stride * s->length + s->line % s->stride + i * s->stride;
}

static void sorting_finish(sorting *s)
{
    weir_call *call = s->call;
    weir_status status = s->status;
    weir_free(s->from);
    weir_free(s->to);
    weir_free(s);
    weir_call_finish(call, status);
}

static void begin_runs(sorting *s, int64_t from)
{
    s->left = s->at = from;
    s->middle = s->right = from + s->width < s->length ? from + s->width : s->length;
    s->end = s->right + s->width < s->length ? s->right + s->width : s->length;
}

static void begin_line(sorting *s)
{
    for (int64_t i = 0; i < s->length; i++)
        s->from[i] = i;
    s->width = 1;
    begin_runs(s, 0);
}

static void write_line(sorting *s)
{
    for (int k = 0; k < s->count; k++)
        for (int64_t i = 0; i < s->length; i++)
            weir_elements_copy(weir_in(s->call, k)->dtype,
                               weir_at(weir_out(s->call, k), place(s, i)),
                               weir_at(weir_in(s->call, k), place(s, s->from[i])), 1);
}

/* Continues without comparisons as long as possible. False: all lines are sorted. */
static bool advance(sorting *s)
{
    while (s->line < s->lines) {
        if (s->left < s->middle && s->right < s->end)
            return true;
        while (s->left < s->middle)
            s->to[s->at++] = s->from[s->left++];
        while (s->right < s->end)
            s->to[s->at++] = s->from[s->right++];
        if (s->end < s->length) {
            begin_runs(s, s->end);
            continue;
        }
        int64_t *swap = s->from;
        s->from = s->to;
        s->to = swap;
        s->width *= 2;
        if (s->width < s->length) {
            begin_runs(s, 0);
            continue;
        }
        write_line(s);
        s->line++;
        begin_line(s);
    }
    return false;
}

static void drive(sorting *s);

static void answered(void *arg, weir_status status, weir_tensor *rets, int count)
{
    sorting *s = arg;
    bool given = !status;
    s->status = status;
    if (given && (count != 1 || rets[0].dtype != WEIR_BOOL || weir_tensor_count(&rets[0]) != 1))
        s->status = weir_error(WEIR_INVALID_ARGUMENT, "a comparator gives one boolean");
    else if (given)
        s->right_first = *(const bool *)rets[0].data;
    for (int i = 0; given && i < count; i++)
        weir_tensor_release(&rets[i]);
    if (atomic_exchange(&s->second, true))
        drive(s);
}

/* Whether the right run's next element precedes the left one's. */
static void compare(sorting *s)
{
    const weir_functions *functions = s->call->state;
    int count = 2 * s->count;
    WEIR_FREED weir_tensor *args = WEIR_NEW_ARRAY(weir_tensor, count);
    for (int k = 0; k < s->count; k++) {
        const weir_tensor *x = weir_in(s->call, k);
        args[2 * k] = weir_tensor_scalar(x->dtype, weir_at(x, place(s, s->from[s->right])));
        args[2 * k + 1] = weir_tensor_scalar(x->dtype, weir_at(x, place(s, s->from[s->left])));
    }
    atomic_store(&s->second, false);
    functions->runner->call(functions->at[0], s->call->run, args, count, answered, s);
    for (int i = 0; i < count; i++)
        weir_tensor_release(&args[i]);
}

static void drive(sorting *s)
{
    do {
        if (!s->status && weir_cancel_fired(s->call->run->cancel))
            s->status = weir_error(WEIR_CANCELLED, "%s was cancelled", s->call->site->name);
        if (!s->status)
            s->to[s->at++] = s->from[s->right_first ? s->right++ : s->left++];
        if (s->status || !advance(s)) {
            sorting_finish(s);
            return;
        }
        compare(s);
    } while (atomic_exchange(&s->second, true));
}

static weir_status prepare_sort(weir_call *call, sorting *s)
{
    const weir_shape *shape = &weir_in(call, 0)->shape;
    int64_t dim;
    WEIR_TRY(weir_xla_ints(call, s->count, 1, &dim));
    if (dim < 0 || dim >= shape->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "dimension %" PRId64 " is out of range for rank %d", dim, shape->rank);
    for (int i = 0; i < s->count; i++) {
        if (!weir_shape_eq(shape, &weir_in(call, i)->shape))
            return weir_error(WEIR_INVALID_ARGUMENT, "inputs 0 and %d have different shapes", i);
        WEIR_TRY(weir_call_alloc(call, i, shape));
    }
    s->length = shape->dims[dim];
    s->stride = weir_shape_product(shape, (int)dim + 1, shape->rank);
    s->lines = s->length ? weir_shape_count(shape) / s->length : 0;
    s->from = WEIR_NEW_ARRAY(int64_t, s->length + 1);
    s->to = WEIR_NEW_ARRAY(int64_t, s->length + 1);
    begin_line(s);
    return WEIR_OK;
}

static void start_sort(weir_call *call)
{
    sorting *s = WEIR_NEW(sorting);
    s->call = call;
    s->count = call->site->out_count;
    s->status = prepare_sort(call, s);
    if (s->status || !advance(s)) {
        sorting_finish(s);
        return;
    }
    compare(s);
    if (atomic_exchange(&s->second, true))
        drive(s);
}

WEIR_DEFINE_OP(xla_variadic_sort, "XlaVariadicSort", .in = "inputs: T; dimension: int32",
               .out = "outputs: T",
               .attrs = "T: list(type) >= 1; comparator: func; is_stable: bool",
               .flags = WEIR_NO_FOLD, .host = "dimension",
               .kernels = {{WEIR_FUNCTIONS_KERNEL, .start = start_sort}});
