/* dist/cluster_def.c - ServerDef messages: as bytes, and as text that becomes bytes first.
 *
 *   ServerDef   1 cluster  2 job_name  3 task_index  4 default_session_config  6 port
 *   ClusterDef  1 job      JobDef  1 name  2 tasks (a map: 1 key, 2 value)
 */
#include <ctype.h>

#include "base/number.h"
#include "dist/cluster_config.h"
#include "wire/pb.h"

/* ---- bytes ---------------------------------------------------------------------------------- */

static weir_status bad_bytes(void)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "the ServerDef is cut off or is none");
}

static weir_status read_task(weir_cluster_config *c, weir_str job, weir_str bytes)
{
    weir_pb r = weir_pb_reader(bytes);
    int64_t index = 0;
    weir_str address = WEIR_STR("");
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            index = weir_pb_int(&r);
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            address = r.bytes;
    }
    return weir_pb_ok(&r) ? weir_cluster_config_add(c, job, index, address) : bad_bytes();
}

static weir_status read_job(weir_cluster_config *c, weir_str bytes)
{
    weir_str job = WEIR_STR("");
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) /* the name first: fields come in any order */
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            job = r.bytes;
    r = weir_pb_reader(bytes);
    while (weir_pb_next(&r))
        if (r.field == 2 && r.type == WEIR_PB_LEN)
            WEIR_TRY(read_task(c, job, r.bytes));
    return weir_pb_ok(&r) ? WEIR_OK : bad_bytes();
}

static weir_status read_cluster(weir_cluster_config *c, weir_str bytes)
{
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            WEIR_TRY(read_job(c, r.bytes));
    return weir_pb_ok(&r) ? WEIR_OK : bad_bytes();
}

static weir_status read_server(weir_cluster_config *c, weir_str bytes)
{
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN) {
            WEIR_TRY(read_cluster(c, r.bytes));
        } else if (r.field == 2 && r.type == WEIR_PB_LEN) {
            weir_free(c->job);
            c->job = weir_strndup(r.bytes.at, r.bytes.length);
        } else if (r.field == 3 && r.type == WEIR_PB_VARINT) {
            c->index = r.value <= WEIR_MAX_TASKS ? (int)r.value : -1;
        } else if (r.field == 4 && r.type == WEIR_PB_LEN) {
            weir_buf_add(&c->session_config, r.bytes.at, r.bytes.length);
        } else if (r.field == 6 && r.type == WEIR_PB_VARINT) {
            c->port = r.value <= 65535 ? (int)r.value : -1;
        }
    }
    return weir_pb_ok(&r) ? WEIR_OK : bad_bytes();
}

/* ---- text ----------------------------------------------------------------------------------- */

typedef enum message { NONE, SERVER, CLUSTER, JOB, TASK, CONFIG, COUNT } message;

/* Fields that are understood; all others are skipped. */
static const struct field {
    message in;
    const char *name;
    uint32_t number;
    bool integer;
    message is; /* NONE: a scalar */
} fields[] = {
    {SERVER, "cluster", 1, false, CLUSTER},
    {SERVER, "job_name", 2, false, NONE},
    {SERVER, "task_index", 3, true, NONE},
    {SERVER, "default_session_config", 4, false, CONFIG},
    {SERVER, "port", 6, true, NONE},
    {CLUSTER, "job", 1, false, JOB},
    {JOB, "name", 1, false, NONE},
    {JOB, "tasks", 2, false, TASK},
    {TASK, "key", 1, true, NONE},
    {TASK, "value", 2, false, NONE},
    {CONFIG, "device_count", 1, false, COUNT},
    {COUNT, "key", 1, false, NONE},
    {COUNT, "value", 2, true, NONE},
};

typedef struct text {
    const char *at, *end;
    int line;
    int depth;
    weir_buf word; /* the token last read; a string without its quotes */
    char kind;     /* 'w' word, '"' string, 0 end, else the character itself */
} text;

static void read_string(text *t, char quote)
{
    while (t->at < t->end && *t->at != quote && *t->at != '\n') {
        if (*t->at == '\\' && t->at + 1 < t->end)
            t->at++; /* addresses and names need no escapes but these of quotes */
        weir_buf_addc(&t->word, *t->at++);
    }
    t->kind = t->at < t->end && *t->at == quote ? '"' : '?';
    t->at += t->kind == '"';
}

static void next(text *t)
{
    t->word.length = 0;
    while (t->at < t->end && (isspace((unsigned char)*t->at) || *t->at == '#')) {
        if (*t->at == '#')
            while (t->at + 1 < t->end && t->at[1] != '\n')
                t->at++;
        t->line += *t->at++ == '\n';
    }
    if (t->at == t->end) {
        t->kind = 0;
        return;
    }
    char c = *t->at;
    if (c == '"' || c == '\'') {
        t->at++;
        read_string(t, c);
        return;
    }
    t->kind = isalnum((unsigned char)c) || memchr("_-+.", c, 4) ? 'w' : c;
    do
        weir_buf_addc(&t->word, *t->at++);
    while (t->kind == 'w' && t->at < t->end &&
           (isalnum((unsigned char)*t->at) || memchr("_-+.", *t->at, 4)));
}

static weir_status bad_text(const text *t, const char *wanted)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "line %d of the ServerDef: %s is missing", t->line,
                      wanted);
}

static const struct field *find_field(message in, const text *t)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].in == in &&
            weir_str_is((weir_str){t->word.at, t->word.length}, fields[i].name))
            return &fields[i];
    return NULL;
}

static weir_status read_fields(text *t, message in, char close, weir_buf *out);

static weir_status read_scalar(text *t, const struct field *f, weir_buf *out)
{
    int64_t number;
    if (t->kind != '"' && t->kind != 'w')
        return bad_text(t, "a value");
    if (!f)
        return WEIR_OK;
    if (!f->integer) {
        weir_pb_put_bytes(out, f->number, t->word.at, t->word.length);
        return WEIR_OK;
    }
    if (!weir_parse_i64((weir_str){t->word.at, t->word.length}, &number))
        return bad_text(t, "a whole number");
    weir_pb_put_varint(out, f->number, (uint64_t)number);
    return WEIR_OK;
}

static weir_status read_value(text *t, const struct field *f, weir_buf *out)
{
    if (t->kind != '{' && t->kind != '<')
        return read_scalar(t, f && f->is == NONE ? f : NULL, out);
    if (++t->depth > 32)
        return bad_text(t, "less nesting");
    char close = t->kind == '{' ? '}' : '>';
    weir_buf dropped = {0};
    size_t mark = f ? weir_pb_begin(out, f->number) : 0;
    weir_status s = read_fields(t, f ? f->is : NONE, close, f ? out : &dropped);
    if (f && !s)
        weir_pb_end(out, mark);
    weir_buf_fini(&dropped);
    t->depth--;
    return s;
}

static weir_status read_list(text *t, const struct field *f, weir_buf *out)
{
    for (next(t); t->kind != ']'; next(t))
        if (t->kind != ',')
            WEIR_TRY(read_value(t, f, out));
    return WEIR_OK;
}

static weir_status read_fields(text *t, message in, char close, weir_buf *out)
{
    for (next(t); t->kind != close; next(t)) {
        if (t->kind == ',' || t->kind == ';')
            continue;
        if (t->kind != 'w')
            return bad_text(t, t->kind ? "a field's name" : "a closing bracket");
        const struct field *f = find_field(in, t);
        next(t);
        if (t->kind == ':')
            next(t);
        if (t->kind == '[')
            WEIR_TRY(read_list(t, f, out));
        else
            WEIR_TRY(read_value(t, f, out));
    }
    return WEIR_OK;
}

/* A message holds tags, which are control characters, wherever it has a task. */
static bool is_text(weir_str def)
{
    for (size_t i = 0; i < def.length; i++)
        if ((unsigned char)def.at[i] < ' ' && !isspace((unsigned char)def.at[i]))
            return false;
    return true;
}

weir_status weir_cluster_config_server_def(weir_cluster_config *c, weir_str def)
{
    if (!is_text(def))
        return read_server(c, def);
    text t = {.at = def.at, .end = def.at + def.length, .line = 1};
    weir_buf bytes = {0};
    weir_status s = read_fields(&t, SERVER, 0, &bytes);
    if (!s)
        s = read_server(c, (weir_str){bytes.at ? bytes.at : "", bytes.length});
    weir_buf_fini(&bytes);
    weir_buf_fini(&t.word);
    return s;
}
