/* io/checkpoint_state.c - the text file "checkpoint" that lists the checkpoints of a folder. */
#include <stdio.h>
#include <stdlib.h>

#include "io/checkpoint.h"

enum { MAX_FILE = 16 << 20 };

void weir_checkpoint_state_fini(weir_checkpoint_state *s)
{
    weir_free(s->latest);
    weir_paths_fini(&s->all);
    weir_vec_fini(&s->times);
    *s = (weir_checkpoint_state){0};
}

static const char *skip_space(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    return p;
}

/* One character after a backslash; moves past it. */
static char unescape(const char **p)
{
    static const char from[] = "ntr\"'\\", to[] = "\n\t\r\"'\\";
    const char *known = **p ? strchr(from, **p) : NULL;
    if (known) {
        (*p)++;
        return to[known - from];
    }
    int value = 0;
    for (int i = 0; i < 3 && **p >= '0' && **p <= '7'; i++)
        value = value * 8 + *(*p)++ - '0';
    return (char)value;
}

static bool take_string(const char **at, weir_buf *out)
{
    const char *p = *at;
    char quote = *p;
    if (quote != '"' && quote != '\'')
        return false;
    for (p++; *p && *p != quote;) {
        char c = *p++;
        weir_buf_addc(out, c == '\\' ? unescape(&p) : c);
    }
    *at = p + (*p == quote);
    return *p == quote;
}

static bool take_field(const char **at, weir_checkpoint_state *s)
{
    const char *p = *at;
    size_t length = strcspn(p, ": \t\r\n");
    weir_str name = {p, length};
    p = skip_space(p + length);
    if (*p != ':')
        return false;
    p = skip_space(p + 1);
    weir_buf text = {0};
    bool good = true;
    if (*p == '"' || *p == '\'') {
        good = take_string(&p, &text);
        char *value = weir_buf_take(&text);
        if (weir_str_is(name, "model_checkpoint_path")) {
            weir_free(s->latest);
            s->latest = value;
        } else if (weir_str_is(name, "all_model_checkpoint_paths")) {
            weir_vec_push(&s->all, value);
        } else {
            weir_free(value);
        }
    } else {
        char *end;
        double value = strtod(p, &end);
        good = end != p;
        p = end;
        if (weir_str_is(name, "all_model_checkpoint_timestamps"))
            weir_vec_push(&s->times, value);
        else if (weir_str_is(name, "last_preserved_timestamp"))
            s->last_preserved = value;
    }
    *at = p;
    return good;
}

weir_status weir_checkpoint_state_parse(weir_str text, weir_checkpoint_state *out)
{
    weir_checkpoint_state s = {0};
    char *copy = weir_strndup(text.at, text.length);
    bool good = true;
    for (const char *p = skip_space(copy); good && *p; p = skip_space(p))
        good = take_field(&p, &s);
    weir_free(copy);
    if (!good) {
        weir_checkpoint_state_fini(&s);
        return weir_error(WEIR_DATA_LOSS, "Unparseable CheckpointState");
    }
    *out = s;
    return WEIR_OK;
}

static void put_string(weir_buf *out, const char *field, const char *value)
{
    weir_buf_addf(out, "%s: \"", field);
    for (const unsigned char *p = (const unsigned char *)value; *p; p++) {
        if (*p == '"' || *p == '\\')
            weir_buf_addf(out, "\\%c", *p);
        else if (*p < 32 || *p > 126)
            weir_buf_addf(out, "\\%03o", *p);
        else
            weir_buf_addc(out, (char)*p);
    }
    weir_buf_adds(out, "\"\n");
}

void weir_checkpoint_state_print(const weir_checkpoint_state *s, weir_buf *out)
{
    if (s->latest)
        put_string(out, "model_checkpoint_path", s->latest);
    for (size_t i = 0; i < s->all.count; i++)
        put_string(out, "all_model_checkpoint_paths", s->all.at[i]);
    for (size_t i = 0; i < s->times.count; i++)
        weir_buf_addf(out, "all_model_checkpoint_timestamps: %.17g\n", s->times.at[i]);
    if (s->last_preserved != 0)
        weir_buf_addf(out, "last_preserved_timestamp: %.17g\n", s->last_preserved);
}

static char *state_file(const char *dir)
{
    weir_buf name = {0};
    weir_buf_addf(&name, "%s%scheckpoint", dir, *dir ? "/" : "");
    return weir_buf_take(&name);
}

static void make_absolute(const char *dir, char **path)
{
    if (!*path || **path == '/' || !*dir)
        return;
    weir_buf full = {0};
    weir_buf_addf(&full, "%s/%s", dir, *path);
    weir_free(*path);
    *path = weir_buf_take(&full);
}

weir_status weir_checkpoint_state_read(const char *dir, weir_checkpoint_state *out)
{
    char *name = state_file(dir);
    WEIR_BUF(text);
    weir_status status = weir_file_read_all(name, MAX_FILE, &text);
    if (!status)
        status = weir_checkpoint_state_parse(weir_view(&text), out);
    weir_free(name);
    WEIR_TRY(status);
    make_absolute(dir, &out->latest);
    for (size_t i = 0; i < out->all.count; i++)
        make_absolute(dir, &out->all.at[i]);
    return WEIR_OK;
}

/* |path| without |dir| in front, when it is inside. */
static char *relative(const char *dir, char *path)
{
    size_t n = strlen(dir);
    return path && n && strncmp(path, dir, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

weir_status weir_checkpoint_state_write(const char *dir, const weir_checkpoint_state *s)
{
    weir_checkpoint_state near = *s;
    near.latest = relative(dir, s->latest);
    near.all.at = WEIR_NEW_ARRAY(char *, s->all.count);
    for (size_t i = 0; i < s->all.count; i++)
        near.all.at[i] = relative(dir, s->all.at[i]);
    WEIR_BUF(text);
    weir_checkpoint_state_print(&near, &text);
    char *name = state_file(dir);
    weir_status status = weir_file_write_all(name, text.at, text.length);
    weir_free(name);
    weir_free(near.all.at);
    return status;
}
