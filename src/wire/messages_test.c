#include "wire/messages.h"

#include "base/test.h"
#include "wire/pb_impl.h"

static weir_status read_graph(weir_str bytes, weir_arena *arena, weir_msg_graph_def *out)
{
    return weir_msg_graph_def_read(bytes, arena, out);
}

static bool is(weir_str s, const char *text)
{
    return weir_str_is(s, text);
}

static void put_varint(weir_buf *out, uint32_t field, uint64_t value)
{
    weir_varint_put(out, (uint64_t)field << 3 | WEIR_PB_VARINT);
    weir_varint_put(out, value);
}

static void put_word(weir_buf *out, uint32_t field, uint32_t value)
{
    weir_varint_put(out, (uint64_t)field << 3 | WEIR_PB_I32);
    weir_fixed32_add(out, value);
}

/* A message of most kinds of fields. */
static void write_node(weir_buf *out)
{
    static const weir_str inputs[] = {{"a:1", 3}, {"^b", 2}};
    static const weir_msg_attr_value type = {.which_value = WEIR_FIELD_attr_value_type,
                                             .type = WEIR_data_type_DT_FLOAT};
    static const int64_t numbers[] = {1, -1, 300};
    static const weir_msg_attr_value_list_value list = {.i = {numbers, 3}};
    static const weir_msg_attr_value lists = {.which_value = WEIR_FIELD_attr_value_list,
                                              .list = &list};
    const weir_msg_node_def_attr_entry attrs[] = {
        {.key = WEIR_STR("T"), .value = &type},
        {.key = WEIR_STR("sizes"), .value = &lists},
    };
    const weir_msg_node_def node = {
        .name = WEIR_STR("n"), .op = WEIR_STR("Op"), .input = {inputs, 2}, .attr = {attrs, 2}};
    weir_msg_graph_def_write(
        &(weir_msg_graph_def){.node = {&node, 1},
                              .versions = &(weir_msg_version_def){.producer = 2474}},
        out);
}

TEST(written_and_read)
{
    WEIR_BUF(bytes);
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_graph_def graph;
    write_node(&bytes);
    CHECK_OK(read_graph(weir_view(&bytes), &arena, &graph));
    CHECK_EQ(graph.node.count, 1);
    const weir_msg_node_def *node = graph.node.at;
    CHECK(is(node->name, "n") && is(node->op, "Op") && !node->device.length);
    CHECK_EQ(node->input.count, 2);
    CHECK(is(node->input.at[1], "^b"));
    const weir_msg_node_def_attr_entry *entry = WEIR_MAP_FIND(node->attr, "T");
    CHECK(entry && entry->value->which_value == WEIR_FIELD_attr_value_type);
    CHECK(entry && entry->value->type == WEIR_data_type_DT_FLOAT);
    entry = WEIR_MAP_FIND(node->attr, "sizes");
    CHECK(entry && entry->value->list->i.count == 3 && entry->value->list->i.at[1] == -1);
    CHECK(!WEIR_MAP_FIND(node->attr, "U"));
    CHECK(graph.versions && graph.versions->producer == 2474 && !graph.library);
    WEIR_BUF(again);
    weir_msg_graph_def_write(&graph, &again);
    CHECK(weir_str_eq(weir_view(&bytes), weir_view(&again)));
}

/* Every truncation is an error, or between two fields of the outermost message. */
TEST(cut_anywhere)
{
    WEIR_BUF(bytes);
    write_node(&bytes);
    size_t whole = 0;
    for (size_t cut = 0; cut < bytes.length; cut++) {
        WEIR_MESSAGE_ARENA(arena);
        weir_msg_graph_def graph;
        weir_status status = read_graph((weir_str){bytes.at, cut}, &arena, &graph);
        whole += !status;
        if (status)
            CHECK(strstr(weir_status_message(status), "Unparseable GraphDef: "));
        weir_status_free(status);
    }
    CHECK_EQ(whole, 2); /* empty, and after the node */
}

static weir_status read_nested(int depth)
{
    WEIR_BUF(bytes);
    for (int i = 0; i < depth; i++) {
        WEIR_BUF(inner);
        weir_buf_add(&inner, bytes.at, bytes.length);
        bytes.length = 0;
        weir_message_put_bytes(&bytes, WEIR_FIELD_full_type_def_args, weir_view(&inner));
    }
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_full_type_def type;
    return weir_msg_full_type_def_read(weir_view(&bytes), &arena, &type);
}

TEST(depth_has_an_end)
{
    CHECK_OK(read_nested(WEIR_MESSAGE_DEPTH));
    CHECK_FAILS(read_nested(WEIR_MESSAGE_DEPTH + 1), WEIR_INVALID_ARGUMENT, "nested too deeply");
    CHECK_FAILS(read_nested(2000), WEIR_INVALID_ARGUMENT, "nested too deeply");
}

TEST(unknown_fields_are_kept)
{
    enum { GROUP = 3, GROUP_END = 4 };
    WEIR_BUF(bytes);
    WEIR_BUF(again);
    WEIR_MESSAGE_ARENA(arena);
    put_varint(&bytes, 900, 5);
    weir_message_put_bytes(&bytes, 901, WEIR_STR("xyz"));
    put_varint(&bytes, WEIR_FIELD_version_def_producer, 7);
    put_word(&bytes, WEIR_FIELD_version_def_min_consumer, 9); /* another wire type */
    weir_varint_put(&bytes, 902 << 3 | GROUP);
    put_varint(&bytes, 1, 5);
    weir_varint_put(&bytes, 902 << 3 | GROUP_END);
    weir_msg_version_def versions;
    CHECK_OK(weir_msg_version_def_read(weir_view(&bytes), &arena, &versions));
    CHECK_EQ(versions.producer, 7);
    CHECK_EQ(versions.min_consumer, 0);
    CHECK_EQ(versions.unknown.count, 2); /* neighbours are one view */
    weir_msg_version_def_write(&versions, &again);
    CHECK_EQ(again.length, bytes.length);
    weir_msg_version_def second;
    CHECK_OK(weir_msg_version_def_read(weir_view(&again), &arena, &second));
    CHECK_EQ(second.producer, 7);
    CHECK_EQ(second.unknown.count, 1);
}

TEST(groups_end)
{
    static const struct {
        const char *bytes;
        size_t length;
    } bad[] = {
        {"\x13", 1},         /* never ends */
        {"\x13\x1c", 2},     /* another field's end */
        {"\x14", 1},         /* an end without a start */
        {"\x13\x0a\x05", 3}, /* truncated inside */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        WEIR_MESSAGE_ARENA(arena);
        weir_msg_close_session_response m;
        CHECK_FAILS(weir_msg_close_session_response_read((weir_str){bad[i].bytes, bad[i].length},
                                                         &arena, &m),
                    WEIR_INVALID_ARGUMENT, "incomplete field");
    }
}

TEST(occurrences_merge)
{
    WEIR_BUF(bytes);
    WEIR_MESSAGE_ARENA(arena);
    for (int i = 1; i <= 2; i++) {
        const int32_t bad = i;
        const weir_msg_version_def versions = {
            .producer = i == 1 ? 5 : 0, .min_consumer = i == 2 ? 6 : 0, .bad_consumers = {&bad, 1}};
        const weir_msg_function_def_library library = {.function = {&WEIR_STR("ab"), 1}};
        weir_msg_graph_def_write(
            &(weir_msg_graph_def){.version = i, .versions = &versions, .library = &library},
            &bytes);
    }
    weir_msg_graph_def graph;
    CHECK_OK(read_graph(weir_view(&bytes), &arena, &graph));
    CHECK_EQ(graph.version, 2);
    CHECK_EQ(graph.versions->producer, 5);
    CHECK_EQ(graph.versions->min_consumer, 6);
    CHECK_EQ(graph.versions->bad_consumers.count, 2);
    CHECK_EQ(graph.versions->bad_consumers.at[1], 2);
    CHECK_EQ(graph.library->function.count, 2);
}

/* Two occurrences of a LAZY field are concatenated. */
TEST(lazy_occurrences_merge)
{
    WEIR_BUF(bytes);
    WEIR_MESSAGE_ARENA(arena);
    weir_message_put_bytes(&bytes, WEIR_FIELD_named_tensor_proto_tensor, WEIR_STR("\x08\x01"));
    weir_message_put_bytes(&bytes, WEIR_FIELD_named_tensor_proto_tensor, WEIR_STR("\x18\x02"));
    weir_msg_named_tensor_proto named;
    weir_msg_tensor_proto tensor;
    CHECK_OK(weir_msg_named_tensor_proto_read(weir_view(&bytes), &arena, &named));
    CHECK_OK(weir_msg_tensor_proto_read(named.tensor, &arena, &tensor));
    CHECK_EQ(tensor.dtype, 1);
    CHECK_EQ(tensor.version_number, 2);
}

TEST(packed_or_not)
{
    WEIR_BUF(bytes);
    WEIR_MESSAGE_ARENA(arena);
    put_varint(&bytes, WEIR_FIELD_tensor_proto_int_val, (uint64_t)-1);
    weir_message_put_bytes(&bytes, WEIR_FIELD_tensor_proto_int_val, WEIR_STR("\x01\xac\x02"));
    put_word(&bytes, WEIR_FIELD_tensor_proto_float_val, 0x3fc00000); /* 1.5f */
    weir_message_put_bytes(&bytes, WEIR_FIELD_tensor_proto_float_val,
                           (weir_str){(const char *)(const float[]){2.5f, 3.5f}, 8});
    weir_msg_tensor_proto tensor;
    CHECK_OK(weir_msg_tensor_proto_read(weir_view(&bytes), &arena, &tensor));
    CHECK_EQ(tensor.int_val.count, 3);
    CHECK(tensor.int_val.at[0] == -1 && tensor.int_val.at[2] == 300);
    CHECK_EQ(tensor.float_val.count, 3);
    CHECK(tensor.float_val.at[0] == 1.5f && tensor.float_val.at[2] == 3.5f);
    bytes.length = 0;
    weir_message_put_bytes(&bytes, WEIR_FIELD_tensor_proto_float_val, WEIR_STR("abc"));
    CHECK_FAILS(weir_msg_tensor_proto_read(weir_view(&bytes), &arena, &tensor),
                WEIR_INVALID_ARGUMENT, "bad field");
    bytes.length = 0;
    weir_message_put_bytes(&bytes, WEIR_FIELD_tensor_proto_int_val, WEIR_STR("\x01\xac"));
    CHECK_FAILS(weir_msg_tensor_proto_read(weir_view(&bytes), &arena, &tensor),
                WEIR_INVALID_ARGUMENT, "bad field");
}

TEST(last_case_counts)
{
    WEIR_BUF(bytes);
    WEIR_BUF(again);
    WEIR_MESSAGE_ARENA(arena);
    put_varint(&bytes, WEIR_FIELD_attr_value_i, 5);
    weir_message_put_bytes(&bytes, WEIR_FIELD_attr_value_s, WEIR_STR(""));
    weir_msg_attr_value value;
    CHECK_OK(weir_msg_attr_value_read(weir_view(&bytes), &arena, &value));
    CHECK_EQ(value.which_value, WEIR_FIELD_attr_value_s);
    CHECK_EQ(value.i, 0);
    weir_msg_attr_value_write(&value, &again);
    CHECK_EQ(again.length, 2); /* an empty string is a value */
}

TEST(entries_of_maps)
{
    WEIR_BUF(bytes);
    WEIR_MESSAGE_ARENA(arena);
    const weir_msg_job_def_tasks_entry tasks[] = {{.key = 0, .value = WEIR_STR("a:1")},
                                                  {.key = 7, .value = WEIR_STR("b:2")}};
    weir_msg_job_def_write(&(weir_msg_job_def){.tasks = {tasks, 2}}, &bytes);
    weir_message_put_bytes(&bytes, WEIR_FIELD_job_def_tasks, WEIR_STR("")); /* 0: "" */
    weir_msg_job_def job;
    CHECK_OK(weir_msg_job_def_read(weir_view(&bytes), &arena, &job));
    CHECK_EQ(job.tasks.count, 3);
    CHECK_EQ(job.tasks.at[1].key, 7);
    CHECK(is(job.tasks.at[1].value, "b:2") && !job.tasks.at[2].value.length);
}

TEST(text_is_utf8)
{
    static const struct {
        const char *text;
        bool good;
    } cases[] = {
        {"plain", true},
        {"much longer than eight bytes", true},
        {"caf\xc3\xa9", true},
        {"long before it: \xf0\x9f\x8e\x89", true},
        {"\xff", false},
        {"cut \xc3", false},
        {"overlong \xc0\x80", false},
        {"surrogate \xed\xa0\x80", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WEIR_BUF(bytes);
        WEIR_MESSAGE_ARENA(arena);
        weir_msg_node_def node;
        weir_msg_node_def_write(&(weir_msg_node_def){.name = weir_str_of(cases[i].text)}, &bytes);
        weir_status status = weir_msg_node_def_read(weir_view(&bytes), &arena, &node);
        CHECK_EQ(!status, cases[i].good);
        weir_status_free(status);
        weir_msg_any any; /* bytes may be anything */
        bytes.length = 0;
        weir_message_put_bytes(&bytes, WEIR_FIELD_any_value, weir_str_of(cases[i].text));
        CHECK_OK(weir_msg_any_read(weir_view(&bytes), &arena, &any));
    }
}

/* A payload that is sent from its own buffer, after the head of its message. */
TEST(payload_behind_the_head)
{
    static const char payload[] = "0123456789";
    WEIR_BUF(tensor);
    WEIR_BUF(answer);
    weir_msg_tensor_proto_write(&(weir_msg_tensor_proto){.dtype = WEIR_data_type_DT_UINT8},
                                &tensor);
    weir_message_open_bytes(&tensor, WEIR_FIELD_tensor_proto_tensor_content, 10);
    weir_msg_recv_tensor_response_write(&(weir_msg_recv_tensor_response){.is_dead = true}, &answer);
    weir_message_open_bytes(&answer, WEIR_FIELD_recv_tensor_response_tensor, tensor.length + 10);
    weir_buf_add(&answer, tensor.at, tensor.length);

    WEIR_MESSAGE_ARENA(arena);
    weir_msg_recv_tensor_response outer;
    weir_msg_tensor_proto inner;
    weir_message_cut cut;
    CHECK_OK(weir_message_read_head(&weir_message_types[WEIR_INDEX_recv_tensor_response],
                                    weir_view(&answer), &arena, &outer, &cut));
    CHECK_EQ(cut.field, WEIR_FIELD_recv_tensor_response_tensor);
    CHECK_EQ(cut.length, tensor.length + 10);
    CHECK(outer.is_dead);
    weir_str rest = {answer.at + cut.at, answer.length - cut.at};
    CHECK_OK(weir_message_read_head(&weir_message_types[WEIR_INDEX_tensor_proto], rest, &arena,
                                    &inner, &cut));
    CHECK_EQ(cut.field, WEIR_FIELD_tensor_proto_tensor_content);
    CHECK_EQ(cut.at, rest.length);
    CHECK_EQ(cut.length, 10);
    CHECK_EQ(inner.dtype, WEIR_data_type_DT_UINT8);
    rest.length--;
    CHECK_OK(weir_message_read_head(&weir_message_types[WEIR_INDEX_tensor_proto], rest, &arena,
                                    &inner, &cut));
    CHECK(cut.unfinished && !cut.field);

    weir_buf_add(&answer, payload, 10);
    CHECK_OK(weir_msg_recv_tensor_response_read(weir_view(&answer), &arena, &outer));
    CHECK_OK(weir_msg_tensor_proto_read(outer.tensor, &arena, &inner));
    CHECK(is(inner.tensor_content, payload));
}

/* An empty message is present. */
TEST(empty_is_not_absent)
{
    WEIR_BUF(bytes);
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_run_graph_response_write(
        &(weir_msg_run_graph_response){.cost_graph = &(weir_msg_cost_graph_def){0},
                                       .step_stats = WEIR_STR("")},
        &bytes);
    CHECK_EQ(bytes.length, 4);
    weir_msg_run_graph_response answer;
    CHECK_OK(weir_msg_run_graph_response_read(weir_view(&bytes), &arena, &answer));
    CHECK(answer.cost_graph && answer.step_stats.at && !answer.step_stats.length);
}

TEST(optional_knows_whether_it_is_there)
{
    WEIR_BUF(bytes);
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_graph_debug_info_file_line_col_write(
        &(weir_msg_graph_debug_info_file_line_col){.has_line = true, .col = 4}, &bytes);
    CHECK_EQ(bytes.length, 2);
    weir_msg_graph_debug_info_file_line_col place;
    CHECK_OK(weir_msg_graph_debug_info_file_line_col_read(weir_view(&bytes), &arena, &place));
    CHECK(place.has_line && !place.has_col);
}

/* Invariants on which readers and writers rely. */
TEST(table)
{
    for (int i = 0; i < weir_message_type_count; i++) {
        const weir_message_type *type = &weir_message_types[i];
        for (int k = 0; k < type->field_count; k++) {
            const weir_field *f = &type->fields[k];
            CHECK_MSG(k == 0 || f[-1].number < f->number, "%s.%s", type->name, f->name);
            CHECK(f->offset >= sizeof(weir_strs) && f->offset < type->bytes);
        }
        CHECK(!type->package || weir_message_find(weir_str_of(type->name)) == type);
    }
    CHECK(weir_message_find(WEIR_STR("tensorflow.NodeDef")) ==
          &weir_message_types[WEIR_INDEX_node_def]);
    CHECK(weir_message_find(WEIR_STR("google.protobuf.Any")) == weir_message_find(WEIR_STR("Any")));
    CHECK(!weir_message_find(WEIR_STR("attr")));
    const weir_enum_type *types = &weir_enum_types[WEIR_ENUM_INDEX_data_type];
    CHECK(strcmp(weir_enum_name(types, 1), "DT_FLOAT") == 0);
}

/* A type that is not in the table: repeated numbers and groups, whose bytes include their tags. */
TEST(types_described_at_run_time)
{
    struct lists {
        weir_strs unknown;
        weir_int32s numbers;
        weir_strs groups;
    } lists;
    static const weir_field fields[] = {
        {.name = "numbers",
         .number = 1,
         .offset = offsetof(struct lists, numbers),
         .type = WEIR_TYPE_SINT32,
         .label = WEIR_LABEL_PACKED},
        {.name = "groups",
         .number = 2,
         .offset = offsetof(struct lists, groups),
         .type = WEIR_TYPE_GROUP,
         .label = WEIR_LABEL_REPEATED},
    };
    static const weir_message_type type = {"t", "M", fields, 2, sizeof lists};
    static const weir_str bytes = WEIR_STR("\x0a\x03\x01\x80\x01\x13\x08\x05\x14\x13\x14\x18\x07");
    for (size_t cut = 0; cut < bytes.length; cut++) {
        WEIR_MESSAGE_ARENA(arena);
        weir_status_free(weir_message_read(&type, (weir_str){bytes.at, cut}, &arena, &lists));
    }
    WEIR_MESSAGE_ARENA(arena);
    CHECK_OK(weir_message_read(&type, bytes, &arena, &lists));
    CHECK(lists.numbers.count == 2 && lists.numbers.at[0] == -1 && lists.numbers.at[1] == 64);
    CHECK(lists.groups.count == 2 && weir_str_eq(lists.groups.at[0], WEIR_STR("\x13\x08\x05\x14")));
    WEIR_BUF(again);
    weir_message_write(&type, &lists, &again);
    CHECK(weir_str_eq(weir_view(&again), bytes));
}

TEST_MAIN()
