/* base/csv_test.c - lines and their fields. */
#include "base/csv.h"
#include "base/test.h"

/* The fields of |line|, joined by '|'; "!" and the error's number when it is rejected. */
static const char *split(weir_csv csv, const char *line)
{
    static char out[256];
    WEIR_BUF(joined);
    weir_buf_adds(&joined, "");
    weir_csv_error error = weir_csv_split(&csv, weir_str_of(line));
    if (error)
        weir_buf_addf(&joined, "!%d", error);
    for (size_t i = 0; !error && i < csv.fields.count; i++)
        weir_buf_addf(&joined, "%s%.*s", i ? "|" : "", WEIR_STR_ARG(csv.fields.at[i]));
    snprintf(out, sizeof out, "%zu:%s", error ? 0 : csv.fields.count, joined.at);
    weir_csv_fini(&csv);
    return out;
}

TEST(spaces_and_quotes_are_taken_off)
{
    weir_csv commas = {.between = ','}, tabs = {.between = '\t'}, spaces = {.between = ' '};
    CHECK_STR(split(commas, "a,b,c"), "3:a|b|c");
    CHECK_STR(split(commas, " a , b,c \r"), "3:a|b|c");
    CHECK_STR(split(commas, "a,,"), "3:a||");
    CHECK_STR(split(commas, ""), "1:");
    CHECK_STR(split(commas, "\"a,b\",\"say \"\"x\"\"\","), "3:a,b|say \"x\"|");
    CHECK_STR(split(commas, "\"\"\"\"\"\",\"\"\"a\""), "2:\"\"|\"a");
    CHECK_STR(split(commas, "\"\" ,1"), "2:|1");
    CHECK_STR(split(tabs, "a\tb c\t"), "3:a|b c|");
    CHECK_STR(split(spaces, "a  b"), "3:a||b");
    CHECK_STR(split((weir_csv){.between = ',', .no_quotes = true}, "\"a,b\""), "2:\"a|b\"");
}

TEST(open_quotes_are_refused)
{
    weir_csv commas = {.between = ','}, strict = {.between = ',', .strict = true};
    CHECK_STR(split(commas, "a,\"b"), "0:!1");
    CHECK_STR(split(commas, "\""), "0:!1");
    CHECK_STR(split(commas, "\"a\"\""), "0:!1");
    CHECK_STR(split(strict, "a,\"b"), "0:!1");
}

TEST(strict_fields_are_what_they_are)
{
    weir_csv strict = {.between = ',', .strict = true};
    CHECK_STR(split(strict, ""), "0:");
    CHECK_STR(split(strict, " a , b"), "2: a | b");
    CHECK_STR(split(strict, "a,"), "2:a|");
    CHECK_STR(split(strict, "\"x\ny\",\"\"\"\""), "2:x\ny|\"");
    CHECK_STR(split(strict, "\"a\" ,b"), "0:!2");
    CHECK_STR(split(strict, "a\"b"), "0:!3");
    CHECK_STR(split(strict, "a\nb"), "0:!3");
    strict.no_quotes = true;
    CHECK_STR(split(strict, "a\"b,\"c"), "2:a\"b|\"c");
}

TEST(the_separator_is_guessed)
{
    CHECK_EQ(weir_csv_guess_between("x.csv", WEIR_STR("1,2;3,4")), ',');
    CHECK_EQ(weir_csv_guess_between("x.csv", WEIR_STR("1;2")), ';');
    CHECK_EQ(weir_csv_guess_between("x.TSV", WEIR_STR("1,2")), '\t');
    CHECK_EQ(weir_csv_guess_between("x", WEIR_STR("")), ',');
}

TEST_MAIN()
