/* state/lookup_test.c - many keys put, found, removed and found again. */
#include "base/test.h"
#include "state/lookup.h"

static weir_lookup *make(weir_lookup_kind kind)
{
    return weir_lookup_create(
        &(weir_lookup_spec){.kind = kind, .key_dtype = WEIR_INT64, .value_dtype = WEIR_INT32});
}

static int32_t find(weir_lookup *t, int64_t key)
{
    int32_t none = -1, got = 0;
    weir_tensor k = weir_tensor_scalar(WEIR_INT64, &key), d = weir_tensor_scalar(WEIR_INT32, &none);
    weir_tensor out = weir_tensor_scalar(WEIR_INT32, &got);
    CHECK_OK(weir_lookup_find(t, &k, &d, &out));
    got = *(int32_t *)out.data;
    weir_tensor_release(&k);
    weir_tensor_release(&d);
    weir_tensor_release(&out);
    return got;
}

/* Keys step * i for i below |count|, values i. */
static void make_entries(int64_t step, int64_t count, weir_tensor *keys, weir_tensor *values)
{
    weir_shape shape = weir_shape_vector(count);
    CHECK_OK(weir_tensor_alloc(WEIR_INT64, &shape, keys));
    CHECK_OK(weir_tensor_alloc(WEIR_INT32, &shape, values));
    for (int64_t i = 0; i < count; i++) {
        ((int64_t *)keys->data)[i] = step * i;
        ((int32_t *)values->data)[i] = (int32_t)i;
    }
}

TEST(removal_keeps_the_rest)
{
    enum { COUNT = 1000 };
    weir_lookup *t = make(WEIR_LOOKUP_MUTABLE);
    weir_tensor keys, values, odd, unused;
    make_entries(3, COUNT, &keys, &values);
    CHECK_OK(weir_lookup_insert(t, &keys, &values));
    CHECK_OK(weir_lookup_insert(t, &keys, &values)); /* again: replaces */
    CHECK_EQ(weir_lookup_size(t), COUNT);
    make_entries(6, COUNT / 2, &odd, &unused); /* every second key */
    CHECK_OK(weir_lookup_remove(t, &odd));
    CHECK_EQ(weir_lookup_size(t), COUNT / 2);
    for (int i = 0; i < COUNT; i++)
        CHECK_EQ(find(t, 3 * i), i % 2 ? i : -1);
    CHECK_EQ(find(t, 1), -1);
    weir_tensor_release(&keys);
    weir_tensor_release(&values);
    weir_tensor_release(&odd);
    weir_tensor_release(&unused);
    weir_lookup_release(t);
}

TEST(a_fixed_table_is_filled_once)
{
    weir_lookup *t = make(WEIR_LOOKUP_FIXED);
    weir_tensor keys, values;
    make_entries(1, 10, &keys, &values);
    CHECK_OK(weir_lookup_fill(t, &keys, &values));
    CHECK_OK(weir_lookup_fill(t, &keys, &values));
    CHECK_EQ(find(t, 7), 7);
    weir_shape fewer = weir_shape_vector(3);
    weir_tensor some = weir_tensor_slice(&keys, 0, &fewer),
                few = weir_tensor_slice(&values, 0, &fewer);
    CHECK_FAILS(weir_lookup_fill(t, &some, &few), WEIR_FAILED_PRECONDITION, "already initialized");
    weir_tensor_release(&some);
    weir_tensor_release(&few);
    weir_tensor_release(&keys);
    weir_tensor_release(&values);
    weir_lookup_release(t);
}

TEST_MAIN()
