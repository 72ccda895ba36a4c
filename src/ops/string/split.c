/* ops/string/split.c - StringSplit and StringSplitV2: strings cut into a sparse matrix of words. */
#include "base/arith.h"
#include "ops/string/string_impl.h"

typedef struct word {
    int64_t row, column;
    weir_str text; /* inside the input */
} word;

typedef struct words {
    WEIR_VEC(word) all;
    int64_t row, columns; /* the row being cut; the longest row so far */
    int64_t next_column;
} words;

static void start_row(words *w, int64_t row)
{
    w->row = row;
    w->next_column = 0;
}

static void add(words *w, weir_str text)
{
    weir_vec_push(&w->all, (word){w->row, w->next_column++, text});
    w->columns = weir_max(w->next_column, w->columns);
}

static weir_status infer(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank(i, 0, 1));
    WEIR_TRY(weir_infer_rank(i, 1, 0));
    i->out[0] = weir_shape_matrix(-1, 2);
    i->out[1] = weir_shape_vector(-1);
    i->out[2] = weir_shape_vector(2);
    return WEIR_OK;
}

static weir_status give(weir_call *c, words *w)
{
    int64_t count = (int64_t)w->all.count;
    weir_shape pairs = weir_shape_matrix(count, 2), one = weir_shape_vector(count),
               two = weir_shape_vector(2);
    WEIR_TRY(weir_call_alloc(c, 0, &pairs));
    WEIR_TRY(weir_call_alloc(c, 1, &one));
    WEIR_TRY(weir_call_alloc(c, 2, &two));
    int64_t *indices = weir_out(c, 0)->data, *shape = weir_out(c, 2)->data;
    for (int64_t i = 0; i < count; i++) {
        indices[2 * i] = w->all.at[i].row;
        indices[2 * i + 1] = w->all.at[i].column;
        weir_str_put(weir_out(c, 1), i, w->all.at[i].text);
    }
    shape[0] = weir_tensor_count(weir_in(c, 0));
    shape[1] = w->columns;
    return WEIR_OK;
}

/* ---- StringSplit: each character of |delimiter| cuts; none cuts everywhere ---- */

static void cut_at_any(words *w, weir_str s, weir_str delimiter, bool skip_empty)
{
    if (delimiter.length == 0) {
        for (size_t i = 0; i < s.length; i++)
            add(w, (weir_str){s.at + i, 1});
        return;
    }
    if (s.length == 0)
        return;
    size_t start = 0;
    for (size_t i = 0; i <= s.length; i++) {
        if (i < s.length && !memchr(delimiter.at, s.at[i], delimiter.length))
            continue;
        if (!skip_empty || i > start)
            add(w, (weir_str){s.at + start, i - start});
        start = i + 1;
    }
}

static weir_status string_split(weir_call *c)
{
    const weir_tensor *in = weir_in(c, 0);
    words w = {0};
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        start_row(&w, i);
        cut_at_any(&w, weir_str_at(in, i), weir_str_at(weir_in(c, 1), 0),
                   weir_site_bool(c->site, 0));
    }
    weir_status status = give(c, &w);
    weir_vec_fini(&w.all);
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

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static weir_str skip_space(weir_str s)
{
    size_t n = 0;
    while (n < s.length && is_space(s.at[n]))
        n++;
    return (weir_str){s.at + n, s.length - n};
}

static void cut_at_space(words *w, weir_str s, int64_t most)
{
    s = skip_space(s);
    for (int64_t cuts = 0; s.length;) {
        size_t n = 0;
        while (n < s.length && !is_space(s.at[n]))
            n++;
        add(w, (weir_str){s.at, n});
        s = skip_space((weir_str){s.at + n, s.length - n});
        if (++cuts == most) {
            add(w, s);
            return;
        }
    }
}

static void cut_at(words *w, weir_str s, weir_str separator, int64_t most)
{
    int64_t cuts = 0;
    for (const char *at;
         (at = s.length ? memmem(s.at, s.length, separator.at, separator.length) : NULL);) {
        size_t n = (size_t)(at - s.at);
        add(w, (weir_str){s.at, n});
        s = (weir_str){at + separator.length, s.length - n - separator.length};
        if (++cuts == most)
            break;
    }
    add(w, s);
}

static weir_status string_split_v2(weir_call *c)
{
    const weir_tensor *in = weir_in(c, 0);
    weir_str separator = weir_str_at(weir_in(c, 1), 0);
    int64_t most = weir_site_int(c->site, 0);
    words w = {0};
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        start_row(&w, i);
        if (most == 0)
            add(&w, weir_str_at(in, i));
        else if (separator.length)
            cut_at(&w, weir_str_at(in, i), separator, most);
        else
            cut_at_space(&w, weir_str_at(in, i), most);
    }
    weir_status status = give(c, &w);
    weir_vec_fini(&w.all);
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
