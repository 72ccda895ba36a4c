/* io/slice_test.c - keys written by TensorFlow, specs, and overlapping copies. */
#include "io/slice.h"

#include "base/test.h"
#include "wire/messages.h"

static weir_slice spec(const char *text, weir_shape *full)
{
    weir_slice slice;
    weir_shape shape;
    CHECK_OK(weir_slice_parse_spec(weir_str_of(text), full, &slice, &shape));
    return slice;
}

TEST(key_is_the_one_tensorflow_writes)
{
    weir_shape full;
    weir_slice s = spec("5 2 0,3:0,2", &full);
    WEIR_BUF(key);
    weir_slice_key(&key, WEIR_STR("part"), &s);
    static const char expected[] = "\x00part\x00\x01\x01\x02\x80\x83\x80\x82";
    CHECK_EQ(key.length, sizeof expected - 1);
    CHECK(memcmp(key.at, expected, key.length) == 0);
    key.length = 0;
    s = weir_slice_whole(1);
    weir_slice_key(&key, WEIR_STR("p"), &s);
    CHECK(memcmp(key.at + key.length - 2, "\x80\x7f", 2) == 0);
}

TEST(long_numbers_in_keys_sort_as_numbers)
{
    static const int64_t numbers[] = {0, 63, 64, 8191, 8192, 1 << 20, 1ll << 40, INT64_MAX};
    WEIR_BUF(last);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        weir_slice s = {.rank = 1, .start = {numbers[i]}, .length = {1}};
        WEIR_BUF(key);
        weir_slice_key(&key, WEIR_STR("x"), &s);
        if (i)
            CHECK(memcmp(last.at, key.at, last.length) < 0);
        last.length = 0;
        weir_buf_add(&last, key.at, key.length);
    }
}

TEST(bad_specs_are_refused)
{
    weir_shape full, shape;
    weir_slice s;
    static const char *const bad[] = {"",          "5",     "5 2",    "5 2 0,3",
                                      "5 2 0,6:-", "5 0,a", "-1 0,1", "99999999999999999999 0,1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_FAILS(weir_slice_parse_spec(weir_str_of(bad[i]), &full, &s, &shape),
                    WEIR_INVALID_ARGUMENT, "");
}

TEST(message_round_trip)
{
    weir_shape full;
    weir_slice s = spec("5 2 1,3:-", &full), back;
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_tensor_slice_proto proto = weir_slice_to_proto(&s, &arena);
    CHECK_OK(weir_slice_from_proto(&proto, &back));
    CHECK_EQ(back.rank, s.rank);
    for (int i = 0; i < s.rank; i++)
        CHECK(back.start[i] == s.start[i] && back.length[i] == s.length[i]);
}

TEST(copies_only_what_both_have)
{
    weir_shape full;
    weir_slice a = spec("4 3 0,2:-", &full), b = spec("4 3 1,3:1,2", &full);
    float values[6] = {0, 1, 2, 3, 4, 5};
    weir_shape shape = weir_shape_matrix(2, 3), out_shape = weir_shape_matrix(3, 2);
    weir_tensor from = weir_tensor_from(WEIR_FLOAT, &shape, values), to;
    CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, &out_shape, &to));
    memset(to.data, 0, 24);
    CHECK_EQ(weir_slice_copy(&full, &a, &from, &b, &to), 2);
    CHECK_NEAR(((float *)to.data)[0], 4, 0);
    CHECK_NEAR(((float *)to.data)[1], 5, 0);
    CHECK_NEAR(((float *)to.data)[2], 0, 0);
    weir_tensor_release(&from);
    weir_tensor_release(&to);
}

TEST_MAIN()
