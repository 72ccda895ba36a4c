/* command/command_test.c - a small table of commands: parsing, running, errors, help. */
#include "command/command.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/test.h"
#include "command/complete.h"
#include "command/help.h"
#include "command/options.h"

/* ---- a program of three commands ------------------------------------------------------------- */

typedef struct brew_args {
    const char *bean;
    long cups, skip;
    double strength;
    bool loud;
    int format;
    weir_words extras;
    const char *other_name, *other_value;
} brew_args;

static brew_args seen; /* the arguments that the command was run with */
static int seen_argc, runs;
static char *seen_argv[8], *seen_extras[8];

static int brew(void *args, int argc, char **argv)
{
    seen = *(const brew_args *)args;
    seen_argc = argc;
    for (int i = 0; i < argc && i < 8; i++)
        seen_argv[i] = argv[i];
    for (int i = 0; i < seen.extras.count && i < 8; i++)
        seen_extras[i] = (char *)seen.extras.at[i];
    runs++;
    return WEIR_EXIT_OK;
}

static bool take_other(void *args, weir_str name, const char *value)
{
    brew_args *into = args;
    if (!weir_str_is(name, "water.hardness"))
        return false;
    into->other_name = "water.hardness";
    into->other_value = value;
    return true;
}

static const weir_option brew_options[] = {
    {"bean", 'b', "NAME", "which bean", WEIR_TEXT(brew_args, bean), .hint = WEIR_HINT_MODEL},
    {"cups", 'c', "N", "how many", WEIR_NUMBER(brew_args, cups)},
    {"skip", 0, "N", "leave out the first", WEIR_INDEX(brew_args, skip), .most = 9},
    {"strength", 0, "X", "how strong", WEIR_REAL(brew_args, strength)},
    {"loud", 'l', NULL, "with noise", WEIR_FLAG(brew_args, loud)},
    {"format", 'o', NULL, "how to print", WEIR_CHOICE(brew_args, format, "table|json|csv")},
    {"extra", 'x', "WHAT", "add this", WEIR_LIST(brew_args, extras), .hint = WEIR_HINT_FILE},
    {"secret", 0, NULL, "not in the help", WEIR_FLAG(brew_args, loud), .hidden = true},
};

static const weir_command command_brew = {
    .name = "brew",
    .summary = "make coffee",
    .words = "POT [CUP]",
    .least = 1,
    .most = 2,
    .about = "Makes coffee in POT.\n\n  weir brew pot\n  weir brew big-pot  # needs a big pot\n\n"
             "The end.",
    WEIR_OPTIONS(brew_options),
    WEIR_ARGS(brew_args, .bean = "arabica", .cups = 2, .strength = 1.5),
    .run = brew,
    .other = take_other,
};

static const weir_command command_rinse = {
    .name = "rinse",
    .summary = "use water",
    .about = "Rinses.",
    .run = brew,
    .args_bytes = sizeof(brew_args),
};
static const weir_command command_exec = {
    .name = "exec",
    .summary = "run a program",
    .words = "PROGRAM [WORD...]",
    .about = "Runs it.",
    .args_bytes = sizeof(brew_args),
    .run = brew,
    .ends_at_word = true,
};
static const weir_command command_hidden = {
    .name = "secret",
    .summary = "between parts",
    .about = "Hidden.",
    .hidden = true,
    .run = brew,
    .args_bytes = sizeof(brew_args),
};
static const weir_command *const clean_subs[] = {&command_rinse, &command_hidden, NULL};
static const weir_command command_clean = {
    .name = "clean",
    .summary = "clean up",
    .about = "Cleans.",
    .subs = clean_subs,
};
static const weir_command *const subs[] = {&command_brew, &command_clean, &command_exec, NULL};
static const weir_command root = {
    .name = "weir",
    .summary = "test",
    .about = "A test.",
    .subs = subs,
};

/* ---- running it, and keeping what it prints -------------------------------------------------- */

static char *printed, *complained; /* of the last call, until the next */

/* Runs the words of |line|, separated by single spaces. */
static int call(const char *line)
{
    static char words[512];
    char *argv[32], *rest = NULL;
    size_t printed_bytes, complained_bytes;
    int argc = 0;
    FILE *out = stdout, *err = stderr;
    free(printed);
    free(complained);
    stdout = open_memstream(&printed, &printed_bytes);
    stderr = open_memstream(&complained, &complained_bytes);
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok_r(words, " ", &rest); word && argc < 32;
         word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    runs = 0;
    int status = weir_command_main(&root, argc, argv);
    fclose(stdout);
    fclose(stderr);
    stdout = out;
    stderr = err;
    return status;
}

static void check_misuse(const char *line, const char *complaint)
{
    CHECK_EQ(call(line), WEIR_EXIT_USAGE);
    CHECK_MSG(strstr(complained, complaint), "'%s' says: %s", line, complained);
    CHECK_EQ(runs, 0);
    CHECK_STR(printed, "");
}

TEST(options_that_are_not_given_have_their_defaults)
{
    CHECK_EQ(call("brew pot"), WEIR_EXIT_OK);
    CHECK_EQ(runs, 1);
    CHECK_STR(seen.bean, "arabica");
    CHECK_EQ(seen.cups, 2);
    CHECK_EQ(seen.skip, 0);
    CHECK_NEAR(seen.strength, 1.5, 0);
    CHECK(!seen.loud && seen.format == 0 && seen.extras.count == 0);
    CHECK_EQ(seen_argc, 1);
    CHECK_STR(seen_argv[0], "pot");
}

TEST(options_are_read_in_every_form)
{
    CHECK_EQ(call("brew --bean robusta pot -c 7 --skip=0 --strength 0.25 cup -l --format=csv"),
             WEIR_EXIT_OK);
    CHECK_STR(seen.bean, "robusta");
    CHECK_EQ(seen.cups, 7);
    CHECK_EQ(seen.skip, 0);
    CHECK_NEAR(seen.strength, 0.25, 0);
    CHECK(seen.loud);
    CHECK_EQ(seen.format, 2);
    CHECK_EQ(seen_argc, 2);
    CHECK_STR(seen_argv[0], "pot");
    CHECK_STR(seen_argv[1], "cup");
}

TEST(lists_keep_every_value_in_order)
{
    CHECK_EQ(call("brew -x milk pot --extra=sugar --extra cream"), WEIR_EXIT_OK);
    CHECK_EQ(seen.extras.count, 3);
    CHECK_STR(seen_extras[0], "milk");
    CHECK_STR(seen_extras[1], "sugar");
    CHECK_STR(seen_extras[2], "cream");
}

TEST(two_dashes_end_the_options)
{
    CHECK_EQ(call("brew -- --loud -x"), WEIR_EXIT_OK);
    CHECK_EQ(seen_argc, 2);
    CHECK_STR(seen_argv[0], "--loud");
    CHECK(!seen.loud);
}

TEST(the_words_of_another_program_are_left_alone)
{
    CHECK_EQ(call("exec prog --cups 0 --help"), WEIR_EXIT_OK);
    CHECK_EQ(seen_argc, 4);
    CHECK_STR(seen_argv[1], "--cups");
    CHECK_STR(seen_argv[3], "--help");
}

TEST(a_command_takes_options_that_its_table_lacks)
{
    CHECK_EQ(call("brew pot --water.hardness 12"), WEIR_EXIT_OK);
    CHECK_STR(seen.other_value, "12");
    CHECK_EQ(call("brew --water.hardness=9 pot"), WEIR_EXIT_OK);
    CHECK_STR(seen.other_value, "9");
    check_misuse("brew pot --water.colour 1", "there is no option '--water.colour'");
}

TEST(misuse_is_explained_and_nothing_runs)
{
    check_misuse("brew", "weir brew: POT is missing");
    check_misuse("brew a b c", "it takes 2 arguments, and 'c' is one more");
    check_misuse("clean rinse x", "weir clean rinse: it takes no argument, but got 'x'");
    check_misuse("brew pot --cups 0", "--cups needs a whole number of at least 1, not '0'");
    check_misuse("brew pot --cups 3x", "--cups needs a whole number of at least 1, not '3x'");
    check_misuse("brew pot --cups 2147483648",
                 "--cups needs a whole number of at most 2147483647, not '2147483648'");
    check_misuse("brew pot --cups 99999999999999999999", "a whole number of at most 2147483647");
    check_misuse("brew pot --skip 10", "--skip needs a whole number of at most 9, not '10'");
    check_misuse("brew pot --skip=-1", "--skip needs a whole number of at least 0, not '-1'");
    check_misuse("brew pot --strength 0", "--strength needs a number above 0, not '0'");
    check_misuse("brew pot --strength nan", "--strength needs a number above 0, not 'nan'");
    check_misuse("brew pot --format xml", "--format needs table|json|csv, not 'xml'");
    check_misuse("brew pot --cups", "--cups needs a whole number of at least 1");
    check_misuse("brew pot --loud=1", "--loud takes no value, but got '1'");
    check_misuse("brew pot --cusp 3", "there is no option '--cusp'; did you mean --cups?");
    check_misuse("brew pot --zzzzzzzz", "there is no option '--zzzzzzzz'\n");
    check_misuse("brew pot -z", "'weir brew --help' explains how it is called.");
}

TEST(unknown_commands_are_guessed)
{
    check_misuse("brw", "weir: there is no command 'brw'\n  Did you mean 'weir brew'? ");
    check_misuse("clean rinze", "Did you mean 'weir clean rinse'?");
    check_misuse("rinse", "there is no command 'rinse'\n  Did you mean 'weir clean rinse'?");
    check_misuse("secrets", "there is no command 'secrets'\n  'weir help' lists");
    check_misuse("xylophone", "weir: there is no command 'xylophone'\n  'weir help' lists");
    check_misuse("clean secrets", "there is no command 'secrets'\n  'weir help clean' lists");
}

TEST(without_a_command_the_commands_are_listed)
{
    CHECK_EQ(call(""), WEIR_EXIT_USAGE);
    CHECK(strstr(complained, "weir brew") && strstr(complained, "clean up"));
    CHECK_EQ(call("clean"), WEIR_EXIT_USAGE);
    CHECK(strstr(complained, "weir clean rinse") && !strstr(complained, "secret"));
}

TEST(the_nearest_name_is_found)
{
    static const char *const names[] = {"MatMul", "Merge", "Mul", "Max"};
    CHECK_STR(weir_cli_nearest("MatMull", names, 4), "MatMul");
    CHECK_STR(weir_cli_nearest("Merg", names, 4), "Merge");
    CHECK_STR(weir_cli_nearest("Maxx", names, 4), "Max");
    CHECK(!weir_cli_nearest("Convolution", names, 4));
    CHECK(!weir_cli_nearest("MatMul", names, 0));
    char big[200];
    memset(big, 'a', sizeof big - 1);
    big[sizeof big - 1] = 0;
    CHECK(!weir_cli_nearest(big, names, 4));
    CHECK(!weir_cli_nearest("aaaa", (const char *const[]){big}, 1));
}

/* ---- help ------------------------------------------------------------------------------------ */

TEST(help_is_printed_and_nothing_runs)
{
    CHECK_EQ(call("brew pot --cups 3 --help"), WEIR_EXIT_OK);
    CHECK_EQ(runs, 0);
    CHECK_STR(complained, "");
    CHECK(strstr(printed, "usage: weir brew [OPTION...] POT [CUP]\n\nMakes coffee in POT.\n") ==
          printed);
    CHECK(strstr(printed, "\n  -c, --cups N             how many (default: 2)\n"));
    CHECK(strstr(printed, "\n      --strength X         how strong (default: 1.5)\n"));
    CHECK(strstr(printed, "-b, --bean NAME          which bean (default: arabica)\n"));
    CHECK(strstr(printed, "table|json|csv"));
    CHECK(!strstr(printed, "secret"));
    CHECK_EQ(call("clean -h"), WEIR_EXIT_OK);
    CHECK(strstr(printed, "See 'weir help clean COMMAND' for details."));
}

TEST(about_comes_in_paragraphs_and_examples)
{
    const char *about = command_brew.about;
    weir_about piece;
    CHECK(weir_about_next(&about, &piece) && !piece.literal);
    CHECK(weir_str_is(piece.text, "Makes coffee in POT."));
    CHECK(weir_about_next(&about, &piece) && piece.literal);
    CHECK(weir_str_is(piece.text, "  weir brew pot\n  weir brew big-pot  # needs a big pot"));
    CHECK(weir_about_next(&about, &piece) && weir_str_is(piece.text, "The end."));
    CHECK(!weir_about_next(&about, &piece));
    about = NULL;
    CHECK(!weir_about_next(&about, &piece));
}

TEST(man_pages_escape_what_troff_would_take)
{
    WEIR_BUF(page);
    weir_help_man(&page, "clean rinse", &command_rinse);
    CHECK(strncmp(page.at, ".TH WEIR-CLEAN-RINSE 1 ", 23) == 0);
    CHECK(strstr(page.at, "weir\\-clean\\-rinse \\- use water\n.SH SYNOPSIS\n"));
    CHECK(strstr(page.at, "\\fBweir clean rinse\\fR\n"));
    page.length = 0;
    weir_help_man(&page, "brew", &command_brew);
    CHECK(strstr(page.at, "\n.nf\n  weir brew pot\n  weir brew big\\-pot"));
    CHECK(strstr(page.at,
                 ".TP\n\\fB\\-c\\fR, \\fB\\-\\-cups\\fR \\fIN\\fR\nhow many (default: 2)\n"));
    CHECK(!strstr(page.at, "secret"));
}

TEST(the_markdown_page_has_every_command_below_the_root)
{
    WEIR_BUF(page);
    weir_help_markdown(&page, &root);
    CHECK(strstr(page.at, "| [`weir brew`](#weir-brew) | make coffee |\n"));
    CHECK(strstr(page.at, "\n## weir brew\n\n`weir brew [OPTION...] POT [CUP]`\n"));
    CHECK(strstr(page.at, "\n### weir clean rinse\n"));
    CHECK(strstr(page.at, "| `-o`, `--format table\\|json\\|csv` |"));
    CHECK(strstr(page.at,
                 "```sh\nweir brew pot\n```\n\n<!-- not run: needs a big pot -->\n\n```sh\n"));
    CHECK(!strstr(page.at, "secret"));
}

/* ---- completion ------------------------------------------------------------------------------ */

static void bean_names(weir_hint hint, const weir_candidates *to)
{
    if (hint == WEIR_HINT_MODEL) {
        weir_candidates_add(to, WEIR_STR("arabica"), "mild");
        weir_candidates_add(to, WEIR_STR("robusta"), "strong");
    }
}

/* Completes the words of |line|; "_" stands for an empty word. */
static void check_completion(const char *line, const char *expected)
{
    char words[256], *argv[16], *rest = NULL;
    int argc = 0;
    WEIR_BUF(out);
    weir_buf_adds(&out, "");
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = strcmp(word, "_") == 0 ? word + 1 : word;
    weir_complete(&root, argc, argv, bean_names, &out);
    CHECK_MSG(strcmp(out.at, expected) == 0, "'%s' completes to: %s", line, out.at);
}

TEST(commands_complete)
{
    check_completion("_", "brew\tmake coffee\nclean\tclean up\nexec\trun a program\n");
    check_completion("cl", "clean\tclean up\n");
    check_completion("clean _", "rinse\tuse water\n");
    check_completion("nothing", "");
    check_completion("", "");
}

TEST(options_and_their_values_complete)
{
    check_completion("brew --s", "--skip\tleave out the first\n--strength\thow strong\n");
    check_completion("brew -",
                     "--bean\twhich bean\n--cups\thow many\n--skip\tleave out the first\n"
                     "--strength\thow strong\n--loud\twith noise\n--format\thow to print\n"
                     "--extra\tadd this\n");
    check_completion("brew --format _", "table\t\njson\t\ncsv\t\n");
    check_completion("brew -o j", "json\t\n");
    check_completion("brew --format=c", "--format=csv\t\n");
    check_completion("brew --bean r", "robusta\tstrong\n");
    check_completion("brew --extra _", ":file\n");
    check_completion("brew --loud --bean a", "arabica\tmild\n");
}

TEST(the_words_of_another_program_complete_as_files)
{
    check_completion("exec prog --bean", ":file\n");
}

TEST_MAIN()
