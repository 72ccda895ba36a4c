/* ops/string/split.c - StringSplit and StringSplitV2: words of strings as a sparse matrix. */
#include "base/arith.h"
#include "ops/string/string_impl.h"

typedef struct word {
    int64_t row, column;
    weir_str text; /* inside the input */
} word;

typedef struct words {
    WEIR_VEC(word) all;
    int64_t row, columns; /* the current row; the longest row so far */
    int64_t next_column;
} words;

static void start_row(words *words, int64_t row)
{
    words->row = row;
    words->next_column = 0;
}

static void add(words *words, weir_str text)
{
    weir_vec_push(&words->all, (word){words->row, words->next_column++, text});
    words->columns = weir_max(words->next_column, words->columns);
}

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 1));
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    infer->out[0] = weir_shape_matrix(-1, 2);
    infer->out[1] = weir_shape_vector(-1);
    infer->out[2] = weir_shape_vector(2);
    return WEIR_OK;
}

static weir_status give(weir_call *call, words *words)
{
    int64_t count = (int64_t)words->all.count;
    weir_shape pairs = weir_shape_matrix(count, 2), one = weir_shape_vector(count),
               two = weir_shape_vector(2);
    WEIR_TRY(weir_call_alloc(call, 0, &pairs));
    WEIR_TRY(weir_call_alloc(call, 1, &one));
    WEIR_TRY(weir_call_alloc(call, 2, &two));
    int64_t *indices = weir_out(call, 0)->data, *shape = weir_out(call, 2)->data;
    for (int64_t i = 0; i < count; i++) {
        indices[2 * i] = words->all.at[i].row;
        indices[2 * i + 1] = words->all.at[i].column;
        weir_str_put(weir_out(call, 1), i, words->all.at[i].text);
    }
    shape[0] = weir_tensor_count(weir_in(call, 0));
    shape[1] = words->columns;
    return WEIR_OK;
}

/* ---- StringSplit: each character of |delimiter| cuts; none cuts everywhere ---- */

static void cut_at_any(words *words, weir_str text, weir_str delimiter, bool skip_empty)
{
    if (delimiter.length == 0) {
        for (size_t i = 0; i < text.length; i++)
            add(words, (weir_str){text.at + i, 1});
        return;
    }
    if (text.length == 0)
        return;
    size_t start = 0;
    for (size_t i = 0; i <= text.length; i++) {
        if (i < text.length && !memchr(delimiter.at, text.at[i], delimiter.length))
            continue;
        if (!skip_empty || i > start)
            add(words, (weir_str){text.at + start, i - start});
        start = i + 1;
    }
}

static weir_status string_split(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    words words = {0};
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        start_row(&words, i);
        cut_at_any(&words, weir_str_at(in, i), weir_str_at(weir_in(call, 1), 0),
                   weir_site_bool(call->site, 0));
    }
    weir_status status = give(call, &words);
    weir_vec_fini(&words.all);
    return status;
}

const weir_op weir_op_string_split = {
    .name = "StringSplit",
    .in = "input: string; delimiter: string",
    .out = "indices: int64; values: string; shape: int64",
    .attrs = "skip_empty: bool = true",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", string_split, WEIR_OWN_OUTPUTS}},
};

/* ---- StringSplitV2: as Python's split ---- */

static bool is_space(char ch)
{
    return ch == ' ' || (ch >= '\t' && ch <= '\r');
}

static weir_str skip_space(weir_str text)
{
    size_t count = 0;
    while (count < text.length && is_space(text.at[count]))
        count++;
    return (weir_str){text.at + count, text.length - count};
}

static void cut_at_space(words *words, weir_str text, int64_t most)
{
    text = skip_space(text);
    for (int64_t cuts = 0; text.length;) {
        size_t count = 0;
        while (count < text.length && !is_space(text.at[count]))
            count++;
        add(words, (weir_str){text.at, count});
        text = skip_space((weir_str){text.at + count, text.length - count});
        if (++cuts == most) {
            add(words, text);
            return;
        }
    }
}

static void cut_at(words *words, weir_str text, weir_str separator, int64_t most)
{
    int64_t cuts = 0;
    for (const char *at;
         (at = text.length ? memmem(text.at, text.length, separator.at, separator.length)
                           : NULL);) {
        size_t size = (size_t)(at - text.at);
        add(words, (weir_str){text.at, size});
        text = (weir_str){at + separator.length, text.length - size - separator.length};
        if (++cuts == most)
            break;
    }
    add(words, text);
}

static weir_status string_split_v2(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    weir_str separator = weir_str_at(weir_in(call, 1), 0);
    int64_t most = weir_site_int(call->site, 0);
    words words = {0};
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        start_row(&words, i);
        if (most == 0)
            add(&words, weir_str_at(in, i));
        else if (separator.length)
            cut_at(&words, weir_str_at(in, i), separator, most);
        else
            cut_at_space(&words, weir_str_at(in, i), most);
    }
    weir_status status = give(call, &words);
    weir_vec_fini(&words.all);
    return status;
}

const weir_op weir_op_string_split_v2 = {
    .name = "StringSplitV2",
    .in = "input: string; sep: string",
    .out = "indices: int64; values: string; shape: int64",
    .attrs = "maxsplit: int = -1",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", string_split_v2, WEIR_OWN_OUTPUTS}},
};
