/* math/finite/finite_test.c - the largest and the smallest numbers, NaNs and infinities, anywhere.
 */
#include "math/finite/finite_impl.h"

#include <string.h>

#include "base/test.h"

enum { COUNT = 133 };

typedef struct kind {
    weir_elem elem;
    size_t size;
    uint64_t fine[3], bad[4];
} kind;

static const kind kinds[] = {
    {WEIR_E_f32,
     4,
     {0x7f7fffff, 0xff7fffff, 0x80000001},
     {0x7f800000, 0xff800000, 0x7fc00000, 0xff800001}},
    {WEIR_E_bf16, 2, {0x7f7f, 0xff7f, 0x8001}, {0x7f80, 0xff80, 0x7fc0, 0xff81}},
    {WEIR_E_f16, 2, {0x7bff, 0xfbff, 0x8001}, {0x7c00, 0xfc00, 0x7e00, 0xfc01}},
    {WEIR_E_f64,
     8,
     {0x7fefffffffffffff, 0xffefffffffffffff, 0x8000000000000001},
     {0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff0000000000001}},
};

static void fill(const kind *kind, char *data, uint64_t value)
{
    for (int i = 0; i < COUNT; i++)
        memcpy(data + kind->size * (size_t)i, &value, kind->size);
}

TEST(one_element_that_is_not_finite_is_found_wherever_it_is)
{
    char data[COUNT * 8];
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int fine = 0; fine < 3; fine++) {
            fill(&kinds[k], data, kinds[k].fine[fine]);
            CHECK(weir_finite(kinds[k].elem, data, COUNT) && weir_finite(kinds[k].elem, data, 0));
            for (int at = 0; at < COUNT; at++)
                for (int bad = 0; bad < 4; bad++) {
                    char *element = data + kinds[k].size * (size_t)at;
                    memcpy(element, &kinds[k].bad[bad], kinds[k].size);
                    CHECK(!weir_finite(kinds[k].elem, data, COUNT));
                    CHECK(weir_finite(kinds[k].elem, data, at));
                    memcpy(element, &kinds[k].fine[fine], kinds[k].size);
                }
        }
}

TEST(both_parts_of_complex_numbers_count_and_integers_are_finite)
{
    float parts[] = {1, 2, 3, 1.0f / 0.0f};
    int32_t ones[] = {0x7f800000, -1};
    CHECK(weir_finite(WEIR_E_c64, parts, 1) && !weir_finite(WEIR_E_c64, parts, 2));
    CHECK(weir_finite(WEIR_E_i32, ones, 2));
}

TEST_MAIN()
