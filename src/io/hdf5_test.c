/* io/hdf5_test.c - arrays of HDF5 files by path, and corrupted files. */
#include "io/hdf5.h"

#include "base/test.h"

static void add(weir_buf *buf, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++)
        weir_buf_addc(buf, (char)(value >> 8 * i));
}

/* A message of a header of version 1. */
static void add_message(weir_buf *buf, int type, weir_str data)
{
    add(buf, 2, (uint64_t)type), add(buf, 2, data.length), add(buf, 4, 0);
    weir_buf_add(buf, data.at, data.length);
}

static void pad_to(weir_buf *buf, size_t length)
{
    while (buf->length < length)
        weir_buf_addc(buf, 0);
}

enum { ROOT = 96, TREE = 256, NODE = 384, HEAP = 512, NAMES = 640, ARRAY = 704, ALL = 1024 };

static void add_root(weir_buf *file)
{
    WEIR_BUF(table);
    WEIR_BUF(attribute);
    add(&table, 8, TREE), add(&table, 8, HEAP);
    add(&attribute, 2, 1), add(&attribute, 2, 4), add(&attribute, 2, 8), add(&attribute, 2, 8);
    weir_buf_add(&attribute, "who\0\0\0\0\0", 8);
    add(&attribute, 4, 0x13), add(&attribute, 4, 6); /* a string of six bytes */
    add(&attribute, 8, 1);                           /* a scalar */
    weir_buf_add(&attribute, "keras\0\0\0", 8);
    add(file, 4, 1), add(file, 4, 1), add(file, 8, 16 + table.length + attribute.length);
    add_message(file, 17, weir_view(&table));
    add_message(file, 12, weir_view(&attribute));
}

static void add_group(weir_buf *file)
{
    pad_to(file, TREE);
    weir_buf_adds(file, "TREE"), add(file, 2, 0), add(file, 2, 1), add(file, 8, UINT64_MAX);
    add(file, 8, UINT64_MAX), add(file, 8, 0), add(file, 8, NODE);
    pad_to(file, NODE);
    weir_buf_adds(file, "SNOD"), add(file, 2, 1), add(file, 2, 1);
    add(file, 8, 8), add(file, 8, ARRAY);
    pad_to(file, HEAP);
    weir_buf_adds(file, "HEAP"), add(file, 4, 0), add(file, 8, 64), add(file, 8, 0);
    add(file, 8, NAMES);
    pad_to(file, NAMES + 8);
    weir_buf_adds(file, "kernel");
}

static void add_array(weir_buf *file)
{
    static const char type[] = "\x11\x20\x1f\x00\x04\x00\x00\x00"
                               "\x00\x00\x20\x00\x17\x08\x00\x17\x7f\x00\x00\x00\x00\x00\x00\x00";
    WEIR_BUF(space);
    add(&space, 1, 1), add(&space, 1, 2), add(&space, 6, 0), add(&space, 8, 5), add(&space, 8, 3);
    pad_to(file, ARRAY);
    add(file, 4, 1), add(file, 4, 1), add(file, 8, 16 + space.length + sizeof type - 1);
    add_message(file, 1, weir_view(&space));
    add_message(file, 3, (weir_str){type, sizeof type - 1});
}

/* A file of one array of [5,3] floats, "kernel". */
static void make(weir_buf *file)
{
    weir_buf_add(file, "\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0", 16);
    pad_to(file, 64);
    add(file, 8, ROOT);
    pad_to(file, ROOT);
    add_root(file);
    add_group(file);
    add_array(file);
    pad_to(file, ALL);
}

TEST(an_array_is_found_by_its_path)
{
    WEIR_BUF(bytes);
    weir_hdf5 *file = NULL;
    weir_str who;
    make(&bytes);
    CHECK_OK(weir_hdf5_open(weir_view(&bytes), &file));
    CHECK_EQ(weir_hdf5_count(file), 1);
    weir_tensor_info info = weir_hdf5_at(file, 0);
    CHECK(weir_str_is(info.name, "kernel"));
    CHECK_EQ(info.dtype, WEIR_FLOAT);
    CHECK(info.shape.rank == 2 && info.shape.dims[0] == 5 && info.shape.dims[1] == 3);
    CHECK(weir_hdf5_text(file, "who", &who) && weir_str_is(who, "keras"));
    CHECK(!weir_hdf5_text(file, "what", &who));
    weir_hdf5_destroy(file);
}

/* Opens a copy whose allocation ends with the bytes. */
static weir_status try_bytes(const char *bytes, size_t length)
{
    WEIR_FREED char *copy = weir_alloc(length ? length : 1);
    weir_hdf5 *file = NULL;
    memcpy(copy, bytes, length);
    weir_status status = weir_hdf5_open((weir_str){copy, length}, &file);
    weir_hdf5_destroy(file);
    return status;
}

TEST(a_file_that_ends_early_is_refused)
{
    WEIR_BUF(bytes);
    make(&bytes);
    for (size_t length = 0; length < ARRAY; length++) {
        weir_status status = try_bytes(bytes.at, length);
        CHECK(status != WEIR_OK);
        weir_status_free(status);
    }
}

TEST(any_damaged_byte_is_answered)
{
    WEIR_BUF(bytes);
    make(&bytes);
    for (size_t i = 0; i < bytes.length; i++)
        for (int value = 0; value < 256; value += 17) {
            char was = bytes.at[i];
            bytes.at[i] = (char)value;
            weir_status_free(try_bytes(bytes.at, bytes.length));
            bytes.at[i] = was;
        }
}

TEST(a_group_that_holds_itself_ends)
{
    WEIR_BUF(bytes);
    make(&bytes);
    uint64_t root = ROOT;
    memcpy(bytes.at + NODE + 16, &root, sizeof root);
    weir_status status = try_bytes(bytes.at, bytes.length);
    CHECK_EQ(weir_status_code(status), WEIR_RESOURCE_EXHAUSTED);
    weir_status_free(status);
}

static void put(weir_buf *file, size_t at, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++)
        file->at[at + (size_t)i] = (char)(value >> 8 * i);
}

/* Many entries of a small file may refer to one name of several megabytes. */
TEST(a_name_that_is_used_again_and_again_ends)
{
    enum { ENTRIES = 200, NAME = 1 << 20, MORE = ALL };
    WEIR_BUF(bytes);
    make(&bytes);
    weir_buf_adds(&bytes, "SNOD"), add(&bytes, 2, 1), add(&bytes, 2, ENTRIES);
    for (int i = 0; i < ENTRIES; i++)
        add(&bytes, 8, 0), add(&bytes, 8, ARRAY), add(&bytes, 8, 0), add(&bytes, 8, 0),
            add(&bytes, 8, 0);
    size_t name = bytes.length;
    for (int i = 0; i < NAME; i++)
        weir_buf_addc(&bytes, 'x');
    put(&bytes, TREE + 32, 8, MORE);
    put(&bytes, HEAP + 8, 8, NAME);
    put(&bytes, HEAP + 24, 8, name);
    weir_status status = try_bytes(bytes.at, bytes.length);
    CHECK_EQ(weir_status_code(status), WEIR_RESOURCE_EXHAUSTED);
    weir_status_free(status);
}

/* Continuations may refer to the same messages repeatedly. */
TEST(messages_that_are_read_again_and_again_end)
{
    enum { MESSAGES = 2000, AGAIN = 1000 };
    WEIR_BUF(bytes);
    make(&bytes);
    size_t header = bytes.length, block = header + 16 + AGAIN * 24;
    add(&bytes, 4, 1), add(&bytes, 4, 1), add(&bytes, 8, AGAIN * 24);
    for (int i = 0; i < AGAIN; i++) {
        add(&bytes, 2, 16), add(&bytes, 2, 16), add(&bytes, 4, 0);
        add(&bytes, 8, block), add(&bytes, 8, MESSAGES * 8);
    }
    pad_to(&bytes, block + MESSAGES * 8);
    put(&bytes, 64, 8, header);
    weir_status status = try_bytes(bytes.at, bytes.length);
    CHECK_EQ(weir_status_code(status), WEIR_RESOURCE_EXHAUSTED);
    weir_status_free(status);
}

TEST_MAIN()
