/* fuzz/json.c - any bytes as JSON: skipped whole, and read value by value. Strings that were read
 * and written again must be read as they were. */
#include <stdlib.h>

#include "wire/json.h"

enum { DEPTH = 20 };

static void read_value(weir_json *json, int depth);

static void read_object(weir_json *json, int depth)
{
    WEIR_BUF(key);
    bool more = weir_json_open(json, '{');
    while (more && weir_json_key(json, &key)) {
        key.length = 0;
        read_value(json, depth + 1);
    }
}

static void read_array(weir_json *json, int depth)
{
    bool more = weir_json_open(json, '[');
    while (more && weir_json_item(json))
        read_value(json, depth + 1);
}

/* Writes |text| and reads that again. */
static void write_and_read(weir_str text, weir_buf *out)
{
    WEIR_BUF(written);
    weir_json_put_string(&written, text);
    weir_json reader = weir_json_reader(weir_view(&written));
    if (!weir_json_string(&reader, out) || !weir_json_end(&reader))
        abort();
}

/* What is no UTF-8 changes the first time only. */
static void read_string(weir_json *json)
{
    WEIR_BUF(text);
    WEIR_BUF(again);
    WEIR_BUF(twice);
    if (!weir_json_string(json, &text))
        return;
    write_and_read(weir_view(&text), &again);
    write_and_read(weir_view(&again), &twice);
    if (!weir_str_eq(weir_view(&again), weir_view(&twice)))
        abort();
}

static void read_number(weir_json *json)
{
    weir_json before = *json;
    double real;
    int64_t whole;
    if (!weir_json_int(json, &whole)) {
        *json = before;
        weir_json_real(json, &real);
    }
}

static void read_value(weir_json *json, int depth)
{
    char first = weir_json_peek(json);
    if (depth > DEPTH || first == 't' || first == 'f' || first == 'n')
        weir_json_skip(json);
    else if (first == '{')
        read_object(json, depth);
    else if (first == '[')
        read_array(json, depth);
    else if (first == '"')
        read_string(json);
    else
        read_number(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_str text = {(const char *)data, size};
    weir_json json = weir_json_reader(text);
    weir_json_skip(&json);
    if (!weir_json_end(&json))
        weir_status_free(weir_json_error(&json));
    json = weir_json_reader(text);
    read_value(&json, 0);
    weir_json_end(&json);
    return 0;
}
