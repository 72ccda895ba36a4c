/* io/table_test.c - writes and reads tables; rejects corrupted ones. */
#include "io/table.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/test.h"
#include "io/file.h"
#include "io/snappy.h"

static char *path(const char *name)
{
    weir_buf buf = {0};
    weir_buf_addf(&buf, "weir_table_test.%d.%s", (int)getpid(), name);
    return weir_buf_take(&buf);
}

static void make(int count, weir_buf *out)
{
    weir_sstable_writer *writer = weir_sstable_writer_create();
    for (int i = 0; i < count; i++) {
        char key[32], value[64];
        snprintf(key, sizeof key, "key%06d", i * 2);
        snprintf(value, sizeof value, "value of %d and some more of it to fill blocks", i);
        CHECK_OK(weir_sstable_writer_add(writer, weir_str_of(key), weir_str_of(value)));
    }
    weir_sstable_writer_finish(writer, out);
    weir_sstable_writer_destroy(writer);
}

static weir_sstable *open_bytes(const char *name, weir_str bytes, weir_status *out_status)
{
    weir_sstable *table = NULL;
    CHECK_OK(weir_file_write_all(name, bytes.at, bytes.length));
    *out_status = weir_sstable_open(name, &table);
    return table;
}

TEST(finds_every_key_and_the_next_one)
{
    enum { COUNT = 20000 }; /* several blocks */
    char *name = path("many");
    WEIR_BUF(bytes);
    make(COUNT, &bytes);
    weir_status s;
    weir_sstable *t = open_bytes(name, weir_view(&bytes), &s);
    CHECK_OK(s);
    weir_sstable_cursor c = {0};
    for (int i = 0; i < COUNT; i += 997) {
        char key[32], odd[32];
        snprintf(key, sizeof key, "key%06d", i * 2);
        CHECK_OK(weir_sstable_seek(t, weir_str_of(key), &c));
        CHECK(c.valid && strcmp(c.key.at, key) == 0);
        if (i == 0)
            continue;
        snprintf(odd, sizeof odd, "key%06d", i * 2 - 1);
        CHECK_OK(weir_sstable_seek(t, weir_str_of(odd), &c));
        CHECK(c.valid && strcmp(c.key.at, key) == 0);
    }
    int seen = 0;
    CHECK_OK(weir_sstable_seek(t, WEIR_STR(""), &c));
    for (; c.valid; seen++)
        CHECK_OK(weir_sstable_next(t, &c));
    CHECK_EQ(seen, COUNT);
    CHECK_OK(weir_sstable_seek(t, WEIR_STR("z"), &c));
    CHECK(!c.valid);
    weir_sstable_cursor_fini(&c);
    weir_sstable_destroy(t);
    unlink(name);
    weir_free(name);
}

TEST(keys_must_rise)
{
    weir_sstable_writer *w = weir_sstable_writer_create();
    CHECK_OK(weir_sstable_writer_add(w, WEIR_STR(""), WEIR_STR("header")));
    CHECK_OK(weir_sstable_writer_add(w, WEIR_STR("b"), WEIR_STR("1")));
    CHECK_FAILS(weir_sstable_writer_add(w, WEIR_STR("a"), WEIR_STR("2")), WEIR_INVALID_ARGUMENT,
                "a");
    CHECK_FAILS(weir_sstable_writer_add(w, WEIR_STR("b"), WEIR_STR("2")), WEIR_INVALID_ARGUMENT,
                "b");
    weir_sstable_writer_destroy(w);
}

TEST(damaged_tables_give_a_status)
{
    char *name = path("bad");
    WEIR_BUF(bytes);
    make(50, &bytes);
    for (size_t at = 0; at < bytes.length; at += 3) {
        weir_status s;
        bytes.at[at] ^= 0x21;
        weir_sstable *t = open_bytes(name, weir_view(&bytes), &s);
        weir_sstable_cursor c = {0};
        if (!s)
            s = weir_sstable_seek(t, WEIR_STR(""), &c);
        while (!s && c.valid)
            s = weir_sstable_next(t, &c);
        weir_status_free(s);
        weir_sstable_cursor_fini(&c);
        weir_sstable_destroy(t);
        bytes.at[at] ^= 0x21;
    }
    for (size_t length = 0; length < bytes.length; length += 5) {
        weir_status s;
        weir_sstable *t = open_bytes(name, (weir_str){bytes.at, length}, &s);
        CHECK(s != WEIR_OK);
        weir_status_free(s);
        weir_sstable_destroy(t);
    }
    unlink(name);
    weir_free(name);
}

TEST(snappy_unpacks_literals_and_copies)
{
    /* 11 bytes: "ab", then 9 more that repeat from 2 back */
    static const char packed[] = "\x0b\x04"
                                 "ab"
                                 "\x15\x02";
    WEIR_BUF(out);
    CHECK_OK(weir_snappy_unpack((weir_str){packed, sizeof packed - 1}, 100, &out));
    CHECK_STR(out.at, "abababababa");
    CHECK_FAILS(weir_snappy_unpack((weir_str){packed, sizeof packed - 1}, 5, &out), WEIR_DATA_LOSS,
                "length");
    static const char *const bad[] = {"\x05\x01\x09",
                                      "\x02\x10"
                                      "a",
                                      "\x05\x04"
                                      "ab",
                                      "\xff", ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_FAILS(weir_snappy_unpack(weir_str_of(bad[i]), 100, &out), WEIR_DATA_LOSS, "snappy");
}

TEST_MAIN()
