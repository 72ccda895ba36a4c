/*
 * io/hdf5.c - HDF5 files, as far as needed to list their arrays. Numbers are little-endian;
 * addresses and lengths have eight bytes (files with others are refused).
 *
 *   superblock    89 "HDF\r\n" 1a "\n", 8 u8 version. 0, 1: the root's header's address at 64, 68;
 *                 13 and 14 u8 bytes of an address and a length. 2, 3: the address at 36; 9 and 10
 *   header 1      u8 1, u8, u16, u32, u32 bytes of messages, u32; messages from 16: u16 type,
 *                 u16 bytes, u8 flags, 3 bytes, data
 *   header 2      "OHDR", u8 2, u8 flags (1 << (flags & 3): width of the size; 4: messages have an
 *                 order; 16: 4 bytes more; 32: 16 bytes of times), size, messages: u8 type,
 *                 u16 bytes, u8 flags, [u16 order], data. A continuation begins "OCHK" and ends in
 *                 a checksum of 4 bytes
 *   messages      1 dataspace, 2 link info, 3 datatype, 6 link, 12 attribute, 16 continuation
 *                 (address, bytes), 17 symbol table (B-tree, heap)
 *   B-tree        "TREE", u8 0, u8 level, u16 entries, 16 bytes, then key and child by turns;
 *                 children of level 0 are symbol nodes
 *   symbol node   "SNOD", u8, u8, u16 entries, then 40 bytes each: place of the name in the heap,
 *                 address of the header, 24 bytes
 *   heap          "HEAP", 4 bytes, u64 bytes, u64, u64 address of the names
 *   global heap   "GCOL", 4 bytes, u64 bytes, objects: u16 index, u16, u32, u64 bytes, data to a
 *                 multiple of 8
 */
#include "io/hdf5.h"

#include <inttypes.h>

#include "base/bytes.h"

/* Limits on the work that a file can cause. */
enum {
    MOST_OBJECTS = 1 << 20, /* headers, nodes, messages, heap steps, counted on each read */
    DEEPEST = 64,
    MOST_BLOCKS = 4096,
    MOST_PATH_BYTES = 64 << 20, /* of all paths together */
};
#define MOST_ELEMENTS ((uint64_t)1 << 56)
#define UNDEFINED UINT64_MAX

typedef struct text {
    weir_str name, value;
} text;

struct weir_hdf5 {
    weir_str bytes;
    weir_arena arena;
    WEIR_VEC(weir_tensor_info) arrays;
    WEIR_VEC(text) texts; /* of the root */
    int64_t objects;      /* so far, counted as for MOST_OBJECTS */
    size_t path_bytes;    /* of the paths so far */
};

/* Collected from an object's messages. */
typedef struct object {
    bool has_space, has_type;
    weir_shape shape;
    weir_dtype dtype;
    uint64_t tree, heap; /* of a group's symbol table; UNDEFINED: none */
} object;

typedef struct place {
    weir_str path; /* of the group or array; "" for the root */
    int depth;
} place;

static weir_status read_object(weir_hdf5 *file, uint64_t address, place at);

bool weir_hdf5_is(weir_str bytes)
{
    return bytes.length >= 8 && memcmp(bytes.at, "\x89HDF\r\n\x1a\n", 8) == 0;
}

static weir_status damaged(uint64_t address, const char *what)
{
    return weir_error(WEIR_DATA_LOSS, "HDF5: %s at byte %" PRIu64, what, address);
}

static weir_status view(const weir_hdf5 *file, uint64_t address, uint64_t length, weir_str *out)
{
    if (address > file->bytes.length || length > file->bytes.length - address)
        return damaged(address, "something that ends behind the file");
    *out = (weir_str){file->bytes.at + address, (size_t)length};
    return WEIR_OK;
}

/* The same bytes may be referenced many times, so each read is counted. */
static weir_status count_object(weir_hdf5 *file)
{
    if (++file->objects > MOST_OBJECTS)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "HDF5: more than %d objects", MOST_OBJECTS);
    return WEIR_OK;
}

/* |length| bytes that begin with |magic|. */
static weir_status block(weir_hdf5 *file, uint64_t address, const char *magic, uint64_t length,
                         weir_str *out)
{
    WEIR_TRY(count_object(file));
    WEIR_TRY(view(file, address, length, out));
    if (memcmp(out->at, magic, strlen(magic)) != 0)
        return damaged(address, "no block of the kind that should be there");
    return WEIR_OK;
}

/* ---- types and shapes ------------------------------------------------------------------------ */

/* Type classes. */
enum { FIXED = 0, FLOATING = 1, TEXT = 3, COMPOUND = 6, ENUMERATION = 8, VARIABLE = 9 };

static weir_dtype number_type(const uint8_t *bytes, size_t length)
{
    static const uint8_t sizes[] = {1, 2, 4, 8};
    static const weir_dtype with_sign[] = {WEIR_INT8, WEIR_INT16, WEIR_INT32, WEIR_INT64};
    static const weir_dtype without[] = {WEIR_UINT8, WEIR_UINT16, WEIR_UINT32, WEIR_UINT64};
    static const weir_dtype real[] = {(weir_dtype)0, WEIR_HALF, WEIR_FLOAT, WEIR_DOUBLE};
    bool floating = (bytes[0] & 15) == FLOATING, is_signed = bytes[1] & 8;
    uint64_t size = weir_le_get(bytes + 4, 4);
    if (floating && size == 2 && length > 13 && bytes[13] == 8) /* bits of the exponent */
        return WEIR_BFLOAT16;
    for (int i = 0; i < 4; i++)
        if (sizes[i] == size)
            return floating ? real[i] : is_signed ? with_sign[i] : without[i];
    return (weir_dtype)0;
}

static weir_dtype type_of(weir_str data)
{
    const uint8_t *bytes = (const uint8_t *)data.at;
    if (data.length < 8)
        return (weir_dtype)0;
    uint64_t size = weir_le_get(bytes + 4, 4);
    switch (bytes[0] & 15) {
    case FIXED:
    case FLOATING:
        return number_type(bytes, data.length);
    case TEXT:
    case VARIABLE:
        return WEIR_STRING;
    case ENUMERATION: /* h5py's booleans */
        return size == 1 ? WEIR_BOOL : (weir_dtype)0;
    case COMPOUND: /* h5py's complex numbers */
        return size == 8 ? WEIR_COMPLEX64 : size == 16 ? WEIR_COMPLEX128 : (weir_dtype)0;
    default:
        return (weir_dtype)0;
    }
}

static weir_status read_space(uint64_t address, weir_str data, weir_shape *out)
{
    size_t head = data.length && data.at[0] == 1 ? 8 : 4;
    size_t rank = data.length >= 4 ? (uint8_t)data.at[1] : 0;
    if (data.length < head + 8 * rank)
        return damaged(address, "a shape that is cut short");
    if (rank > WEIR_MAX_RANK)
        return weir_error(WEIR_UNIMPLEMENTED, "HDF5: an array of %zu dimensions", rank);
    out->rank = (int)rank;
    size_t elements = 1;
    for (size_t i = 0; i < rank; i++) {
        uint64_t dim = weir_le_get(data.at + head + 8 * i, 8);
        if (dim > MOST_ELEMENTS || !weir_size_mul(elements, dim ? dim : 1, &elements) ||
            elements > MOST_ELEMENTS)
            return damaged(address, "a shape that is too large");
        out->dims[i] = (int64_t)dim;
    }
    return WEIR_OK;
}

/* ---- attributes of the root ------------------------------------------------------------------ */

/* Object |index| of the global heap at |address|. */
static weir_status heap_object(weir_hdf5 *file, uint64_t address, uint64_t index, weir_str *out)
{
    weir_str head, heap;
    WEIR_TRY(block(file, address, "GCOL", 16, &head));
    WEIR_TRY(view(file, address, weir_le_get(head.at + 8, 8), &heap));
    for (size_t at = 16; at + 16 <= heap.length;) {
        uint64_t bytes = weir_le_get(heap.at + at + 8, 8);
        WEIR_TRY(count_object(file));
        if (bytes > heap.length - at - 16)
            break;
        if (weir_le_get(heap.at + at, 2) == index) {
            *out = (weir_str){heap.at + at + 16, (size_t)bytes};
            return WEIR_OK;
        }
        at += 16 + (size_t)(bytes + 7) / 8 * 8;
    }
    return damaged(address, "a heap without what it should hold");
}

static weir_status add_text(weir_hdf5 *file, weir_str name, int class, weir_str data)
{
    weir_str value = data;
    if (class == VARIABLE) {
        if (data.length < 16)
            return WEIR_OK;
        uint64_t length = weir_le_get(data.at, 4);
        WEIR_TRY(
            heap_object(file, weir_le_get(data.at + 4, 8), weir_le_get(data.at + 12, 4), &value));
        value.length = length < value.length ? (size_t)length : value.length;
    }
    value.length = strnlen(value.at, value.length);
    weir_vec_push(&file->texts, ((text){name, value}));
    return WEIR_OK;
}

/* u8 version, u8, u16 bytes of name, type and space, [u8 of version 3], these (in version 1 to
 * multiples of 8), the value. */
static weir_status read_attribute(weir_hdf5 *file, uint64_t address, weir_str data)
{
    int version = data.length ? data.at[0] : 0;
    size_t at = version == 3 ? 9 : 8, from[4] = {at};
    if (data.length < at)
        return damaged(address, "an attribute that is cut short");
    for (int i = 0; i < 3; i++) {
        size_t bytes = (size_t)weir_le_get(data.at + 2 + 2 * i, 2);
        from[i + 1] = from[i] + (version == 1 ? (bytes + 7) / 8 * 8 : bytes);
    }
    size_t name_bytes = (size_t)weir_le_get(data.at + 2, 2);
    if (from[3] > data.length || from[2] - from[1] < 8)
        return damaged(address, "an attribute that is cut short");
    weir_str name = {data.at + from[0], strnlen(data.at + from[0], name_bytes)};
    int class = data.at[from[1]] & 15;
    if (class != TEXT && class != VARIABLE)
        return WEIR_OK;
    return add_text(file, name, class, (weir_str){data.at + from[3], data.length - from[3]});
}

/* ---- groups ---------------------------------------------------------------------------------- */

static weir_status read_child(weir_hdf5 *file, weir_str name, uint64_t address, place parent)
{
    WEIR_BUF(path);
    if (parent.depth >= DEEPEST)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "HDF5: groups deeper than %d", DEEPEST);
    file->path_bytes += parent.path.length + name.length + 1;
    if (name.length > MOST_PATH_BYTES || file->path_bytes > MOST_PATH_BYTES)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "HDF5: names of more than %d MiB together",
                          MOST_PATH_BYTES >> 20);
    weir_buf_addf(&path, "%.*s%s%.*s", WEIR_STR_ARG(parent.path), parent.path.length ? "/" : "",
                  WEIR_STR_ARG(name));
    weir_str kept = {weir_arena_strndup(&file->arena, path.at, path.length), path.length};
    return read_object(file, address, (place){kept, parent.depth + 1});
}

static weir_status read_symbols(weir_hdf5 *file, uint64_t address, weir_str names, place at)
{
    weir_str node;
    WEIR_TRY(block(file, address, "SNOD", 8, &node));
    uint64_t count = weir_le_get(node.at + 6, 2);
    WEIR_TRY(view(file, address, 8 + 40 * count, &node));
    for (uint64_t i = 0; i < count; i++) {
        const char *entry = node.at + 8 + 40 * i;
        uint64_t from = weir_le_get(entry, 8);
        if (from >= names.length)
            return damaged(address, "a name outside of the heap");
        weir_str name = {names.at + from, strnlen(names.at + from, names.length - from)};
        WEIR_TRY(read_child(file, name, weir_le_get(entry + 8, 8), at));
    }
    return WEIR_OK;
}

/* |above| is the level of the node's parent: levels decrease, so a node cannot be its own child. */
static weir_status read_tree(weir_hdf5 *file, uint64_t address, int above, weir_str names, place at)
{
    weir_str node;
    WEIR_TRY(block(file, address, "TREE", 24, &node));
    int level = (uint8_t)node.at[5];
    uint64_t count = weir_le_get(node.at + 6, 2);
    if (level >= above)
        return damaged(address, "a tree that leads back into itself");
    WEIR_TRY(view(file, address, 24 + 16 * count, &node));
    for (uint64_t i = 0; i < count; i++) {
        uint64_t child = weir_le_get(node.at + 32 + 16 * i, 8);
        WEIR_TRY(level == 0 ? read_symbols(file, child, names, at)
                            : read_tree(file, child, level, names, at));
    }
    return WEIR_OK;
}

static weir_status read_group(weir_hdf5 *file, const object *object, place at)
{
    weir_str heap, names;
    WEIR_TRY(block(file, object->heap, "HEAP", 32, &heap));
    WEIR_TRY(view(file, weir_le_get(heap.at + 24, 8), weir_le_get(heap.at + 8, 8), &names));
    return read_tree(file, object->tree, 256, names, at);
}

/* u8 1, u8 flags, [u8 kind], [u64 order], [u8 letters], length of the name, name, address. */
static weir_status read_link(weir_hdf5 *file, uint64_t address, weir_str data, place at)
{
    if (data.length < 2)
        return damaged(address, "a link that is cut short");
    int flags = (uint8_t)data.at[1], width = 1 << (flags & 3);
    size_t from = 2;
    bool hard = !(flags & 8) || (data.length > 2 && data.at[2] == 0);
    from += (flags & 8 ? 1 : 0) + (flags & 4 ? 8 : 0) + (flags & 16 ? 1 : 0);
    if (data.length < from + (size_t)width)
        return damaged(address, "a link that is cut short");
    uint64_t length = weir_le_get(data.at + from, width);
    from += (size_t)width;
    if (!hard)
        return WEIR_OK;
    if (length > data.length - from || data.length - from - length < 8)
        return damaged(address, "a link that is cut short");
    weir_str name = {data.at + from, (size_t)length};
    return read_child(file, name, weir_le_get(data.at + from + length, 8), at);
}

/* ---- objects --------------------------------------------------------------------------------- */

enum {
    SPACE = 1,
    LINK_INFO = 2,
    TYPE = 3,
    LINK = 6,
    ATTRIBUTE = 12,
    CONTINUATION = 16,
    SYMBOLS = 17
};

/* u8 0, u8 flags, [u64 largest order], u64 heap of the links, unless they are messages. */
static weir_status check_links(uint64_t address, weir_str data)
{
    size_t at = data.length >= 2 && data.at[1] & 1 ? 10 : 2;
    if (data.length >= at + 8 && weir_le_get(data.at + at, 8) != UNDEFINED)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "HDF5: a group of many links in the newer layout at byte %" PRIu64,
                          address);
    return WEIR_OK;
}

static weir_status read_message(weir_hdf5 *file, uint64_t address, int type, weir_str data,
                                place at, object *object)
{
    switch (type) {
    case SPACE:
        object->has_space = true;
        return read_space(address, data, &object->shape);
    case TYPE:
        object->has_type = true;
        object->dtype = type_of(data);
        return WEIR_OK;
    case SYMBOLS:
        if (data.length < 16)
            return damaged(address, "a symbol table that is cut short");
        object->tree = weir_le_get(data.at, 8);
        object->heap = weir_le_get(data.at + 8, 8);
        return WEIR_OK;
    case LINK_INFO:
        return check_links(address, data);
    case LINK:
        return read_link(file, address, data, at);
    case ATTRIBUTE:
        return at.depth == 0 ? read_attribute(file, address, data) : WEIR_OK;
    default:
        return WEIR_OK;
    }
}

/* The blocks of an object's messages: the header's own first, then continuations. */
typedef struct blocks {
    WEIR_VEC(weir_str) at;
    size_t head; /* bytes before a message's data */
    bool second; /* of a header of version 2 */
} blocks;

static weir_status continue_at(weir_hdf5 *file, uint64_t address, weir_str data, blocks *blocks)
{
    weir_str more;
    if (data.length < 16 || blocks->at.count >= MOST_BLOCKS)
        return damaged(address, "a continuation that leads nowhere");
    uint64_t from = weir_le_get(data.at, 8), bytes = weir_le_get(data.at + 8, 8);
    if (blocks->second && bytes < 8)
        return damaged(address, "a continuation that is cut short");
    WEIR_TRY(blocks->second ? block(file, from, "OCHK", bytes, &more)
                            : view(file, from, bytes, &more));
    if (blocks->second)
        more = (weir_str){more.at + 4, more.length - 8};
    weir_vec_push(&blocks->at, more);
    return WEIR_OK;
}

static weir_status read_block(weir_hdf5 *file, weir_str data, blocks *blocks, place at,
                              object *object)
{
    while (data.length >= blocks->head) {
        uint64_t address = (uint64_t)(data.at - file->bytes.at);
        int type = (int)weir_le_get(data.at, blocks->second ? 1 : 2);
        uint64_t bytes = weir_le_get(data.at + (blocks->second ? 1 : 2), 2);
        if (bytes > data.length - blocks->head)
            return damaged(address, "a message that ends behind its block");
        weir_str message = {data.at + blocks->head, (size_t)bytes};
        WEIR_TRY(count_object(file));
        WEIR_TRY(type == CONTINUATION ? continue_at(file, address, message, blocks)
                                      : read_message(file, address, type, message, at, object));
        data = (weir_str){message.at + bytes, data.length - blocks->head - (size_t)bytes};
    }
    return WEIR_OK;
}

static weir_status first_block(weir_hdf5 *file, uint64_t address, blocks *blocks)
{
    weir_str head, data;
    WEIR_TRY(block(file, address, "", 16, &head));
    blocks->second = memcmp(head.at, "OHDR", 4) == 0;
    blocks->head = 8;
    uint64_t from = 16, bytes = weir_le_get(head.at + 8, 4);
    if (blocks->second) {
        int flags = (uint8_t)head.at[5];
        from = 6 + (flags & 32 ? 16 : 0) + (flags & 16 ? 4 : 0);
        WEIR_TRY(view(file, address, from + 8, &head));
        bytes = weir_le_get(head.at + from, 1 << (flags & 3));
        from += 1u << (flags & 3);
        blocks->head = flags & 4 ? 6 : 4;
    } else if (head.at[0] != 1)
        return damaged(address, "no header of an object");
    WEIR_TRY(view(file, address + from, bytes, &data));
    weir_vec_push(&blocks->at, data);
    return WEIR_OK;
}

static weir_status read_object(weir_hdf5 *file, uint64_t address, place at)
{
    blocks blocks = {0};
    object object = {.tree = UNDEFINED, .heap = UNDEFINED};
    weir_status status = first_block(file, address, &blocks);
    for (size_t i = 0; !status && i < blocks.at.count; i++)
        status = read_block(file, blocks.at.at[i], &blocks, at, &object);
    weir_vec_fini(&blocks.at);
    WEIR_TRY(status);
    if (object.tree != UNDEFINED)
        return read_group(file, &object, at);
    if (object.has_space && object.has_type)
        weir_vec_push(&file->arrays, ((weir_tensor_info){at.path, object.dtype, object.shape}));
    return WEIR_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

static weir_status find_root(weir_hdf5 *file, uint64_t *out_address)
{
    weir_str head;
    if (!weir_hdf5_is(file->bytes))
        return weir_error(WEIR_DATA_LOSS, "not an HDF5 file");
    WEIR_TRY(view(file, 0, 48, &head));
    int version = (uint8_t)head.at[8], widths = version < 2 ? 13 : 9;
    static const uint8_t places[] = {64, 68, 36, 36};
    if (version > 3 || head.at[widths] != 8 || head.at[widths + 1] != 8)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "HDF5: superblock %d with addresses of %d and lengths of %d bytes",
                          version, head.at[widths], head.at[widths + 1]);
    WEIR_TRY(view(file, places[version], 8, &head));
    *out_address = weir_le_get(head.at, 8);
    return WEIR_OK;
}

weir_status weir_hdf5_open(weir_str bytes, weir_hdf5 **out_file)
{
    WEIR_OWNED(weir_hdf5) file = WEIR_NEW(weir_hdf5);
    uint64_t root;
    weir_arena_init(&file->arena);
    file->bytes = bytes;
    WEIR_TRY(find_root(file, &root));
    WEIR_TRY(read_object(file, root, (place){WEIR_STR(""), 0}));
    *out_file = WEIR_TAKE(file);
    return WEIR_OK;
}

void weir_hdf5_destroy(weir_hdf5 *file)
{
    if (!file)
        return;
    weir_arena_fini(&file->arena);
    weir_vec_fini(&file->arrays);
    weir_vec_fini(&file->texts);
    weir_free(file);
}

size_t weir_hdf5_count(const weir_hdf5 *file)
{
    return file->arrays.count;
}

weir_tensor_info weir_hdf5_at(const weir_hdf5 *file, size_t i)
{
    return file->arrays.at[i];
}

bool weir_hdf5_text(const weir_hdf5 *file, const char *name, weir_str *out_text)
{
    for (size_t i = 0; i < file->texts.count; i++)
        if (weir_str_is(file->texts.at[i].name, name)) {
            *out_text = file->texts.at[i].value;
            return true;
        }
    return false;
}
