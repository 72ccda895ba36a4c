/* ops/internal/cell.c - _Cell: element-wise ops over rows and columns, with several results.
 *
 * pass/cells.c creates it for devices, from the ops between two products of a recurrent network:
 * the parts of a Split are columns of its input, those of a concatenation columns of a result, and
 * values read only inside the cell are never stored. CPUs run it if a device has no kernel for one
 * of the loops.
 */
#include "ops/internal/cell.h"

#include "base/mem.h"
#include "math/binary/binary.h"
#include "math/unary/unary.h"
#include "ops/common/elem_of.h"

enum { T = 1, PROGRAM, SIZES, SHAPES, MOST_VALUES = 1 << 12, TILE = 256, MOST = 1 << 30 };

static weir_status bad(const weir_site *site)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "%s: no program of a cell", site->name);
}

/* Checks that sums and products of these offsets cannot overflow. */
static bool is_place(const int64_t *place)
{
    return place[0] >= 0 && place[0] < MOST && place[1] >= 0 && place[1] < MOST && place[2] >= 0 &&
           place[2] < MOST;
}

static bool is_loop(int64_t loop, weir_elem elem)
{
    if (loop < -(int64_t)WEIR_BINARY_COUNT || loop >= (int64_t)WEIR_UNARY_COUNT)
        return false;
    if (loop < 0)
        return weir_binary_find((weir_binary_op)(-1 - loop), elem) &&
               weir_binary_out((weir_binary_op)(-1 - loop), elem) == elem;
    return weir_unary_find((weir_unary_op)loop, elem) &&
           weir_unary_out((weir_unary_op)loop, elem) == elem;
}

/* Checks that a line reads only existing values; |made| is their number. */
static bool is_line(const weir_site *site, const int64_t *line, int made)
{
    weir_elem elem = weir_elem_of(weir_site_type(site, T));
    int all = site->in_count + site->out_count;
    switch (line[0]) {
    case WEIR_CELL_LOAD:
        return line[1] == made && line[2] >= 0 && line[2] < site->in_count && is_place(line + 3);
    case WEIR_CELL_LOOP:
        return line[1] == made && is_loop(line[2], elem) && line[3] >= 0 && line[3] < made &&
               (line[2] >= 0 || (line[4] >= 0 && line[4] < made));
    case WEIR_CELL_STORE:
        return line[1] >= site->in_count && line[1] < all && line[2] >= 0 && line[2] < made &&
               is_place(line + 3);
    default:
        return false;
    }
}

weir_status weir_cell_read(const weir_site *site, weir_cell *out_cell)
{
    const weir_attr *program = weir_site_list(site, PROGRAM), *sizes = weir_site_list(site, SIZES);
    weir_cell cell = {.program = program->is, .count = program->count / WEIR_CELL_NUMBERS};
    if (cell.count < 2 || program->count % WEIR_CELL_NUMBERS || sizes->count != 2 ||
        program->is[0] != WEIR_CELL_SIZE || program->is[2] != site->in_count)
        return bad(site);
    cell.rows = sizes->is[0];
    cell.columns = sizes->is[1];
    if (cell.rows < 1 || cell.columns < 1 || cell.rows > MOST / cell.columns ||
        program->is[1] != cell.columns)
        return bad(site);
    for (int i = 1; i < cell.count; i++) {
        const int64_t *line = cell.program + WEIR_CELL_NUMBERS * (size_t)i;
        if (!is_line(site, line, cell.values) || cell.values == MOST_VALUES)
            return bad(site);
        cell.values += line[0] != WEIR_CELL_STORE;
    }
    *out_cell = cell;
    return WEIR_OK;
}

static weir_tensor *tensor_of(const weir_call *call, int64_t index)
{
    int inputs = call->site->in_count;
    return index < inputs ? (weir_tensor *)weir_in(call, (int)index)
                          : weir_out((weir_call *)call, (int)index - inputs);
}

weir_status weir_cell_fits(const weir_call *call, const weir_cell *cell)
{
    for (int i = 1; i < cell->count; i++) {
        const int64_t *line = cell->program + WEIR_CELL_NUMBERS * (size_t)i;
        if (line[0] == WEIR_CELL_LOOP)
            continue;
        int64_t index = line[0] == WEIR_CELL_LOAD ? line[2] : line[1];
        int64_t last = line[3] + (cell->rows - 1) * line[4] + (cell->columns - 1) * line[5];
        if (last >= weir_tensor_count(tensor_of(call, index)))
            return weir_error(WEIR_INTERNAL, "%s: a tensor of shape %s is not as it was known",
                              call->site->name, WEIR_SHAPE_STR(&tensor_of(call, index)->shape));
    }
    return WEIR_OK;
}

/* ---- on a CPU -------------------------------------------------------------------------------- */

typedef struct tile {
    int64_t row, column, count; /* columns per row */
    size_t unit;
    char *values; /* TILE elements each */
} tile;

static char *value_at(const tile *tile, int64_t value)
{
    return tile->values + (size_t)value * TILE * tile->unit;
}

static void move(const tile *tile, const weir_call *call, const int64_t *line)
{
    bool load = line[0] == WEIR_CELL_LOAD;
    char *whole = tensor_of(call, load ? line[2] : line[1])->data;
    char *value = value_at(tile, load ? line[1] : line[2]);
    for (int64_t i = 0; i < tile->count; i++) {
        char *at = whole + (size_t)(line[3] + tile->row * line[4] + (tile->column + i) * line[5]) *
                               tile->unit;
        memcpy(load ? value + (size_t)i * tile->unit : at,
               load ? at : value + (size_t)i * tile->unit, tile->unit);
    }
}

static void run_line(const tile *tile, const weir_call *call, const int64_t *line, weir_elem elem)
{
    if (line[0] != WEIR_CELL_LOOP)
        move(tile, call, line);
    else if (line[2] < 0)
        weir_binary_find((weir_binary_op)(-1 - line[2]),
                         elem)(tile->count, value_at(tile, line[3]), value_at(tile, line[4]),
                               value_at(tile, line[1]), WEIR_BOTH_VARY);
    else
        weir_unary_find((weir_unary_op)line[2], elem)(tile->count, value_at(tile, line[3]),
                                                      value_at(tile, line[1]));
}

static weir_status run(weir_call *call)
{
    weir_cell cell;
    WEIR_TRY(weir_cell_read(call->site, &cell));
    WEIR_TRY(weir_cell_fits(call, &cell));
    weir_elem elem = weir_elem_of(weir_site_type(call->site, T));
    tile tile = {.unit = (size_t)weir_elem_size(elem)};
    tile.values = weir_alloc((size_t)cell.values * TILE * tile.unit);
    for (tile.row = 0; tile.row < cell.rows; tile.row++)
        for (tile.column = 0; tile.column < cell.columns; tile.column += TILE) {
            int64_t left = cell.columns - tile.column;
            tile.count = left < TILE ? left : TILE;
            for (int i = 1; i < cell.count; i++)
                run_line(&tile, call, cell.program + WEIR_CELL_NUMBERS * (size_t)i, elem);
        }
    weir_free(tile.values);
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    const weir_attr *shapes = weir_site_list(infer->site, SHAPES);
    weir_cell cell;
    if (shapes->count != infer->out_count)
        return bad(infer->site);
    for (int i = 0; i < infer->out_count; i++)
        infer->out[i] = shapes->shapes[i];
    return weir_cell_read(infer->site, &cell);
}

const weir_op weir_op_cell = {
    .name = "_Cell",
    .in = "args: N * T",
    .out = "y: K * T",
    .attrs = "N: int >= 1; T: {float, double, bfloat16}; program: list(int); sizes: list(int); "
             "shapes: list(shape); K: int >= 1",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer,
    .kernels = {{WEIR_CPU, "*", run}},
};
