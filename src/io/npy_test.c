/* io/npy_test.c - round trips of arrays, NumPy's own files, and corrupted ones. */
#include "io/npy.h"

#include <unistd.h>

#include "base/test.h"
#include "io/file.h"
#include "tensor/tstring.h"

static const char by_numpy[] = /* np.save of np.array([[1, 2], [3, 4]], '>i2', order='F') */
    "\x93NUMPY\x01\x00\x76\x00{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }"
    "                                                           \n"
    "\x00\x01\x00\x03\x00\x02\x00\x04";

TEST(as_numpy_wrote_it)
{
    weir_tensor t;
    CHECK_OK(weir_npy_decode((weir_str){by_numpy, sizeof by_numpy - 1}, &t));
    const int16_t want[] = {1, 2, 3, 4};
    CHECK_EQ(t.dtype, WEIR_INT16);
    CHECK(t.shape.rank == 2 && t.shape.dims[0] == 2 && t.shape.dims[1] == 2);
    CHECK(memcmp(t.data, want, sizeof want) == 0);
    weir_tensor_release(&t);
    for (size_t cut = 0; cut < sizeof by_numpy - 1; cut++) {
        weir_status s = weir_npy_decode((weir_str){by_numpy, cut}, &t);
        CHECK(s != WEIR_OK);
        weir_status_free(s);
    }
}

TEST(any_damaged_byte_is_answered)
{
    char bytes[sizeof by_numpy];
    for (size_t at = 0; at < 80; at++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(bytes, by_numpy, sizeof bytes);
            bytes[at] ^= (char)(1 << bit);
            weir_tensor t = {0};
            weir_status_free(weir_npy_decode((weir_str){bytes, sizeof bytes - 1}, &t));
            weir_tensor_release(&t);
        }
}

static weir_tensor strings(void)
{
    weir_tensor tensor;
    CHECK_OK(weir_tensor_alloc(WEIR_STRING, &(weir_shape){1, {3}}, &tensor));
    weir_tstring_set((weir_tstring *)tensor.data + 1, "weir", 4);
    weir_tstring_set((weir_tstring *)tensor.data + 2, "of a river that is long", 23);
    return tensor;
}

TEST(an_archive_there_and_back)
{
    WEIR_BUF(path);
    weir_npz_writer *w = NULL;
    weir_npz *z = NULL;
    float numbers[] = {1, -2, 3.5f};
    weir_tensor t = weir_tensor_from(WEIR_FLOAT, &(weir_shape){2, {3, 1}}, numbers), s = strings();
    weir_tensor scalar = weir_tensor_from(WEIR_BFLOAT16, &(weir_shape){0}, &(uint16_t){0x3f80});
    weir_buf_addf(&path, "weir_npy_test.%d.npz", (int)getpid());
    CHECK_OK(weir_npz_writer_create(path.at, &w));
    CHECK_OK(weir_npz_writer_add(w, WEIR_STR("a/b"), &t));
    CHECK_OK(weir_npz_writer_add(w, WEIR_STR("s"), &s));
    CHECK_OK(weir_npz_writer_add(w, WEIR_STR("one"), &scalar));
    CHECK_OK(weir_npz_writer_finish(w));

    CHECK_OK(weir_npz_open(path.at, &z));
    CHECK_EQ(weir_npz_count(z), 3);
    CHECK(weir_str_is(weir_npz_at(z, 0).name, "a/b"));
    CHECK_EQ(weir_npz_at(z, 2).dtype, WEIR_BFLOAT16);
    weir_tensor back;
    CHECK_OK(weir_npz_read(z, 0, &back));
    CHECK(weir_shape_eq(&back.shape, &t.shape) && memcmp(back.data, numbers, sizeof numbers) == 0);
    weir_tensor_release(&back);
    CHECK_OK(weir_npz_read(z, 1, &back));
    CHECK(weir_str_is(weir_tstring_get((weir_tstring *)back.data), ""));
    CHECK(weir_str_is(weir_tstring_get((weir_tstring *)back.data + 2), "of a river that is long"));
    weir_tensor_release(&back);
    weir_npz_destroy(z);

    WEIR_BUF(bytes);
    CHECK_OK(weir_file_read_all(path.at, 1 << 20, &bytes));
    for (size_t cut = 0; cut < bytes.length; cut += 7) { /* truncated files */
        CHECK_OK(weir_file_write_all(path.at, bytes.at, cut));
        weir_status failed = weir_npz_open(path.at, &z);
        CHECK(failed != WEIR_OK);
        weir_status_free(failed);
    }
    unlink(path.at);
    weir_tensor_release(&t);
    weir_tensor_release(&s);
    weir_tensor_release(&scalar);
}

TEST_MAIN()
