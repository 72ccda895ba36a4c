/* math/segment.c - combines rows by the loops of binary/. */
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

static weir_status count_rows(const weir_segment *segment, weir_buffer **out_counts)
{
    WEIR_TRY(weir_buffer_alloc(
        (size_t)(segment->segments ? segment->segments : 1) * sizeof(int64_t), out_counts));
    int64_t *counts = (*out_counts)->data;
    memset(counts, 0, (size_t)segment->segments * sizeof *counts);
    for (int64_t row = 0; row < segment->rows; row++)
        if (segment->ids[row] >= 0 && segment->ids[row] < segment->segments)
            counts[segment->ids[row]]++;
    return WEIR_OK;
}

/* Threads split the columns, so that no two write the same element. */
typedef struct work {
    const weir_segment *s;
    const int64_t *counts;
    weir_binary_fn combine;
    int size;
    int64_t y_rows;
} work;

static void columns(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    const weir_segment *segment = work->s;
    int64_t stride = segment->width * work->size, n = end - begin;
    const char *x = (const char *)segment->x + begin * work->size;
    char *y = (char *)segment->y + begin * work->size;
    int64_t *left = weir_alloc((size_t)(segment->segments ? segment->segments : 1) * sizeof *left);
    memcpy(left, work->counts, (size_t)segment->segments * sizeof *left);
    for (int64_t row_index = 0; row_index < segment->rows; row_index++) {
        int64_t id = segment->ids[row_index];
        if (id < 0 || id >= segment->segments)
            continue;
        const char *row = x + (segment->indices ? segment->indices[row_index] : row_index) * stride;
        char *acc = y + id * stride;
        if (left[id] == work->counts[id]) /* the first of its segment */
            memcpy(acc, row, (size_t)(n * work->size));
        else
            work->combine(n, acc, row, acc, WEIR_BOTH_VARY);
        left[id]--;
    }
    for (int64_t id = 0; id < segment->segments; id++) {
        double by = divisor(segment->op, work->counts[id]);
        if (work->counts[id] == 0)
            fill_rows(y + id * stride, n, work->size, segment->empty);
        else if (by != 1)
            divide(segment->elem, y + id * stride, n, by);
    }
    weir_free(left);
}

static weir_status run_plain(const weir_par *par, const weir_segment *segment)
{
    weir_buffer *counts;
    WEIR_TRY(count_rows(segment, &counts));
    work work = {segment, counts->data, weir_binary_find(combine_of(segment->op), segment->elem),
                 weir_elem_size(segment->elem), 0};
    int64_t grain = 32768 / (segment->rows ? segment->rows : 1);
    weir_par_for(par, segment->width, grain < 16 ? 16 : grain, columns, &work);
    weir_buffer_release(counts);
    return WEIR_OK;
}

static void spread_rows(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    const weir_segment *segment = work->s;
    int64_t stride = segment->width * work->size, n = end - begin;
    char *y = (char *)segment->y + begin * work->size;
    char *scaled = weir_alloc((size_t)(n * work->size));
    for (int64_t row = 0; row < work->y_rows; row++)
        memset(y + row * stride, 0, (size_t)(n * work->size));
    for (int64_t row_index = 0; row_index < segment->rows; row_index++) {
        const char *row =
            (const char *)segment->x + begin * work->size + segment->ids[row_index] * stride;
        char *acc = y + segment->indices[row_index] * stride;
        double by = divisor(segment->op, work->counts[segment->ids[row_index]]);
        if (by != 1) {
            memcpy(scaled, row, (size_t)(n * work->size));
            divide(segment->elem, scaled, n, by);
            row = scaled;
        }
        work->combine(n, acc, row, acc, WEIR_BOTH_VARY);
    }
    weir_free(scaled);
}

static weir_status spread_plain(const weir_par *par, const weir_segment *segment, int64_t y_rows)
{
    weir_buffer *counts;
    WEIR_TRY(count_rows(segment, &counts));
    work work = {segment, counts->data, weir_binary_find(WEIR_B_add, segment->elem),
                 weir_elem_size(segment->elem), y_rows};
    weir_par_for(par, segment->width, 256, spread_rows, &work);
    weir_buffer_release(counts);
    return WEIR_OK;
}

/* Runs over float copies of 16-bit arrays of |x_count| and |y_count| elements. */
static weir_status widened(const weir_par *par, const weir_segment *segment, int64_t x_count,
                           int64_t y_count, int64_t y_rows, bool spread)
{
    weir_buffer *buffer, *y;
    WEIR_TRY(weir_buffer_alloc((size_t)x_count * sizeof(float), &buffer));
    weir_status status = weir_buffer_alloc((size_t)y_count * sizeof(float), &y);
    if (status) {
        weir_buffer_release(buffer);
        return status;
    }
    weir_segment wide = *segment;
    float empty = 0;
    if (segment->empty)
        weir_halves_to_floats(segment->elem, 1, segment->empty, &empty);
    weir_cast_run(par, segment->elem, WEIR_E_f32, x_count, segment->x, buffer->data);
    wide.elem = WEIR_E_f32;
    wide.x = buffer->data;
    wide.y = y->data;
    wide.empty = &empty;
    status = spread ? spread_plain(par, &wide, y_rows) : run_plain(par, &wide);
    weir_cast_run(par, WEIR_E_f32, segment->elem, y_count, y->data, segment->y);
    weir_buffer_release(buffer);
    weir_buffer_release(y);
    return status;
}

weir_status weir_segment_run(const weir_par *par, const weir_segment *segment)
{
    int64_t x_rows = segment->indices ? segment->x_rows : segment->rows;
    if (!weir_elem_is_half(segment->elem))
        return run_plain(par, segment);
    return widened(par, segment, x_rows * segment->width, segment->segments * segment->width, 0,
                   false);
}

weir_status weir_segment_spread(const weir_par *par, const weir_segment *segment, int64_t y_rows)
{
    if (!weir_elem_is_half(segment->elem))
        return spread_plain(par, segment, y_rows);
    return widened(par, segment, segment->segments * segment->width, y_rows * segment->width,
                   y_rows, true);
}
