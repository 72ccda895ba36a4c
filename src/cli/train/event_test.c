/* cli/train/event_test.c - events round-trip through JSON; malformed ones are rejected. */
#include "cli/train/event.h"

#include "base/test.h"
#include "cli/train/event.c" /* the command is no library that a test could be linked with */

static train_event back(const train_event *event)
{
    WEIR_BUF(line);
    train_event read;
    train_event_write(event, &line);
    CHECK(line.at[line.length - 1] == '\n');
    CHECK(train_event_read((weir_str){line.at, line.length - 1}, &read));
    return read;
}

TEST(every_kind_comes_back)
{
    for (int k = 0; k < TRAIN_EVENT_KINDS; k++) {
        train_event e = {.kind = (train_event_kind)k, .worker = 3, .step = 1LL << 40};
        train_event b = back(&e);
        CHECK(b.kind == e.kind && b.worker == 3 && b.step == e.step);
    }
}

TEST(numbers_come_back)
{
    train_event e = {.kind = TRAIN_DONE, .loss = 0.12345678, .examples = 600, .interrupted = true};
    train_event b = back(&e);
    CHECK(fabs(b.loss - e.loss) < 1e-9 && b.examples == 600 && b.interrupted);
    e.loss = NAN;
    CHECK(isnan(back(&e).loss));
}

TEST(text_comes_back)
{
    train_event e = {.kind = TRAIN_NOTE, .text = "a \"b\" \\ c\nd\x01"};
    CHECK(strcmp(back(&e).text, e.text) == 0);
}

TEST(other_lines_are_refused)
{
    static const char *const lines[] = {
        "",
        "{",
        "hello",
        "[]",
        "{}",
        "{\"event\": \"step\"",
        "{\"event\": \"step\"} more",
        "{\"event\": \"nothing\"}",
        "{\"event\": 3}",
        "{\"event\": \"step\", \"bogus\": 1}",
        "{\"event\": \"step\", \"step\": \"x\"}",
        "{\"event\": \"note\", \"text\": \"open",
        "{\"event\": \"note\", \"text\": 1}",
        "{\"event\": \"step\",",
        "{\"event\": \"step\", \"loss\"",
        "{\"step\": 3}",
    };
    train_event e;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        CHECK_MSG(!train_event_read(weir_str_of(lines[i]), &e), "%s", lines[i]);
}

TEST_MAIN()
