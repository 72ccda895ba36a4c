/* base/ref_test.c */
#include "base/ref.h"

#include "base/mem.h"
#include "base/test.h"

typedef struct link {
    weir_ref ref;
    struct link *held[2];
} link;

static int destroyed, deepest, depth;

static void destroy(weir_ref *ref)
{
    link *this_link = (link *)ref;
    destroyed++;
    depth++;
    deepest = depth > deepest ? depth : deepest;
    for (int i = 0; i < 2; i++)
        weir_ref_release((weir_ref *)this_link->held[i]);
    depth--;
    weir_free(this_link);
}

static link *make(link *first, link *second)
{
    link *made = WEIR_NEW(link);
    weir_ref_init(&made->ref, destroy);
    made->held[0] = first;
    made->held[1] = second;
    return made;
}

TEST(a_long_chain_is_destroyed_without_recursion)
{
    enum { LINKS = 1000000 };
    link *last = NULL;
    destroyed = deepest = 0;
    for (int i = 0; i < LINKS; i++)
        last = make(last, NULL);
    weir_ref_release(&last->ref);
    CHECK_EQ(destroyed, LINKS);
    CHECK(deepest < 100);
}

TEST(what_is_held_by_several_goes_with_the_last)
{
    enum { LINKS = 300 };
    link *last = make(NULL, NULL);
    destroyed = 0;
    for (int i = 1; i < LINKS; i++) {
        weir_ref_retain(&last->ref);
        last = make(last, last);
    }
    weir_ref_retain(&last->ref);
    weir_ref_release(&last->ref);
    CHECK_EQ(destroyed, 0);
    weir_ref_release(&last->ref);
    CHECK_EQ(destroyed, LINKS);
}

TEST_MAIN()
