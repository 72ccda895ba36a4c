/* gpu/walk.c - strided element moves, one launch per iteration space. */
#include "gpu/walk_impl.h"

#include <stdlib.h>

#include "gpu/unit.h"

static weir_elem elem_of_unit(int unit)
{
    return unit == 16  ? WEIR_E_c128
           : unit == 8 ? WEIR_E_u64
           : unit == 4 ? WEIR_E_u32
           : unit == 2 ? WEIR_E_u16
                       : WEIR_E_u8;
}

/* Uses larger units where the runs permit, up to 16 bytes. |places|: the bitwise or of all
 * addresses. */
static void widen(int *unit, uintptr_t places, weir_gpu_walk *walk)
{
    int last = (int)walk->rank - 1;
    while (*unit < 16 && last >= 0 && walk->to[last] == 1 && walk->from[last] == 1) {
        int wide = *unit * 2;
        bool even = walk->dims[last] % 2 == 0 && places % (uintptr_t)wide == 0;
        for (int i = 0; i < last; i++)
            even &= walk->to[i] % 2 == 0 && walk->from[i] % 2 == 0;
        if (!even)
            return;
        *unit = wide;
        walk->dims[last] /= 2;
        walk->count /= 2;
        for (int i = 0; i < last; i++) {
            walk->to[i] /= 2;
            walk->from[i] /= 2;
        }
    }
}

/* The largest offset in either array. */
static int64_t reach_of(const weir_gpu_walk *walk)
{
    int64_t to = 0, from = 0;
    for (int i = 0; i < walk->rank; i++) {
        to += (walk->dims[i] - 1) * llabs(walk->to[i]);
        from += (walk->dims[i] - 1) * llabs(walk->from[i]);
    }
    to = to > from ? to : from;
    return to > walk->count ? to : walk->count;
}

/* Whether the last two dimensions are swapped and the others form a batch. */
static bool is_transpose(const weir_gpu_walk *walk)
{
    int last = (int)walk->rank - 1;
    if (last < 1 || last > 2)
        return false;
    int64_t columns = walk->dims[last - 1], rows = walk->dims[last];
    return walk->to[last] == 1 && walk->to[last - 1] == rows && walk->from[last - 1] == 1 &&
           walk->from[last] == columns && columns > 1 && rows > 1 &&
           (last == 1 || (walk->to[0] == rows * columns && walk->from[0] == rows * columns));
}

static weir_status transpose(weir_memory *memory, int unit, void *to, const void *from,
                             const weir_gpu_walk *walk)
{
    enum { EDGE = 32 };
    int last = (int)walk->rank - 1;
    int64_t batch = last == 2 ? walk->dims[0] : 1;
    int64_t columns = walk->dims[last - 1], rows = walk->dims[last];
    int64_t tiles = batch * ((columns + EDGE - 1) / EDGE) * ((rows + EDGE - 1) / EDGE);
    weir_gpu_arg args[] = {WEIR_GPU_AT(to), WEIR_GPU_AT(from), WEIR_GPU_VALUE(batch),
                           WEIR_GPU_VALUE(rows), WEIR_GPU_VALUE(columns)};
    weir_gpu_which which = {
        .family = WEIR_GPU_MOVE, .elem = elem_of_unit(unit), .kernel = "move_transpose"};
    return weir_gpu_unit_launch((weir_gpu_unit *)memory, &which, tiles * WEIR_GPU_LANES, args, 5);
}

static weir_gpu_walk walk_of(const weir_memory_walk *walk)
{
    weir_gpu_walk what = {.rank = walk->rank ? walk->rank : 1, .count = 1, .dims = {1}};
    for (int i = 0; i < walk->rank; i++) {
        what.dims[i] = walk->dims[i];
        what.to[i] = walk->to[i];
        what.from[i] = walk->from[i];
        what.count *= walk->dims[i];
    }
    return what;
}

weir_status weir_gpu_walk_run(weir_memory *memory, int unit, void *to, const void *from,
                              const weir_memory_walk *walk)
{
    weir_gpu_walk what = walk_of(walk);
    if (what.count <= 0)
        return WEIR_OK;
    if (is_transpose(&what))
        return transpose(memory, unit, to, from, &what);
    widen(&unit, (uintptr_t)to | (uintptr_t)from, &what);
    weir_gpu_arg args[] = {WEIR_GPU_AT(to), WEIR_GPU_AT(from), WEIR_GPU_VALUE(what)};
    weir_gpu_which which = {.family = WEIR_GPU_MOVE,
                            .elem = elem_of_unit(unit),
                            .narrow = reach_of(&what) < WEIR_GPU_NARROW,
                            .kernel = "move_copy"};
    return weir_gpu_unit_launch((weir_gpu_unit *)memory, &which, what.count, args, 3);
}

weir_status weir_gpu_walk_pieces(weir_memory *memory, const weir_memory_pieces *pieces)
{
    weir_gpu_walk what = walk_of(&pieces->walk);
    weir_gpu_arg args[2 * WEIR_MEMORY_PIECES + 1];
    uintptr_t places = 0;
    int at = 0, unit = pieces->unit;
    if (what.count <= 0)
        return WEIR_OK;
    for (int i = 0; i < pieces->count; i++) {
        args[at++] = WEIR_GPU_AT(pieces->to[i]);
        args[at++] = WEIR_GPU_AT(pieces->from[i]);
        places |= (uintptr_t)pieces->to[i] | (uintptr_t)pieces->from[i];
    }
    widen(&unit, places, &what);
    args[at++] = WEIR_GPU_VALUE(what);
    weir_gpu_which which = {.text = WEIR_GPU_IN_PIECES,
                            .op = pieces->count,
                            .elem = elem_of_unit(unit),
                            .narrow = reach_of(&what) < WEIR_GPU_NARROW,
                            .kernel = "move_pieces"};
    return weir_gpu_unit_launch((weir_gpu_unit *)memory, &which, what.count, args, at);
}
