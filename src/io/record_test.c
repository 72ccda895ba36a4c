/* io/record_test.c - known bytes of records, files of every compression, and corrupted ones. */
#include "io/record.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/test.h"
#include "io/file.h"

static char *path(void)
{
    weir_buf buf = {0};
    weir_buf_addf(&buf, "weir_record_test.%d", (int)getpid());
    return weir_buf_take(&buf);
}

TEST(a_cut_record_is_told_from_a_damaged_one)
{
    WEIR_BUF(file);
    weir_record_add(&file, WEIR_STR("some bytes"));
    for (size_t length = 0; length < file.length; length++)
        CHECK(weir_record_is_cut((weir_str){file.at, length}));
    CHECK(!weir_record_is_cut(weir_view(&file)));
    file.at[13] ^= 1; /* of the bytes */
    CHECK(!weir_record_is_cut(weir_view(&file)));
    file.at[1] ^= 1; /* of the length */
    CHECK(!weir_record_is_cut(weir_view(&file)));
}

TEST(frame_as_tensorflow_writes_it)
{
    static const char expected[] = "\x02\0\0\0\0\0\0\0\x78\x27\x0b\x34hi\x13\xd6\x08\x56";
    WEIR_BUF(b);
    weir_record_add(&b, WEIR_STR("hi"));
    CHECK_EQ(b.length, sizeof expected - 1);
    CHECK(memcmp(b.at, expected, b.length) == 0);
    weir_str in = {b.at, b.length}, record;
    CHECK_OK(weir_record_take(&in, &record));
    CHECK(weir_str_is(record, "hi"));
    CHECK_FAILS(weir_record_take(&in, &record), WEIR_OUT_OF_RANGE, "eof");
    for (size_t cut = 1; cut < b.length; cut++) {
        in = (weir_str){b.at, cut};
        CHECK_FAILS(weir_record_take(&in, &record), WEIR_DATA_LOSS, "truncated");
    }
    for (size_t at = 0; at < b.length; at++) {
        b.at[at] ^= 4;
        in = weir_view(&b);
        weir_status s = weir_record_take(&in, &record);
        CHECK_EQ(weir_status_code(s), WEIR_DATA_LOSS);
        weir_status_free(s);
        b.at[at] ^= 4;
    }
}

static void write_and_read(weir_packing packing)
{
    char *name = path(), text[5000];
    weir_record_writer *writer = NULL;
    CHECK_OK(weir_record_writer_open(name, packing, false, &writer));
    for (int i = 0; i < 300; i++) {
        memset(text, 'a' + i % 26, sizeof text);
        CHECK_OK(weir_record_writer_add(writer, (weir_str){text, (size_t)i * 16}));
    }
    CHECK_OK(weir_record_writer_close(writer));
    weir_stream *stream = NULL;
    WEIR_BUF(record);
    CHECK_OK(weir_stream_open(name, packing, 777, &stream));
    for (int i = 0; i < 300; i++) {
        CHECK_OK(weir_record_read(stream, &record));
        CHECK_EQ(record.length, i * 16);
        CHECK(i == 0 || record.at[record.length - 1] == 'a' + i % 26);
    }
    CHECK_FAILS(weir_record_read(stream, &record), WEIR_OUT_OF_RANGE, "eof");
    weir_stream_destroy(stream);
    unlink(name);
    weir_free(name);
}

TEST(files_of_every_packing)
{
    write_and_read(WEIR_PACKING_NONE);
    write_and_read(WEIR_PACKING_GZIP);
    write_and_read(WEIR_PACKING_ZLIB);
}

TEST(lines)
{
    static const char text[] = "one\r\n\ntwo\nlast";
    static const char *const expected[] = {"one", "", "two", "last"};
    char *name = path();
    CHECK_OK(weir_file_write_all(name, text, sizeof text - 1));
    weir_stream *s = NULL;
    WEIR_BUF(line);
    CHECK_OK(weir_stream_open(name, WEIR_PACKING_NONE, 0, &s));
    for (int i = 0; i < 4; i++) {
        CHECK_OK(weir_stream_line(s, &line));
        CHECK_STR(line.at, expected[i]);
    }
    CHECK_FAILS(weir_stream_line(s, &line), WEIR_OUT_OF_RANGE, "eof");
    weir_stream_destroy(s);
    unlink(name);
    weir_free(name);
}

TEST(errors_name_the_file_and_say_what_errno_says)
{
    weir_rfile *f = NULL;
    CHECK_FAILS(weir_rfile_open("no_such_file", &f), WEIR_NOT_FOUND,
                "no_such_file; No such file or directory");
    CHECK_FAILS(weir_rfile_open(".", &f), WEIR_FAILED_PRECONDITION, "Is a directory");
    weir_wfile *w = NULL;
    CHECK_FAILS(weir_wfile_create("no_such_folder/x", &w), WEIR_NOT_FOUND, "no_such_folder/x");
}

TEST(a_message_that_names_the_file_is_not_given_its_name_again)
{
    CHECK_FAILS(weir_file_note(weir_file_error("pipe", ESPIPE), "pipe"), WEIR_INVALID_ARGUMENT,
                "pipe; it is a pipe or a socket, and must be a file");
    weir_status status = weir_file_note(weir_error(WEIR_DATA_LOSS, "damaged"), "a.npz");
    CHECK_STR(weir_status_message(status), "a.npz: damaged");
    weir_status_free(status);
    CHECK(!weir_file_note(WEIR_OK, "a"));
}

TEST_MAIN()
