/* ops/common/variants_test.c - round trips of variants, and malformed input from a peer.
 */
#include "ops/common/variants.h"

#include "base/test.h"
#include "ops/data_flow/tensor_list_impl.h"
#include "tensor/proto.h"

static weir_tensor number(float f)
{
    return weir_tensor_scalar(WEIR_FLOAT, &f);
}

/* [unset, 1, unset, 2] with at most 7 elements */
static weir_tensor some_list(void)
{
    weir_tensor_list *l = weir_list_create(WEIR_FLOAT, &WEIR_SCALAR);
    l->max_elements = 7;
    CHECK_OK(weir_list_resize(l, 4));
    l->items.at[1] = number(1);
    l->items.at[3] = number(2);
    return weir_tensor_from_variant(&l->base);
}

static weir_tensor list_of(weir_tensor item)
{
    weir_tensor_list *l = weir_list_create(item.dtype, &WEIR_UNKNOWN_SHAPE);
    weir_vec_push(&l->items, item);
    return weir_tensor_from_variant(&l->base);
}

/* |t|, which it takes ownership of, after a round trip through its serialised form. */
static weir_status there_and_back(weir_tensor t, weir_tensor *out)
{
    WEIR_BUF(bytes);
    CHECK_OK(weir_tensor_encode_list(&t, &bytes));
    weir_tensor_release(&t);
    CHECK_OK(weir_tensor_parse((weir_str){bytes.at, bytes.length}, out));
    weir_status s = weir_variants_revive(out);
    if (s)
        weir_tensor_release(out);
    return s;
}

TEST(lists_come_back)
{
    weir_tensor t;
    CHECK_OK(there_and_back(some_list(), &t));
    const weir_tensor_list *l = weir_list_of(weir_tensor_variant(&t));
    CHECK(l && l->items.count == 4 && l->max_elements == 7 && l->element_shape.rank == 0);
    CHECK(!l->items.at[0].buffer && !l->items.at[2].buffer);
    CHECK_EQ(*(float *)l->items.at[3].data, 2);
    weir_tensor_release(&t);
}

TEST(lists_in_lists_come_back_to_a_depth)
{
    weir_tensor t, deep = some_list();
    for (int i = 0; i < 10; i++)
        deep = list_of(deep);
    CHECK_OK(there_and_back(deep, &t));
    const weir_tensor *at = &t;
    for (int i = 0; i < 10; i++)
        at = &weir_list_of(weir_tensor_variant(at))->items.at[0];
    CHECK_EQ(weir_list_of(weir_tensor_variant(at))->items.count, 4);
    weir_tensor_release(&t);
    deep = some_list();
    for (int i = 0; i < WEIR_VARIANT_DEPTH + 1; i++)
        deep = list_of(deep);
    weir_status s = there_and_back(deep, &t);
    CHECK_EQ(weir_status_code(s), WEIR_INVALID_ARGUMENT);
    weir_status_free(s);
}

/* Metadata of a list of two tensors. */
static weir_code code_of(const char *bytes, size_t length)
{
    weir_tensor two[] = {number(1), number(2)};
    weir_variant *v = NULL;
    weir_status s = weir_list_decode((weir_str){bytes, length}, two, 2, &v);
    weir_code code = weir_status_code(s);
    weir_status_free(s);
    if (v)
        weir_ref_release(&v->ref);
    weir_tensor_release(&two[0]);
    weir_tensor_release(&two[1]);
    return code;
}

#define CODE_OF(text) code_of(text, sizeof text - 1)

TEST(what_contradicts_itself_is_refused)
{
    CHECK_EQ(CODE_OF("\x00\x01\x07"), WEIR_CODE_OK);
    CHECK_EQ(CODE_OF("\x02\x00\x03\x01\x07"), WEIR_CODE_OK);
    CHECK_EQ(CODE_OF(""), WEIR_INVALID_ARGUMENT);                     /* nothing */
    CHECK_EQ(CODE_OF("\x00"), WEIR_INVALID_ARGUMENT);                 /* no type */
    CHECK_EQ(CODE_OF("\x00\x01"), WEIR_INVALID_ARGUMENT);             /* no limit */
    CHECK_EQ(CODE_OF("\x00\x03\x07"), WEIR_INVALID_ARGUMENT);         /* floats are no int32 */
    CHECK_EQ(CODE_OF("\x00\x7f\x07"), WEIR_INVALID_ARGUMENT);         /* no such type */
    CHECK_EQ(CODE_OF("\x02\x03\x00\x01\x07"), WEIR_INVALID_ARGUMENT); /* out of order */
    CHECK_EQ(CODE_OF("\x01\x03\x01\x07"), WEIR_INVALID_ARGUMENT);     /* index 3 of 3 */
    CHECK_EQ(CODE_OF("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), WEIR_INVALID_ARGUMENT);
    CHECK_EQ(CODE_OF("\x00\x01\x07\x12"), WEIR_INVALID_ARGUMENT); /* no shape */
}

/* Every type, truncated and with each byte changed: a status or a value, no crash. */
TEST(broken_bytes_do_no_harm)
{
    for (size_t kind = 0; kind < 2; kind++) {
        weir_tensor t = kind ? list_of(some_list()) : some_list();
        WEIR_BUF(bytes);
        CHECK_OK(weir_tensor_encode_list(&t, &bytes));
        weir_tensor_release(&t);
        for (size_t i = 0; i < 2 * bytes.length; i++) {
            weir_str in = {bytes.at, i < bytes.length ? i : bytes.length};
            char *changed = &bytes.at[i % bytes.length], kept = *changed;
            *changed ^= i < bytes.length ? 0 : (char)(0x11 << (i % 4));
            weir_status s = weir_tensor_parse(in, &t);
            if (!s) {
                s = t.dtype == WEIR_VARIANT ? weir_variants_revive(&t) : WEIR_OK;
                weir_tensor_release(&t);
            }
            weir_status_free(s);
            *changed = kept;
        }
    }
}

TEST_MAIN()
