/* data/csv_split_test.c - lines and their fields. */
#include "base/test.h"
#include "data/csv.h"

/* The fields of |line|, joined by '|'; "!" when it is refused. */
static const char *split(const char *line, char between)
{
    static char out[256];
    WEIR_BUF(b);
    WEIR_BUF(joined);
    weir_fields fields = {0};
    weir_buf_adds(&b, line);
    bool ok = weir_csv_split(&b, between, &fields);
    for (size_t i = 0; i < fields.count; i++)
        weir_buf_addf(&joined, "%s%.*s", i ? "|" : "", WEIR_STR_ARG(fields.at[i]));
    snprintf(out, sizeof out, "%s", ok ? joined.at : "!");
    weir_vec_fini(&fields);
    return out;
}

TEST(fields)
{
    CHECK_STR(split("a,b,c", ','), "a|b|c");
    CHECK_STR(split(" a , b,c \r", ','), "a|b|c");
    CHECK_STR(split("a,,", ','), "a||");
    CHECK_STR(split("\"a,b\",\"say \"\"x\"\"\",", ','), "a,b|say \"x\"|");
    CHECK_STR(split("\"\" ,1", ','), "|1");
    CHECK_STR(split("a\tb c\t", '\t'), "a|b c|");
    CHECK_STR(split("a,\"b", ','), "!");
    CHECK_STR(split("\"", ','), "!");
    CHECK_STR(split("\"a\"\"", ','), "!");
}

TEST(between)
{
    CHECK_EQ(weir_csv_between("x.csv", WEIR_STR("1,2;3,4")), ',');
    CHECK_EQ(weir_csv_between("x.csv", WEIR_STR("1;2")), ';');
    CHECK_EQ(weir_csv_between("x.TSV", WEIR_STR("1,2")), '\t');
    CHECK_EQ(weir_csv_between("x", WEIR_STR("")), ',');
}

TEST_MAIN()
