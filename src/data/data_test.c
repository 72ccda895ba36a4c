/* data/data_test.c - files of every kind, valid and damaged in many ways: a status, never a crash.
 */
#include "weir/data.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/str.h"
#include "base/test.h"
#include "data/random.h"
#include "io/deflate.h"
#include "io/file.h"
#include "io/image.h"
#include "io/record.h"

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/weir_data.XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
}

static void end_folder(void)
{
    CHECK_OK(weir_dir_delete_all(folder));
}

static void put(const char *name, weir_str bytes)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *dir = weir_strndup(path, weir_path_dir(path).length);
    CHECK_OK(weir_dir_create_all(dir));
    weir_free(dir);
    CHECK_OK(weir_file_write_all(path, bytes.at, bytes.length));
}

/* Reads two epochs; returns the code, and the number of examples. */
static TF_Code read_all(weir_data_options options, int64_t *out_count)
{
    TF_Status *status = TF_NewStatus();
    TF_Tensor *x, *y;
    int64_t count = 0;
    options.source = folder;
    options.split = "all";
    options.epochs = 2;
    options.batch = 3;
    options.label_type = TF_INT32;
    weir_data *data = weir_data_open(&options, status);
    while (data && weir_data_next(data, &x, &y, status)) {
        count += TF_Dim(x, 0);
        CHECK_EQ(TF_Dim(x, 0), TF_Dim(y, 0));
        TF_DeleteTensor(x);
        TF_DeleteTensor(y);
    }
    TF_Code code = TF_GetCode(status);
    bool named = code == TF_OK || strstr(TF_Message(status), folder) ||
                 strstr(TF_Message(status), "the model");
    CHECK_MSG(named, "names no file: %s", TF_Message(status));
    weir_data_close(data);
    TF_DeleteStatus(status);
    if (out_count)
        *out_count = count;
    return code;
}

/* |good| must be readable; random modifications of it must not crash: read or rejected. */
static void batter(const char *name, weir_str good, weir_data_options options, int64_t examples)
{
    enum { ROUNDS = 60 };
    int64_t n;
    put(name, good);
    CHECK_EQ(read_all(options, &n), TF_OK);
    CHECK_EQ(n, 2 * examples);
    weir_draws draws = weir_draws_of(1, good.length);
    char *bytes = weir_alloc(good.length + 1);
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(bytes, good.at, good.length);
        size_t length = good.length;
        int64_t head = good.length < 64 ? (int64_t)good.length : 64;
        for (int64_t k = weir_draw_below(&draws, 4); k >= 0; k--) {
            int64_t within = weir_draw(&draws) & 1 ? head : (int64_t)good.length;
            bytes[weir_draw_below(&draws, within)] = (char)weir_draw(&draws);
        }
        if (weir_draw(&draws) % 3 == 0)
            length = (size_t)weir_draw_below(&draws, (int64_t)good.length);
        put(name, (weir_str){bytes, length});
        read_all(options, NULL);
    }
    weir_free(bytes);
    put(name, good);
}

/* ---- the kinds ------------------------------------------------------------------------------- */

static void add_idx(weir_buf *buf, int rank, uint32_t total, uint32_t side)
{
    weir_buf_add(buf, (const char[]){0, 0, 8, (char)rank}, 4);
    const uint32_t dims[] = {total, side, side};
    size_t count = total;
    for (int i = 0; i < rank; i++) {
        uint32_t d = __builtin_bswap32(dims[i]);
        weir_buf_add(buf, &d, sizeof d);
        count *= i ? side : 1;
    }
    for (size_t i = 0; i < count; i++)
        weir_buf_addc(buf, (char)(i % 10));
}

TEST(idx)
{
    WEIR_BUF(images);
    WEIR_BUF(labels);
    make_folder();
    add_idx(&images, 3, 5, 6);
    add_idx(&labels, 1, 5, 0);
    put("train-labels-idx1-ubyte", weir_view(&labels));
    weir_str view = weir_view(&images);
    batter("train-images-idx3-ubyte", view, (weir_data_options){.type = TF_FLOAT}, 5);
    batter("train-images-idx3-ubyte", view,
           (weir_data_options){.type = TF_UINT8, .rank = 3, .dims = {9, 7, 3}, .augment = true}, 5);
    batter("train-labels-idx1-ubyte", weir_view(&labels), (weir_data_options){.classes = 10}, 5);
    end_folder();
}

TEST(packed_idx)
{
    WEIR_BUF(images);
    WEIR_BUF(labels);
    WEIR_BUF(packed);
    weir_deflate *z;
    make_folder();
    add_idx(&images, 3, 5, 6);
    add_idx(&labels, 1, 5, 0);
    CHECK_OK(weir_deflate_create(WEIR_PACKING_GZIP, -1, &z));
    CHECK_OK(weir_deflate_run(z, weir_view(&images), WEIR_DEFLATE_FINISH, &packed));
    weir_deflate_destroy(z);
    put("train-labels-idx1-ubyte", weir_view(&labels));
    batter("train-images-idx3-ubyte.gz", weir_view(&packed), (weir_data_options){0}, 5);
    end_folder();
}

TEST(cifar)
{
    WEIR_BUF(b);
    make_folder();
    for (int i = 0; i < 4 * 3073; i++)
        weir_buf_addc(&b, (char)(i % 3073 ? i * 7 : i / 3073));
    batter("data_batch_1.bin", weir_view(&b), (weir_data_options){0}, 4);
    end_folder();
}

static void add_jpeg(weir_buf *out)
{
    static uint8_t pixels[40 * 50 * 3];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * i / 700);
    weir_pixels p = {pixels, 40, 50, 3, 8};
    weir_jpeg_encode how = {.quality = 80, .chroma_downsampling = true};
    CHECK_OK(weir_jpeg_write(&p, &how, out));
}

static void add_png(weir_buf *out)
{
    static uint8_t pixels[20 * 30 * 3];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * 31);
    CHECK_OK(weir_png_encode(&(weir_pixels){pixels, 20, 30, 3, 8}, 1, out));
}

TEST(images)
{
    WEIR_BUF(jpeg);
    WEIR_BUF(png);
    weir_data_options o = {.rank = 3, .dims = {16, 16, 3}, .threads = 2, .augment = true};
    make_folder();
    add_jpeg(&jpeg);
    add_png(&png);
    put("b/2.png", weir_view(&png));
    batter("a/1.jpg", weir_view(&jpeg), o, 2);
    o.dims[2] = 1;
    o.augment = false;
    batter("b/2.png", weir_view(&png), o, 2);
    end_folder();
}

/* An Example {x: bytes, label: int64}. */
static void add_example(weir_buf *out, weir_str text, int label)
{
    WEIR_BUF(feature);
    WEIR_BUF(entry);
    WEIR_BUF(map);
    WEIR_BUF(record);
    weir_buf_add(&feature, (const char[]){0x0a, (char)(text.length + 2), 0x0a, (char)text.length},
                 4);
    weir_buf_add(&feature, text.at, text.length);
    weir_buf_addf(&entry, "\x0a\x01x\x12%c", (char)feature.length);
    weir_buf_add(&entry, feature.at, feature.length);
    weir_buf_addf(&map, "\x0a%c", (char)entry.length);
    weir_buf_add(&map, entry.at, entry.length);
    weir_buf_add(&map, "\x0a\x0e\x0a\x05label\x12\x05\x1a\x03\x0a\x01", 15);
    weir_buf_addc(&map, (char)label);
    weir_buf_addf(&record, "\x0a%c", (char)map.length);
    weir_buf_add(&record, map.at, map.length);
    weir_record_add(out, weir_view(&record));
}

TEST(records)
{
    WEIR_BUF(b);
    make_folder();
    for (int i = 0; i < 6; i++)
        add_example(&b, WEIR_STR("0123456789abcdef"), i);
    weir_data_options o = {.rank = 3, .dims = {4, 4, 1}, .threads = 2, .shuffle = true};
    batter("a.tfrecord", weir_view(&b), o, 6);
    end_folder();
}

/* Records with valid checksums and invalid contents. */
TEST(records_of_nonsense)
{
    weir_draws d = weir_draws_of(2, 2);
    WEIR_BUF(good);
    make_folder();
    add_example(&good, WEIR_STR("0123456789abcdef"), 1);
    weir_str in = {good.at, good.length}, record;
    CHECK_OK(weir_record_take(&in, &record));
    for (int round = 0; round < 100; round++) {
        WEIR_BUF(bad);
        WEIR_BUF(file);
        weir_buf_add(&bad, record.at, record.length);
        for (int k = 0; k < 1 + round % 3; k++)
            bad.at[weir_draw_below(&d, (int64_t)bad.length)] = (char)weir_draw(&d);
        weir_record_add(&file, record);
        weir_record_add(&file, weir_view(&bad));
        put("a.tfrecord", weir_view(&file));
        read_all((weir_data_options){.rank = 1, .dims = {16}}, NULL);
    }
    end_folder();
}

TEST(csv)
{
    make_folder();
    batter("a.csv", WEIR_STR("a,b,label\n1,2.5,0\n-3e2,4,1\n\"5\",6,2\n"), (weir_data_options){0},
           3);
    batter("a.csv", WEIR_STR("1;2.5;red\n3;4;\"dark;red\"\n5;6;red\n"), (weir_data_options){0}, 3);
    end_folder();
}

TEST(text)
{
    make_folder();
    weir_data_options o = {.type = TF_INT32, .rank = 1, .dims = {3}};
    batter("a.txt", WEIR_STR("one two one\nthree one two\nthree\n"), o, 3);
    o.classes = 256;
    batter("a.txt", WEIR_STR("one two one\nthree"), o, 5);
    end_folder();
}

TEST_MAIN()
