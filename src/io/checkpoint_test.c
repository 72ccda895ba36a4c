/* io/checkpoint_test.c - the state file, and events. (Checkpoints themselves are compared with
 * TensorFlow's in tests/checkpoint_test.py.) */
#include "io/checkpoint.h"

#include <unistd.h>

#include "base/test.h"
#include "io/events.h"
#include "io/record.h"
#include "wire/messages.h"

TEST(state_file_both_ways)
{
    static const char text[] = "model_checkpoint_path: \"m-2\"\n"
                               "all_model_checkpoint_paths: \"m-1\"\n"
                               "all_model_checkpoint_paths: \"/else/q\\\"\\001\"\n"
                               "all_model_checkpoint_timestamps: 1.5\n"
                               "last_preserved_timestamp: 2.25\n";
    weir_checkpoint_state s;
    CHECK_OK(weir_checkpoint_state_parse(weir_str_of(text), &s));
    CHECK_STR(s.latest, "m-2");
    CHECK_EQ(s.all.count, 2);
    CHECK_STR(s.all.at[1], "/else/q\"\001");
    CHECK_NEAR(s.times.at[0], 1.5, 0);
    WEIR_BUF(out);
    CHECK_OK(weir_checkpoint_state_print(&s, &out));
    CHECK_STR(out.at, text);
    weir_checkpoint_state_fini(&s);
    CHECK_FAILS(weir_checkpoint_state_parse(WEIR_STR("model_checkpoint_path \"x\""), &s),
                WEIR_DATA_LOSS, "CheckpointState");
    CHECK_FAILS(weir_checkpoint_state_parse(WEIR_STR("a: \"x"), &s), WEIR_DATA_LOSS, "");
}

TEST(state_file_keeps_paths_relative)
{
    char dir[64];
    snprintf(dir, sizeof dir, "weir_state_test.%d", (int)getpid());
    CHECK_OK(weir_dir_create_all(dir));
    char path[100];
    snprintf(path, sizeof path, "%s/model-7", dir);
    weir_checkpoint_state s = {.latest = weir_strdup(path)};
    weir_vec_push(&s.all, weir_strdup("/elsewhere/model-6"));
    CHECK_OK(weir_checkpoint_state_write(dir, &s));
    weir_checkpoint_state_fini(&s);
    CHECK_OK(weir_checkpoint_state_read(dir, &s));
    CHECK_STR(s.latest, path);
    CHECK_STR(s.all.at[0], "/elsewhere/model-6");
    weir_checkpoint_state_fini(&s);
    CHECK_OK(weir_dir_delete_all(dir));
}

static void save_one(const char *dir, int step, int keep)
{
    char prefix[100];
    weir_tensor tensor = weir_tensor_scalar(WEIR_INT32, &step);
    weir_bundle_writer *writer = NULL;
    snprintf(prefix, sizeof prefix, "%s/m-%d", dir, step);
    CHECK_OK(weir_bundle_writer_create(prefix, &writer));
    CHECK_OK(weir_bundle_writer_add(writer, WEIR_STR("step"), &tensor));
    CHECK_OK(weir_bundle_writer_finish(writer));
    CHECK_OK(weir_checkpoint_state_advance(dir, prefix, keep));
    weir_tensor_release(&tensor);
}

TEST(the_oldest_go)
{
    char dir[64], left[100];
    snprintf(dir, sizeof dir, "weir_keep_test.%d", (int)getpid());
    CHECK_OK(weir_dir_create_all(dir));
    for (int step = 1; step <= 4; step++)
        save_one(dir, step, 2);
    save_one(dir, 3, 2); /* again: the list has it once, as the latest */
    weir_checkpoint_state s;
    CHECK_OK(weir_checkpoint_state_read(dir, &s));
    CHECK_EQ(s.all.count, 2);
    CHECK_EQ(s.times.count, 2);
    snprintf(left, sizeof left, "%s/m-3", dir);
    CHECK_STR(s.latest, left);
    for (size_t i = 0; i < 2; i++)
        CHECK(weir_bundle_exists(s.all.at[i]));
    weir_checkpoint_state_fini(&s);
    weir_paths names = {0};
    CHECK_OK(weir_dir_list(dir, &names));
    CHECK_EQ(names.count, 5); /* two files each, and the list */
    weir_paths_fini(&names);
    CHECK_OK(weir_dir_delete_all(dir));
}

static void check_saved(const char *prefix, int expected)
{
    weir_bundle *bundle = NULL;
    weir_tensor tensor;
    CHECK_OK(weir_bundle_open(prefix, &bundle));
    CHECK_OK(weir_bundle_read(bundle, WEIR_STR("step"), NULL, &tensor));
    CHECK_EQ(*(int32_t *)tensor.data, expected);
    weir_tensor_release(&tensor);
    weir_bundle_destroy(bundle);
}

/* The files of a bundle stay until a new one with the same prefix is complete. */
TEST(replaced_only_when_whole)
{
    char dir[64], prefix[100];
    snprintf(dir, sizeof dir, "weir_replace_test.%d", (int)getpid());
    snprintf(prefix, sizeof prefix, "%s/m", dir);
    CHECK_OK(weir_dir_create_all(dir));
    for (int round = 0; round < 4; round++) {
        weir_tensor t = weir_tensor_scalar(WEIR_INT32, &round);
        weir_bundle_writer *w = NULL;
        CHECK_OK(weir_bundle_writer_create(prefix, &w));
        CHECK_OK(weir_bundle_writer_add(w, WEIR_STR("step"), &t));
        if (round)
            check_saved(prefix, round - 1);
        CHECK_OK(weir_bundle_writer_finish(w));
        check_saved(prefix, round);
        weir_tensor_release(&t);
    }
    weir_paths names = {0};
    CHECK_OK(weir_dir_list(dir, &names));
    CHECK_EQ(names.count, 2);
    weir_paths_fini(&names);
    CHECK_OK(weir_dir_delete_all(dir));
}

TEST(event_file_starts_with_its_version)
{
    char dir[64];
    snprintf(dir, sizeof dir, "weir_events_test.%d", (int)getpid());
    weir_events *e = NULL;
    CHECK_OK(weir_events_create(dir, ".t", &e));
    char *path = weir_strdup(weir_events_path(e));
    WEIR_BUF(summary);
    WEIR_BUF(event);
    WEIR_BUF(record);
    weir_summary_scalar(&summary, WEIR_STR("loss"), 0.5f);
    weir_event_summary(&event, 12.5, 7, weir_view(&summary));
    CHECK_OK(weir_events_add(e, weir_view(&event)));
    CHECK_OK(weir_events_close(e));
    weir_stream *s = NULL;
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_event read;
    CHECK_OK(weir_stream_open(path, WEIR_PACKING_NONE, 0, &s));
    CHECK_OK(weir_record_read(s, &record));
    CHECK_OK(weir_event_read(weir_view(&record), &arena, &read));
    CHECK(weir_str_is(read.file_version, "brain.Event:2"));
    CHECK_OK(weir_record_read(s, &record));
    CHECK_OK(weir_event_read(weir_view(&record), &arena, &read));
    CHECK(read.summary && read.step == 7 && read.wall_time == 12.5);
    weir_stream_destroy(s);
    weir_free(path);
    CHECK_OK(weir_dir_delete_all(dir));
}

TEST_MAIN()
