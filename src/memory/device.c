/* memory/device.c - this thread's memory scope, and the node that it allocates for. */
#include "memory/device.h"

_Thread_local const char *weir_memory_user __attribute__((tls_model("initial-exec")));
_Thread_local weir_memory_scope *weir_memory_current __attribute__((tls_model("initial-exec")));

void weir_memory_scope_end(weir_memory_scope *scope)
{
    weir_memory_pieces *pieces = scope->pieces;
    if (pieces && pieces->count && !scope->failed)
        scope->failed = pieces->count == 1
                            ? scope->memory->walk(scope->memory, pieces->unit, pieces->to[0],
                                                  pieces->from[0], &pieces->walk)
                            : scope->memory->walk_pieces(scope->memory, pieces);
    if (pieces)
        pieces->count = 0;
}

static bool is_like(const weir_memory_pieces *pieces, int unit, const weir_memory_walk *walk)
{
    bool like = pieces->unit == unit && pieces->walk.rank == walk->rank;
    for (int i = 0; like && i < walk->rank; i++)
        like = pieces->walk.dims[i] == walk->dims[i] && pieces->walk.to[i] == walk->to[i] &&
               pieces->walk.from[i] == walk->from[i];
    return like;
}

void weir_memory_scope_walk(weir_memory_scope *scope, int unit, void *to, const void *from,
                            const weir_memory_walk *walk)
{
    weir_memory_pieces *pieces = scope->pieces;
    if (!pieces) {
        scope->failed = scope->memory->walk(scope->memory, unit, to, from, walk);
        return;
    }
    if (pieces->count == WEIR_MEMORY_PIECES || (pieces->count && !is_like(pieces, unit, walk)))
        weir_memory_scope_end(scope);
    if (!pieces->count) {
        pieces->unit = unit;
        pieces->walk = *walk;
    }
    pieces->to[pieces->count] = to;
    pieces->from[pieces->count++] = from;
}
