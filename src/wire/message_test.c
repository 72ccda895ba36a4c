/* wire/message_test.c - round trips of messages in text format, and invalid texts. */
#include "wire/message.h"

#include "base/test.h"

static const char graph_text[] = "node {\n"
                                 "  name: \"x\\303\\251\\000\\\"\"\n"
                                 "  op: \"Const\"\n"
                                 "  input: \"a\"\n"
                                 "  input: \"^b\"\n"
                                 "  attr {\n"
                                 "    key: \"value\"\n"
                                 "    value {\n"
                                 "      tensor {\n"
                                 "        dtype: DT_FLOAT\n"
                                 "        tensor_shape {\n"
                                 "          dim {\n"
                                 "            size: -1\n"
                                 "          }\n"
                                 "        }\n"
                                 "        float_val: 0.1\n"
                                 "        float_val: -inf\n"
                                 "        float_val: 1e+30\n"
                                 "      }\n"
                                 "    }\n"
                                 "  }\n"
                                 "  attr {\n"
                                 "    key: \"zero\"\n"
                                 "    value {\n"
                                 "      i: 0\n"
                                 "    }\n"
                                 "  }\n"
                                 "}\n"
                                 "versions {\n"
                                 "  producer: 2474\n"
                                 "  bad_consumers: 3\n"
                                 "  bad_consumers: 4\n"
                                 "}\n";

static const weir_message_type *graph_def(void)
{
    return weir_message_find(WEIR_STR("GraphDef"));
}

TEST(there_and_back)
{
    WEIR_BUF(bytes);
    WEIR_BUF(text);
    CHECK_OK(weir_message_parse(graph_def(), weir_str_of(graph_text), &bytes));
    CHECK_OK(weir_message_print(graph_def(), (weir_str){bytes.at, bytes.length}, &text));
    CHECK(strcmp(text.at, graph_text) == 0);
}

TEST(other_ways_to_write_it)
{
    static const char text[] = "# a comment\n"
                               "versions < producer : 0x10, bad_consumers: [1, 2] >; "
                               "library { } version: 7";
    WEIR_BUF(bytes);
    WEIR_BUF(out);
    CHECK_OK(weir_message_parse(graph_def(), weir_str_of(text), &bytes));
    CHECK_OK(weir_message_print(graph_def(), (weir_str){bytes.at, bytes.length}, &out));
    CHECK_STR(out.at, "versions {\n  producer: 16\n  bad_consumers: 1\n  bad_consumers: 2\n}\n"
                      "library {\n}\nversion: 7\n");
}

TEST(what_is_wrong_is_named)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"node {\n nam: \"x\"\n}", "line 2: nam: NodeDef has no such field"},
        {"version: 1.5", "line 1: version: not a number"},
        {"version: \"1\"", "must not be quoted"},
        {"node { name: x }", "must be quoted"},
        {"node: 3", "a value where a message belongs"},
        {"version { }", "a message where a value belongs"},
        {"versions { bad_consumers: [1, x] }", "not a number"},
        {"node { attr { value { type: DT_NONE } } }", "no value of that name"},
        {"node {", "does not end"},
        {"node { name: \"x", "does not end"},
        {"version: 99999999999999999999", "not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WEIR_BUF(bytes);
        CHECK_FAILS(weir_message_parse(graph_def(), weir_str_of(cases[i].text), &bytes),
                    WEIR_INVALID_ARGUMENT, cases[i].message);
    }
}

/* Truncated or modified input yields an error or another message, nothing worse. */
TEST(damaged_bytes)
{
    WEIR_BUF(bytes);
    CHECK_OK(weir_message_parse(graph_def(), weir_str_of(graph_text), &bytes));
    for (size_t cut = 0; cut < bytes.length; cut++) {
        WEIR_BUF(out);
        weir_status_free(weir_message_print(graph_def(), (weir_str){bytes.at, cut}, &out));
        bytes.at[cut] ^= 0x15;
        weir_status_free(weir_message_print(graph_def(), (weir_str){bytes.at, bytes.length}, &out));
        bytes.at[cut] ^= 0x15;
    }
}

TEST(depth_has_an_end)
{
    WEIR_BUF(deep);
    WEIR_BUF(out);
    weir_buf_adds(&deep, "node { attr { value { func {");
    for (int i = 0; i < 500; i++)
        weir_buf_adds(&deep, "attr { value { func {");
    CHECK_FAILS(weir_message_parse(graph_def(), (weir_str){deep.at, deep.length}, &out),
                WEIR_INVALID_ARGUMENT, "nested too deeply");
}

/* Every cut, and every character changed, of a graph in JSON: an error or another graph. */
TEST(damaged_json)
{
    WEIR_BUF(bytes);
    WEIR_BUF(json);
    CHECK_OK(weir_message_parse(graph_def(), weir_str_of(graph_text), &bytes));
    CHECK_OK(weir_message_to_json(graph_def(), weir_view(&bytes), &json));
    for (size_t cut = 0; cut < json.length; cut++) {
        WEIR_BUF(out);
        CHECK_FAILS(weir_message_from_json(graph_def(), (weir_str){json.at, cut}, &out),
                    WEIR_INVALID_ARGUMENT, "invalid JSON in tensorflow.GraphDef, near character");
        for (size_t i = 0; i < 3; i++) {
            char before = json.at[cut];
            json.at[cut] = "\"{\xff"[i];
            weir_status_free(weir_message_from_json(graph_def(), weir_view(&json), &out));
            json.at[cut] = before;
        }
    }
}

TEST(what_is_wrong_in_json_is_named)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"nodes\": []}", "no such field"},
        {"{\"version\": 1.5}", "not a value of its type"},
        {"{\"version\": 3000000000}", "not a value of its type"},
        {"{\"version\": true}", "a number is missing"},
        {"{\"node\": 3}", "'[' is missing"},
        {"{\"node\": [{\"name\": \"\xff\"}]}", "text that is not UTF-8"},
        {"{\"node\": [{\"attr\": {\"a\": {}, \"a\": {}}}]}", "a repeated key"},
        {"{\"node\": [{\"attr\": {\"a\": {\"i\": 1, \"b\": true}}}]}", "a second value of a oneof"},
        {"{\"node\": [{\"attr\": {\"a\": {\"b\": 1}}}]}", "true or false is missing"},
        {"{\"node\": [{\"attr\": {\"a\": {\"s\": \"!\"}}}]}", "not base64"},
        {"{\"node\": [{\"attr\": {\"a\": {\"type\": \"DT_NONE\"}}}]}", "not a value of its type"},
        {"{} {}", "the end is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WEIR_BUF(bytes);
        CHECK_FAILS(weir_message_from_json(graph_def(), weir_str_of(cases[i].text), &bytes),
                    WEIR_INVALID_ARGUMENT, cases[i].message);
    }
    WEIR_BUF(deep);
    WEIR_BUF(out);
    weir_buf_adds(&deep, "{\"node\": [{\"attr\": {\"a\": {\"func\": {");
    for (int i = 0; i < 500; i++)
        weir_buf_adds(&deep, "\"attr\": {\"a\": {\"func\": {");
    CHECK_FAILS(weir_message_from_json(graph_def(), weir_view(&deep), &out), WEIR_INVALID_ARGUMENT,
                "nested too deeply");
}

TEST_MAIN()
