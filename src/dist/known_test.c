/* dist/known_test.c - tags follow changes; repeated values are cached, within limits. */
#include "dist/known.h"

#include <stdio.h>

#include "base/room.h"
#include "base/test.h"

static weir_tensor vector(int64_t count)
{
    weir_tensor tensor;
    weir_shape shape = weir_shape_vector(count);
    CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, &shape, &tensor));
    memset(tensor.data, 0, weir_tensor_bytes(&tensor));
    return tensor;
}

/* The tag, "" for none; one of eight texts. */
static const char *tag_of(const weir_tensor *tensor)
{
    static char texts[8][300];
    static int next;
    char *text = texts[next++ % 8];
    WEIR_BUF(tag);
    bool tagged = weir_known_tag(tensor, WEIR_FLOAT, &tag);
    snprintf(text, sizeof *texts, "%s", tagged ? tag.at : "");
    return text;
}

TEST(a_tag_lasts_until_the_bytes_may_change)
{
    weir_tensor a = vector(10000), b = weir_tensor_share(&a);
    const char *first = tag_of(&a);
    CHECK(*first);
    CHECK_STR(tag_of(&b), first);
    CHECK_OK(weir_tensor_own(&b)); /* a copy: |a| is unchanged */
    CHECK_STR(tag_of(&a), first);
    CHECK(strcmp(tag_of(&b), first) != 0);
    CHECK_OK(weir_tensor_own(&a)); /* the only reference: it is changed in place */
    CHECK(*tag_of(&a) && strcmp(tag_of(&a), first) != 0);
    weir_tensor_release(&a);
    weir_tensor_release(&b);
}

TEST(a_tag_says_what_of_a_buffer_is_sent)
{
    weir_tensor all = vector(30000), part = weir_tensor_share(&all), other, bits;
    part.shape.dims[0] = 20000;
    other = part;
    other.data = (float *)part.data + 5;
    bits = part;
    bits.dtype = WEIR_INT32;
    const char *tags[] = {tag_of(&all), tag_of(&part), tag_of(&other), tag_of(&bits)};
    WEIR_BUF(narrow);
    CHECK(weir_known_tag(&all, WEIR_HALF, &narrow));
    for (int i = 0; i < 4; i++) {
        CHECK(*tags[i] && !weir_str_is(weir_view(&narrow), tags[i]));
        for (int k = 0; k < i; k++)
            CHECK(strcmp(tags[i], tags[k]) != 0);
    }
    weir_tensor_release(&all);
    weir_tensor_release(&part);
}

static void keep_memory(void *data, size_t bytes, void *arg)
{
}

TEST(what_others_may_change_has_no_tag)
{
    static float memory[10000];
    weir_tensor small = vector(100), shown = vector(10000), foreign = vector(10000);
    CHECK_STR(tag_of(&small), "");
    CHECK(*tag_of(&shown));
    weir_buffer_show(shown.buffer);
    CHECK_STR(tag_of(&shown), "");
    weir_buffer_release(foreign.buffer);
    foreign.buffer = weir_buffer_wrap(memory, sizeof memory, keep_memory, NULL);
    foreign.data = memory;
    CHECK_STR(tag_of(&foreign), "");
    weir_tensor_release(&small);
    weir_tensor_release(&shown);
    weir_tensor_release(&foreign);
}

/* The tag of the value cached under |key|, or "". */
static const char *kept(weir_known *known, const char *key)
{
    static char text[300];
    WEIR_BUF(tag);
    weir_tensor tensor = {0};
    weir_known_find(known, weir_str_of(key), &tag, &tensor);
    CHECK((tensor.buffer != NULL) == (tag.length > 0));
    snprintf(text, sizeof text, "%s", tag.length ? tag.at : "");
    weir_tensor_release(&tensor);
    return text;
}

TEST(a_value_is_kept_when_it_came_twice_until_another_comes)
{
    weir_known *known = weir_known_create();
    weir_tensor a = vector(10000), b = vector(10000);
    weir_known_note(known, WEIR_STR("k"), WEIR_STR("1"), &a);
    CHECK_STR(kept(known, "k"), "");
    weir_known_note(known, WEIR_STR("k"), WEIR_STR("1"), &b);
    CHECK_STR(kept(known, "k"), "1");
    CHECK_STR(kept(known, "l"), "");
    CHECK_EQ(weir_known_bytes(known), 40000);
    weir_known_note(known, WEIR_STR("k"), WEIR_STR("2"), &a);
    CHECK_STR(kept(known, "k"), "");
    CHECK_EQ(weir_known_bytes(known), 0);
    weir_known_note(known, WEIR_STR("k"), WEIR_STR("2"), &a);
    CHECK_STR(kept(known, "k"), "2");
    weir_buffer_show(a.buffer); /* a program may change it */
    CHECK_STR(kept(known, "k"), "");
    weir_known_note(known, WEIR_STR("k"), WEIR_STR("2"), &b);
    CHECK_STR(kept(known, "k"), "2");
    weir_known_note(known, WEIR_STR("k"), WEIR_STR(""), &a); /* without a tag */
    CHECK_STR(kept(known, "k"), "");
    CHECK_EQ(weir_known_bytes(known), 0);
    weir_tensor_release(&a);
    weir_tensor_release(&b);
    weir_known_destroy(known);
}

TEST(what_is_remembered_is_bounded)
{
    weir_known *known = weir_known_create();
    weir_tensor a = vector(10000);
    char key[24];
    for (int i = 0; i < 20000; i++) {
        snprintf(key, sizeof key, "%d", i);
        for (int k = 0; k < 2; k++)
            weir_known_note(known, weir_str_of(key), WEIR_STR("1"), &a);
        CHECK(weir_known_bytes(known) <= 4096u * 40000);
    }
    CHECK_STR(kept(known, "19999"), "1");
    CHECK_STR(kept(known, "0"), "");
    weir_known_forget(known);
    CHECK_EQ(weir_known_bytes(known), 0);
    CHECK(weir_ref_unique(&a.buffer->ref));
    weir_tensor_release(&a);
    weir_known_destroy(known);
}

TEST(values_that_are_kept_leave_the_limit_of_memory_to_others)
{
    weir_known *known = weir_known_create();
    weir_tensor a = vector(10000);
    weir_room_set_limit(8 * 100000);
    for (int i = 0; i < 10; i++) {
        char key[] = {(char)('a' + i), 0};
        for (int k = 0; k < 2; k++)
            weir_known_note(known, weir_str_of(key), WEIR_STR("1"), &a);
    }
    CHECK_EQ(weir_known_bytes(known), 80000);
    weir_room_set_limit(0);
    weir_tensor_release(&a);
    weir_known_destroy(known);
}

TEST_MAIN()
