/* wire/message_read.c - the generic parser: bytes become the structs of messages.h.
 *
 * It never reads past its input, allocates in proportion to it, and recurses no deeper than
 * WEIR_MESSAGE_DEPTH. The first failure is kept and ends the parsing.
 */
#include "base/utf8.h"
#include "wire/message_impl.h"

typedef struct reader {
    weir_arena *arena;
    const char *start; /* of the outermost message */
    int depth;
    const weir_message_type *type; /* of the failure: the message, ... */
    const char *why;
    size_t at; /* ... and the offset */
} reader;

static bool fail(reader *r, const weir_message_type *type, const void *at, const char *why)
{
    if (!r->why) {
        r->type = type;
        r->why = why;
        r->at = (size_t)((const char *)at - r->start);
    }
    return false;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* A list's capacity is a power of two. */
static size_t room_of(size_t count)
{
    return count < 2 ? count : (size_t)1 << (64 - __builtin_clzll(count - 1));
}

/* Extends |list| by |more| values of |bytes|, not cleared, and returns the first of them. */
static void *extend(reader *r, weir_any_list *list, size_t bytes, size_t more)
{
    size_t room = room_of(list->count + more);
    if (room > room_of(list->count)) {
        void *longer = weir_arena_alloc(r->arena, room * bytes);
        if (list->count)
            memcpy(longer, list->at, list->count * bytes);
        list->at = longer;
    }
    char *first = (char *)list->at + list->count * bytes;
    list->count += more;
    return first;
}

/* Appends one value, cleared. */
static void *append(reader *r, weir_any_list *list, size_t bytes)
{
    return memset(extend(r, list, bytes, 1), 0, bytes);
}

/* The last field with its tag. */
static weir_str raw_field(const weir_pb *pb)
{
    return (weir_str){(const char *)pb->begin, (size_t)(pb->at - pb->begin)};
}

static void keep_unknown(reader *r, const weir_pb *pb, void *out)
{
    weir_any_list *unknown = out; /* the first member of every struct */
    weir_str raw = raw_field(pb);
    weir_str *last = unknown->count ? (weir_str *)unknown->at + unknown->count - 1 : NULL;
    if (last && last->at + last->length == raw.at)
        last->length += raw.length;
    else
        *(weir_str *)append(r, unknown, sizeof raw) = raw;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool read_fields(reader *r, const weir_message_type *type, weir_str bytes, void *out);

static bool read_inner(reader *r, const weir_field *f, weir_str bytes, void *out)
{
    const weir_message_type *type = &weir_message_types[f->of];
    if (r->depth == WEIR_MESSAGE_DEPTH)
        return fail(r, type, bytes.at, "nested too deeply");
    r->depth++;
    bool ok = read_fields(r, type, bytes, out);
    r->depth--;
    return ok;
}

/* A message in several parts is their concatenation. */
static weir_str join(reader *r, weir_str first, weir_str second)
{
    if (!first.length)
        return second;
    char *both = weir_arena_alloc(r->arena, first.length + second.length);
    memcpy(both, first.at, first.length);
    memcpy(both + first.length, second.at, second.length);
    return (weir_str){both, first.length + second.length};
}

/* Parses one value into a member, or into an element of a list. */
static bool read_value(reader *r, const weir_field *f, const weir_pb *pb, void *member)
{
    switch (f->type) {
    case WEIR_TYPE_STRING:
        if (!weir_utf8_valid(pb->bytes))
            return false;
        *(weir_str *)member = pb->bytes;
        return true;
    case WEIR_TYPE_BYTES:
        *(weir_str *)member = pb->bytes;
        return true;
    case WEIR_TYPE_LAZY:
        *(weir_str *)member = join(r, *(weir_str *)member, pb->bytes);
        return true;
    case WEIR_TYPE_GROUP:
        *(weir_str *)member = raw_field(pb);
        return true;
    case WEIR_TYPE_MESSAGE: {
        if (weir_field_is_list(f))
            return read_inner(r, f, pb->bytes, member);
        weir_any_pointer *inner = member;
        if (!*inner)
            *inner = weir_arena_zalloc(r->arena, weir_message_types[f->of].bytes);
        return read_inner(r, f, pb->bytes, *inner);
    }
    default:
        weir_field_store((weir_field_type)f->type, pb->value, member);
        return true;
    }
}

static size_t count_varints(weir_str bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes.length; i++)
        count += !(bytes.at[i] & 0x80);
    return count;
}

static bool read_packed(reader *r, const weir_field *f, weir_pb *pb, weir_any_list *list)
{
    weir_pb_type element = weir_field_wire_type(f);
    size_t bytes = weir_field_bytes(f);
    if (element != WEIR_PB_VARINT) {
        if (pb->bytes.length % bytes)
            return false;
        void *to = extend(r, list, bytes, pb->bytes.length / bytes);
        if (pb->bytes.length)
            memcpy(to, pb->bytes.at, pb->bytes.length);
        return true;
    }
    char *to = extend(r, list, bytes, count_varints(pb->bytes));
    const uint8_t *at = (const uint8_t *)pb->bytes.at, *end = at + pb->bytes.length;
    for (uint64_t bits; at < end; to += bytes) {
        if (!weir_varint_get(&at, end, &bits))
            return false;
        weir_field_store((weir_field_type)f->type, bits, to);
    }
    return true;
}

/* Sets the case of a oneof, replacing another case. */
static void choose(const weir_message_type *type, const weir_field *f, void *out)
{
    uint32_t *which = weir_which(f, out);
    if (*which == f->number)
        return;
    const weir_field *before = *which ? weir_message_field(type, *which) : NULL;
    if (before)
        memset(weir_member(before, out), 0, weir_field_bytes(before));
    *which = f->number;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static bool read_field(reader *r, const weir_message_type *type, const weir_field *f, weir_pb *pb,
                       void *out)
{
    void *member = weir_member(f, out);
    if (weir_field_is_list(f)) {
        if (pb->type != weir_field_wire_type(f))
            return read_packed(r, f, pb, member);
        return read_value(r, f, pb, append(r, member, weir_field_bytes(f)));
    }
    if (f->label == WEIR_LABEL_CASE)
        choose(type, f, out);
    else if (f->label == WEIR_LABEL_OPTIONAL)
        *weir_has(f, out) = true;
    return read_value(r, f, pb, member);
}

/* Fields are mostly in order of their numbers: the search starts at the last one found. */
static const weir_field *find(const weir_message_type *type, uint32_t number, int *at)
{
    for (int i = *at; i < type->field_count && type->fields[i].number <= number; i++)
        if (type->fields[i].number == number)
            return &type->fields[*at = i];
    for (int i = 0; i < *at; i++)
        if (type->fields[i].number == number)
            return &type->fields[*at = i];
    return NULL;
}

static bool fits(const weir_field *f, const weir_pb *pb)
{
    weir_pb_type type = weir_field_wire_type(f);
    return pb->type == type || (pb->type == WEIR_PB_LEN && weir_field_is_list(f));
}

static bool read_whole(reader *r, const weir_message_type *type, weir_pb *pb, void *out)
{
    for (int at = 0; weir_pb_next(pb);) {
        const weir_field *f = find(type, pb->field, &at);
        if (!f || !fits(f, pb))
            keep_unknown(r, pb, out);
        else if (!read_field(r, type, f, pb, out))
            return fail(r, type, pb->begin,
                        f->type == WEIR_TYPE_STRING ? "text that is not UTF-8" : "a bad field");
    }
    return true;
}

static bool read_fields(reader *r, const weir_message_type *type, weir_str bytes, void *out)
{
    weir_pb pb = weir_pb_reader(bytes);
    if (!read_whole(r, type, &pb, out))
        return false;
    return weir_pb_ok(&pb) || fail(r, type, pb.begin, "an incomplete field");
}

static weir_status failure(const reader *r, const weir_message_type *type)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable %s: %s in %s at byte %zu", type->name,
                      r->why, r->type->name, r->at);
}

weir_status weir_message_read(const weir_message_type *type, weir_str bytes, weir_arena *arena,
                              void *out_message)
{
    reader r = {.arena = arena, .start = bytes.at};
    memset(out_message, 0, type->bytes);
    return read_fields(&r, type, bytes, out_message) ? WEIR_OK : failure(&r, type);
}

/* ---- the first bytes of a message ------------------------------------------------------------ */

/* Finds the field that is truncated at pb->begin; false if the failure has another cause. */
static bool find_cut(const weir_pb *pb, const char *start, weir_message_cut *out)
{
    enum { LONGEST_VARINT = 10 };
    const uint8_t *at = pb->begin;
    uint64_t tag;
    bool has_tag = weir_varint_get(&at, pb->end, &tag);
    if (has_tag && (tag & 7) == WEIR_PB_LEN && weir_varint_get(&at, pb->end, &out->length)) {
        out->field = (uint32_t)(tag >> 3);
        out->at = (size_t)((const char *)at - start);
        return true;
    }
    out->length = 0;
    out->unfinished = true;
    return pb->end - at < LONGEST_VARINT;
}

weir_status weir_message_read_head(const weir_message_type *type, weir_str head, weir_arena *arena,
                                   void *out_message, weir_message_cut *out_cut)
{
    reader r = {.arena = arena, .start = head.at};
    weir_pb pb = weir_pb_reader(head);
    memset(out_message, 0, type->bytes);
    *out_cut = (weir_message_cut){0};
    bool ok = read_whole(&r, type, &pb, out_message);
    if (ok && !weir_pb_ok(&pb) && !find_cut(&pb, head.at, out_cut))
        ok = fail(&r, type, pb.begin, "an incomplete field");
    return ok ? WEIR_OK : failure(&r, type);
}
