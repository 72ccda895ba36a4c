/* math/segment.c - rows are combined by the loops of binary/. */
#include "math/segment.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "math/binary/binary.h"
#include "math/cast/cast.h"
#include "memory/buffer.h"

static weir_binary_op combine_of(weir_segment_op op)
{
    static const weir_binary_op map[] = {
        [WEIR_SEG_sum] = WEIR_B_add,     [WEIR_SEG_mean] = WEIR_B_add,
        [WEIR_SEG_sqrt_n] = WEIR_B_add,  [WEIR_SEG_prod] = WEIR_B_mul,
        [WEIR_SEG_max] = WEIR_B_maximum, [WEIR_SEG_min] = WEIR_B_minimum,
    };
    return map[op];
}

bool weir_segment_has(weir_segment_op op, weir_elem elem)
{
    return elem != WEIR_ELEM_NONE && elem != WEIR_E_b8 && weir_binary_find(combine_of(op), elem);
}

#define LOOPS "math/divide.inc"
#include "math/each_complex.inc"
#include "math/each_float.inc"
#include "math/each_int.inc"

static void divide(weir_elem elem, void *y, int64_t count, double by)
{
#define ROW(e, C, W, class) [WEIR_E_##e] = divide_##e,
    static void (*const fns[WEIR_ELEM_COUNT])(void *, int64_t, double) = {
        WEIR_ELEMS_FLOAT(ROW) WEIR_ELEMS_INT(ROW) WEIR_ELEMS_COMPLEX(ROW)};
    fns[elem](y, count, by);
}

static void fill_rows(char *y, int64_t count, int size, const void *value)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(y + i * size, value, (size_t)size);
}

/* The divisor of a segment with |count| rows; 1 for operations that do not divide. */
static double divisor(weir_segment_op op, int64_t count)
{
    return op == WEIR_SEG_mean ? (double)count : op == WEIR_SEG_sqrt_n ? sqrt((double)count) : 1;
}

static weir_status count_rows(const weir_segment *s, weir_buffer **out_counts)
{
    WEIR_TRY(
        weir_buffer_alloc((size_t)(s->segments ? s->segments : 1) * sizeof(int64_t), out_counts));
    int64_t *counts = (*out_counts)->data;
    memset(counts, 0, (size_t)s->segments * sizeof *counts);
    for (int64_t r = 0; r < s->rows; r++)
        if (s->ids[r] >= 0 && s->ids[r] < s->segments)
            counts[s->ids[r]]++;
    return WEIR_OK;
}

/* Threads take columns [begin, end) of every row, so that no two write one place. */
typedef struct work {
    const weir_segment *s;
    const int64_t *counts;
    weir_binary_fn combine;
    int size;
    int64_t y_rows;
} work;

static void columns(void *ctx, int64_t begin, int64_t end)
{
    const work *w = ctx;
    const weir_segment *s = w->s;
    int64_t stride = s->width * w->size, n = end - begin;
    const char *x = (const char *)s->x + begin * w->size;
    char *y = (char *)s->y + begin * w->size;
    int64_t *left = weir_alloc((size_t)(s->segments ? s->segments : 1) * sizeof *left);
    memcpy(left, w->counts, (size_t)s->segments * sizeof *left);
    for (int64_t r = 0; r < s->rows; r++) {
        int64_t id = s->ids[r];
        if (id < 0 || id >= s->segments)
            continue;
        const char *row = x + (s->indices ? s->indices[r] : r) * stride;
        char *acc = y + id * stride;
        if (left[id] == w->counts[id]) /* the first of its segment */
            memcpy(acc, row, (size_t)(n * w->size));
        else
            w->combine(n, acc, row, acc, WEIR_BOTH_VARY);
        left[id]--;
    }
    for (int64_t id = 0; id < s->segments; id++) {
        double by = divisor(s->op, w->counts[id]);
        if (w->counts[id] == 0)
            fill_rows(y + id * stride, n, w->size, s->empty);
        else if (by != 1)
            divide(s->elem, y + id * stride, n, by);
    }
    weir_free(left);
}

static weir_status run_plain(const weir_par *par, const weir_segment *s)
{
    weir_buffer *counts;
    WEIR_TRY(count_rows(s, &counts));
    work w = {s, counts->data, weir_binary_find(combine_of(s->op), s->elem),
              weir_elem_size(s->elem), 0};
    int64_t grain = 32768 / (s->rows ? s->rows : 1);
    weir_par_for(par, s->width, grain < 16 ? 16 : grain, columns, &w);
    weir_buffer_release(counts);
    return WEIR_OK;
}

static void spread_rows(void *ctx, int64_t begin, int64_t end)
{
    const work *w = ctx;
    const weir_segment *s = w->s;
    int64_t stride = s->width * w->size, n = end - begin;
    char *y = (char *)s->y + begin * w->size;
    char *scaled = weir_alloc((size_t)(n * w->size));
    for (int64_t r = 0; r < w->y_rows; r++)
        memset(y + r * stride, 0, (size_t)(n * w->size));
    for (int64_t r = 0; r < s->rows; r++) {
        const char *row = (const char *)s->x + begin * w->size + s->ids[r] * stride;
        char *acc = y + s->indices[r] * stride;
        double by = divisor(s->op, w->counts[s->ids[r]]);
        if (by != 1) {
            memcpy(scaled, row, (size_t)(n * w->size));
            divide(s->elem, scaled, n, by);
            row = scaled;
        }
        w->combine(n, acc, row, acc, WEIR_BOTH_VARY);
    }
    weir_free(scaled);
}

static weir_status spread_plain(const weir_par *par, const weir_segment *s, int64_t y_rows)
{
    weir_buffer *counts;
    WEIR_TRY(count_rows(s, &counts));
    work w = {s, counts->data, weir_binary_find(WEIR_B_add, s->elem), weir_elem_size(s->elem),
              y_rows};
    weir_par_for(par, s->width, 256, spread_rows, &w);
    weir_buffer_release(counts);
    return WEIR_OK;
}

/* Runs over float copies of 16-bit arrays of |x_count| and |y_count| elements. */
static weir_status widened(const weir_par *par, const weir_segment *s, int64_t x_count,
                           int64_t y_count, int64_t y_rows, bool spread)
{
    weir_buffer *x, *y;
    WEIR_TRY(weir_buffer_alloc((size_t)x_count * sizeof(float), &x));
    weir_status status = weir_buffer_alloc((size_t)y_count * sizeof(float), &y);
    if (status) {
        weir_buffer_release(x);
        return status;
    }
    weir_segment wide = *s;
    float empty = 0;
    if (s->empty)
        weir_halves_to_floats(s->elem, 1, s->empty, &empty);
    weir_cast_run(par, s->elem, WEIR_E_f32, x_count, s->x, x->data);
    wide.elem = WEIR_E_f32;
    wide.x = x->data;
    wide.y = y->data;
    wide.empty = &empty;
    status = spread ? spread_plain(par, &wide, y_rows) : run_plain(par, &wide);
    weir_cast_run(par, WEIR_E_f32, s->elem, y_count, y->data, s->y);
    weir_buffer_release(x);
    weir_buffer_release(y);
    return status;
}

weir_status weir_segment_run(const weir_par *par, const weir_segment *s)
{
    int64_t x_rows = s->indices ? s->x_rows : s->rows;
    if (!weir_elem_is_half(s->elem))
        return run_plain(par, s);
    return widened(par, s, x_rows * s->width, s->segments * s->width, 0, false);
}

weir_status weir_segment_spread(const weir_par *par, const weir_segment *s, int64_t y_rows)
{
    if (!weir_elem_is_half(s->elem))
        return spread_plain(par, s, y_rows);
    return widened(par, s, s->segments * s->width, y_rows * s->width, y_rows, true);
}
