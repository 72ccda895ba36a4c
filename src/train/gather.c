/* train/gather.c - rows of a variable, taken where it is: of each piece, when it is cut. */
#include "train/train_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/data_flow.h"
#include "weir/ops/math.h"

static TF_Output vector(weir_builder *b, const char *name, const int32_t *values, int count)
{
    return weir_build_const(b, name, TF_INT32, 1, &(int64_t){count}, values);
}

static TF_Output rows_of(weir_builder *b, const char *name, TF_Output table, TF_Output indices)
{
    weir_build_push_device(b, TF_OperationDevice(table.oper));
    TF_Output axis = weir_build_int32(b, "axis", 0);
    TF_Output rows = weir_gather_v2(b, name, table, indices, axis, NULL);
    weir_build_pop_device(b);
    return rows;
}

/* ---- which piece has a row ------------------------------------------------------------------ */

/* Where each row is: the piece, and the place in it. */
typedef struct places {
    TF_Output piece, row;
} places;

/* The first |longer| of the pieces have |rows| + 1 rows, the others |rows|. */
static places find_places(weir_builder *b, TF_Output flat, int64_t rows, int64_t longer)
{
    TF_Output more = weir_build_int32(b, "more", (int32_t)rows + 1);
    TF_Output less = weir_build_int32(b, "less", (int32_t)rows);
    TF_Output count = weir_build_int32(b, "longer", (int32_t)longer);
    TF_Output behind = weir_sub(b, "behind", flat, count);
    places p;
    p.piece = weir_maximum(b, "piece", weir_floor_div(b, "early", flat, more),
                           weir_floor_div(b, "late", behind, less));
    p.row = weir_select_v2(b, "row", weir_less(b, "is_early", p.piece, count),
                           weir_floor_mod(b, "early_row", flat, more),
                           weir_floor_mod(b, "late_row", behind, less));
    return p;
}

/* The shape of |indices|, then that of a row. */
static TF_Output result_shape(weir_builder *b, const variable *piece, TF_Output indices)
{
    int32_t dims[LARGEST_RANK];
    for (int i = 1; i < piece->rank; i++)
        dims[i - 1] = (int32_t)piece->dims[i];
    TF_Output parts[] = {weir_shape(b, "ids_shape", indices, NULL),
                         vector(b, "row_shape", dims, piece->rank - 1)};
    return weir_concat_v2(b, "shape", parts, 2, weir_build_int32(b, "axis", 0));
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Deals the indices out to the pieces and puts their rows together again. */
static TF_Output gather_pieces(weir_trainer *t, const cut *c, TF_Output indices)
{
    weir_builder *b = t->b;
    variable *const *pieces = &t->variables.at[c->first];
    int64_t longer = 0, least = pieces[c->count - 1]->dims[0];
    for (int i = 0; i < c->count; i++)
        longer += pieces[i]->dims[0] > least;
    TF_Output ids = weir_cast(b, "ids", indices, TF_INT32, NULL);
    TF_Output flat = weir_reshape(b, "flat", ids, vector(b, "all", (int32_t[]){-1}, 1));
    places at = find_places(b, flat, least, longer);
    TF_Output order = weir_range(b, "order", weir_build_int32(b, "first", 0),
                                 weir_size(b, "size", flat, NULL), weir_build_int32(b, "one", 1));
    weir_outputs rows = weir_dynamic_partition(b, "rows", at.row, at.piece, c->count);
    weir_outputs back = weir_dynamic_partition(b, "back", order, at.piece, c->count);
    TF_Output *taken = WEIR_NEW_ARRAY(TF_Output, 2 * c->count), *backs = taken + c->count;
    for (int i = 0; i < c->count && !weir_trainer_failed(t); i++) {
        taken[i] = rows_of(b, "piece_rows", pieces[i]->value, weir_output_at(rows, i));
        backs[i] = weir_output_at(back, i);
    }
    TF_Output joined = weir_dynamic_stitch(b, "joined", backs, c->count, taken, c->count);
    weir_free(taken);
    return weir_reshape(b, "rows", joined, result_shape(b, pieces[0], indices));
}

TF_Output weir_trainer_gather(weir_trainer *t, const char *name, TF_Output variable_,
                              TF_Output indices)
{
    if (!variable_.oper)
        weir_build_fail(t->b, TF_INVALID_ARGUMENT, "There is no variable to gather rows of");
    if (weir_trainer_failed(t))
        return (TF_Output){0};
    for (size_t i = 0; i < t->cuts.count; i++)
        if (t->cuts.at[i].whole.oper == variable_.oper) {
            weir_build_push_scope(t->b, name);
            TF_Output rows = gather_pieces(t, &t->cuts.at[i], indices);
            weir_build_pop_scope(t->b);
            return rows;
        }
    return rows_of(t->b, name, variable_, indices);
}
