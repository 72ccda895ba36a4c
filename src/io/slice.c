/* io/slice.c - slices: text, message and key forms, and copying between overlapping ones. */
#include "io/slice.h"
#include "wire/messages.h"

#include <inttypes.h>

weir_slice weir_slice_whole(int rank)
{
    weir_slice slice = {.rank = rank};
    for (int i = 0; i < rank; i++)
        slice.length[i] = -1;
    return slice;
}

bool weir_slice_is_whole(const weir_slice *slice)
{
    for (int i = 0; i < slice->rank; i++)
        if (slice->start[i] != 0 || slice->length[i] >= 0)
            return false;
    return true;
}

weir_status weir_slice_shape(const weir_slice *slice, const weir_shape *full, weir_shape *out_shape)
{
    if (slice->rank != full->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Mismatching ranks: shape = %s, slice has %d dimensions",
                          WEIR_SHAPE_STR(full), slice->rank);
    weir_shape shape = *full;
    for (int i = 0; i < slice->rank; i++) {
        if (slice->length[i] < 0)
            continue;
        if (slice->start[i] < 0 || slice->start[i] > full->dims[i] ||
            slice->length[i] > full->dims[i] - slice->start[i])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Extent in dimension %d out of bounds: shape = %s, slice starts at "
                              "%" PRId64 " and is %" PRId64 " long",
                              i, WEIR_SHAPE_STR(full), slice->start[i], slice->length[i]);
        shape.dims[i] = slice->length[i];
    }
    *out_shape = shape;
    return WEIR_OK;
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool take_number(weir_str *in, int64_t *out)
{
    size_t count = 0;
    int64_t value = 0;
    while (count < in->length && in->at[count] >= '0' && in->at[count] <= '9')
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, in->at[count++] - '0', &value))
            return false;
    *in = (weir_str){in->at + count, in->length - count};
    *out = value;
    return count > 0;
}

static bool take_char(weir_str *in, char ch)
{
    if (in->length == 0 || in->at[0] != ch)
        return false;
    *in = (weir_str){in->at + 1, in->length - 1};
    return true;
}

static bool parse_extents(weir_str text, weir_slice *out)
{
    *out = (weir_slice){0};
    if (text.length == 0)
        return true;
    do {
        if (out->rank == WEIR_MAX_RANK)
            return false;
        int i = out->rank++;
        out->length[i] = -1;
        if (take_char(&text, '-'))
            continue;
        if (!take_number(&text, &out->start[i]) || !take_char(&text, ',') ||
            !take_number(&text, &out->length[i]) || out->length[i] == 0)
            return false;
    } while (take_char(&text, ':'));
    return text.length == 0;
}

weir_status weir_slice_parse_spec(weir_str text, weir_shape *out_full, weir_slice *out_slice,
                                  weir_shape *out_shape)
{
    int64_t dims[WEIR_MAX_RANK + 1];
    int rank = 0;
    weir_str rest = text;
    for (;;) {
        weir_str before = rest;
        if (!take_number(&rest, &dims[rank]) || !take_char(&rest, ' ')) {
            rest = before;
            break;
        }
        if (++rank > WEIR_MAX_RANK)
            break;
    }
    if (rank == 0 || rank > WEIR_MAX_RANK || !parse_extents(rest, out_slice))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Need least two elements in shape_and_slice specification: %.*s",
                          WEIR_STR_ARG(text));
    WEIR_TRY(weir_shape_make(dims, rank, out_full));
    WEIR_TRY_NOTE(weir_slice_shape(out_slice, out_full, out_shape), " in '%.*s'",
                  WEIR_STR_ARG(text));
    return WEIR_OK;
}

/* ---- message --------------------------------------------------------------------------------- */

weir_status weir_slice_from_proto(const weir_msg_tensor_slice_proto *proto, weir_slice *out_slice)
{
    weir_slice slice = {.rank = (int32_t)proto->extent.count};
    bool valid = proto->extent.count <= WEIR_MAX_RANK;
    for (int i = 0; valid && i < slice.rank; i++) {
        const weir_msg_tensor_slice_proto_extent *extent = &proto->extent.at[i];
        slice.start[i] = extent->start;
        slice.length[i] = extent->which_has_length_hack ? extent->length : -1;
        valid = extent->start >= 0;
    }
    if (!valid)
        return weir_error(WEIR_DATA_LOSS, "Unparseable TensorSliceProto");
    *out_slice = slice;
    return WEIR_OK;
}

weir_msg_tensor_slice_proto weir_slice_to_proto(const weir_slice *slice, weir_arena *arena)
{
    weir_msg_tensor_slice_proto_extent *extents =
        WEIR_ARENA_ARRAY(arena, weir_msg_tensor_slice_proto_extent, slice->rank);
    for (int i = 0; i < slice->rank; i++)
        extents[i] = (weir_msg_tensor_slice_proto_extent){
            .start = slice->start[i],
            .which_has_length_hack =
                slice->length[i] < 0 ? 0 : WEIR_FIELD_tensor_slice_proto_extent_length,
            .length = slice->length[i],
        };
    return (weir_msg_tensor_slice_proto){.extent = {extents, (size_t)slice->rank}};
}

/* ---- key: numbers and strings whose bytes sort as they do ------------------------------------ */

static void put_unsigned(weir_buf *out, uint64_t value)
{
    int count = 0;
    while (count < 8 && value >> (8 * count))
        count++;
    weir_buf_addc(out, (char)count);
    while (count--)
        weir_buf_addc(out, (char)(value >> (8 * count)));
}

static void put_string(weir_buf *out, weir_str text)
{
    for (size_t i = 0; i < text.length; i++) {
        weir_buf_addc(out, text.at[i]);
        if (text.at[i] == 0)
            weir_buf_addc(out, (char)0xff);
        else if ((uint8_t)text.at[i] == 0xff)
            weir_buf_addc(out, 0);
    }
    weir_buf_add(out, "\x00\x01", 2);
}

/* n = |count| bytes hold 7n - 1 bits and a sign; the first n bits after the sign encode the length.
 * A negative number is stored as the complement of its complement. */
static void put_signed(weir_buf *out, int64_t value)
{
    uint64_t magnitude = value < 0 ? ~(uint64_t)value : (uint64_t)value;
    int count = 1;
    while (count < 10 && count * 7 - 1 < 64 && magnitude >> (count * 7 - 1))
        count++;
    uint8_t bytes[10] = {0};
    for (int i = 0; i < count && i < 8; i++)
        bytes[count - 1 - i] = (uint8_t)(magnitude >> (8 * i));
    for (int bit = 0; bit < count; bit++) /* the length, as leading ones */
        bytes[bit / 8] |= (uint8_t)(0x80 >> (bit % 8));
    for (int i = 0; i < count; i++)
        weir_buf_addc(out, (char)(value < 0 ? ~bytes[i] : bytes[i]));
}

void weir_slice_key(weir_buf *out, weir_str name, const weir_slice *slice)
{
    put_unsigned(out, 0);
    put_string(out, name);
    put_unsigned(out, (uint64_t)slice->rank);
    for (int i = 0; i < slice->rank; i++) {
        put_signed(out, slice->start[i]);
        put_signed(out, slice->length[i]);
    }
}

/* ---- copying --------------------------------------------------------------------------------- */

typedef struct box {
    int64_t start[WEIR_MAX_RANK], end[WEIR_MAX_RANK];
} box;

static box box_of(const weir_shape *full, const weir_slice *slice)
{
    box box;
    for (int i = 0; i < full->rank; i++) {
        box.start[i] = slice->start[i];
        box.end[i] = slice->length[i] < 0 ? full->dims[i] : slice->start[i] + slice->length[i];
    }
    return box;
}

/* The index of the full tensor's element |at| in the memory of |inside|. */
static int64_t offset_in(const box *inside, const int64_t *at, int rank)
{
    int64_t offset = 0;
    for (int i = 0; i < rank; i++)
        offset = offset * (inside->end[i] - inside->start[i]) + at[i] - inside->start[i];
    return offset;
}

static bool intersect(const box *a, const box *b, int rank, box *out)
{
    for (int i = 0; i < rank; i++) {
        out->start[i] = a->start[i] > b->start[i] ? a->start[i] : b->start[i];
        out->end[i] = a->end[i] < b->end[i] ? a->end[i] : b->end[i];
        if (out->start[i] >= out->end[i])
            return false;
    }
    return true;
}

/* Advances |at| to the next row (all but the last dimension) of |box|; false after the last. */
static bool next_row(const box *box, int64_t *at, int rank)
{
    for (int i = rank - 2; i >= 0; i--) {
        if (++at[i] < box->end[i])
            return true;
        at[i] = box->start[i];
    }
    return false;
}

int64_t weir_slice_copy(const weir_shape *full, const weir_slice *from_slice,
                        const weir_tensor *from, const weir_slice *to_slice, weir_tensor *to)
{
    int rank = full->rank;
    box source = box_of(full, from_slice), target = box_of(full, to_slice), common = {0};
    if (!intersect(&source, &target, rank, &common))
        return 0;
    int64_t at[WEIR_MAX_RANK], copied = 0;
    memcpy(at, common.start, sizeof at);
    int64_t row = rank ? common.end[rank - 1] - common.start[rank - 1] : 1;
    size_t size = weir_dtype_size(from->dtype);
    do {
        char *out = (char *)to->data + (size_t)offset_in(&target, at, rank) * size;
        const char *in = (const char *)from->data + (size_t)offset_in(&source, at, rank) * size;
        weir_elements_copy(from->dtype, out, in, row);
        copied += row;
    } while (next_row(&common, at, rank));
    return copied;
}
