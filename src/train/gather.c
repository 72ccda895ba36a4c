/* train/gather.c - gathers rows of a variable, or of its partitions, on their devices. */
#include "train/train_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/data_flow.h"
#include "weir/ops/math.h"

static TF_Output vector(weir_builder *builder, const char *name, const int32_t *values, int count)
{
    return weir_build_const(builder, name, TF_INT32, 1, &(int64_t){count}, values);
}

static TF_Output rows_of(weir_builder *builder, const char *name, TF_Output table,
                         TF_Output indices)
{
    weir_build_push_device(builder, TF_OperationDevice(table.oper));
    TF_Output axis = weir_build_int32(builder, "axis", 0);
    TF_Output rows = weir_gather_v2(builder, name, table, indices, axis, NULL);
    weir_build_pop_device(builder);
    return rows;
}

/* ---- partition of a row ---------------------------------------------------------------------- */

/* The position of each row: partition, and index in it. */
typedef struct places {
    TF_Output piece, row;
} places;

/* The first |longer| partitions have |rows| + 1 rows, the others |rows|. */
static places find_places(weir_builder *builder, TF_Output flat, int64_t rows, int64_t longer)
{
    TF_Output more = weir_build_int32(builder, "more", (int32_t)rows + 1);
    TF_Output less = weir_build_int32(builder, "less", (int32_t)rows);
    TF_Output count = weir_build_int32(builder, "longer", (int32_t)longer);
    TF_Output behind = weir_sub(builder, "behind", flat, count);
    places places;
    places.piece = weir_maximum(builder, "piece", weir_floor_div(builder, "early", flat, more),
                                weir_floor_div(builder, "late", behind, less));
    places.row = weir_select_v2(builder, "row", weir_less(builder, "is_early", places.piece, count),
                                weir_floor_mod(builder, "early_row", flat, more),
                                weir_floor_mod(builder, "late_row", behind, less));
    return places;
}

/* The shape of |indices|, followed by that of a row. */
static TF_Output result_shape(weir_builder *builder, const variable *piece, TF_Output indices)
{
    int32_t dims[LARGEST_RANK];
    for (int i = 1; i < piece->rank; i++)
        dims[i - 1] = (int32_t)piece->dims[i];
    TF_Output parts[] = {weir_shape(builder, "ids_shape", indices, NULL),
                         vector(builder, "row_shape", dims, piece->rank - 1)};
    return weir_concat_v2(builder, "shape", parts, 2, weir_build_int32(builder, "axis", 0));
}

/* ---- entry point ----------------------------------------------------------------------------- */

/* Partitions the indices, and stitches the gathered rows together. */
static TF_Output gather_pieces(weir_trainer *trainer, const cut *cut, TF_Output indices)
{
    weir_builder *builder = trainer->b;
    variable *const *pieces = &trainer->variables.at[cut->first];
    int64_t longer = 0, least = pieces[cut->count - 1]->dims[0];
    for (int i = 0; i < cut->count; i++)
        longer += pieces[i]->dims[0] > least;
    TF_Output ids = weir_cast(builder, "ids", indices, TF_INT32, NULL);
    TF_Output flat = weir_reshape(builder, "flat", ids, vector(builder, "all", (int32_t[]){-1}, 1));
    places at = find_places(builder, flat, least, longer);
    TF_Output order =
        weir_range(builder, "order", weir_build_int32(builder, "first", 0),
                   weir_size(builder, "size", flat, NULL), weir_build_int32(builder, "one", 1));
    weir_outputs rows = weir_dynamic_partition(builder, "rows", at.row, at.piece, cut->count);
    weir_outputs back = weir_dynamic_partition(builder, "back", order, at.piece, cut->count);
    TF_Output *taken = WEIR_NEW_ARRAY(TF_Output, 2 * cut->count), *backs = taken + cut->count;
    for (int i = 0; i < cut->count && !weir_trainer_failed(trainer); i++) {
        taken[i] = rows_of(builder, "piece_rows", pieces[i]->value, weir_output_at(rows, i));
        backs[i] = weir_output_at(back, i);
    }
    TF_Output joined = weir_dynamic_stitch(builder, "joined", backs, cut->count, taken, cut->count);
    weir_free(taken);
    return weir_reshape(builder, "rows", joined, result_shape(builder, pieces[0], indices));
}

TF_Output weir_trainer_gather(weir_trainer *trainer, const char *name, TF_Output variable_,
                              TF_Output indices)
{
    if (!variable_.oper)
        weir_build_fail(trainer->b, TF_INVALID_ARGUMENT, "There is no variable to gather rows of");
    if (weir_trainer_failed(trainer))
        return (TF_Output){0};
    for (size_t i = 0; i < trainer->cuts.count; i++)
        if (trainer->cuts.at[i].whole.oper == variable_.oper) {
            weir_build_push_scope(trainer->b, name);
            TF_Output rows = gather_pieces(trainer, &trainer->cuts.at[i], indices);
            weir_build_pop_scope(trainer->b);
            return rows;
        }
    return rows_of(trainer->b, name, variable_, indices);
}
