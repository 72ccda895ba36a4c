/* cli/inspect/events.c - event files: which tags they have, and what was written last. */
#include "io/events.h"

#include <math.h>

#include "cli/inspect/inspect.h"
#include "cli/inspect/records.h"
#include "tensor/proto.h"
#include "tensor/tstring.h"

enum { TAGS = 100000 }; /* kept, at most */

typedef struct tag {
    char *name;
    char kind[32];
    int64_t count, first_step, last_step;
    double last, least, most; /* of numbers */
    bool number;
} tag;

typedef struct tally {
    int64_t files, events, graphs, runs;
    double first_time, last_time;
    WEIR_VEC(tag) tags;
    weir_map by_name; /* to 1 + an index of |tags| */
    bool failed;      /* an event made no sense */
} tally;

static bool is_events(const inspect_place *p)
{
    return inspect_begins_with_record(p) && p->head.length > 24 &&
           memmem(p->head.at, p->head.length < 64 ? p->head.length : 64, "brain.Event:", 12);
}

static bool is_event_name(const char *name)
{
    return strstr(name, "tfevents");
}

static bool claims(const inspect_place *p)
{
    for (size_t i = 0; i < p->names.count; i++)
        if (is_event_name(p->names.at[i]))
            return true;
    return is_events(p);
}

/* ---- one value of a summary ---------------------------------------------------------------------
 */

typedef struct value {
    weir_str tag, plugin;
    const char *kind;
    double number;
    bool is_number;
} value;

/* A scalar that newer programs write as a tensor. */
static void read_tensor(weir_str bytes, value *v)
{
    weir_tensor t = {0};
    weir_status s = weir_tensor_parse(bytes, &t);
    if (!s && weir_tensor_count(&t) == 1 && (t.dtype == WEIR_FLOAT || t.dtype == WEIR_DOUBLE)) {
        v->number = t.dtype == WEIR_FLOAT ? (double)*(float *)t.data : *(double *)t.data;
        v->is_number = true;
    }
    weir_status_free(s);
    weir_tensor_release(&t);
}

static const char *kind_of(const weir_msg_summary_value *summary)
{
    switch (summary->which_value) {
    case WEIR_FIELD_summary_value_simple_value:
        return "scalar";
    case WEIR_FIELD_summary_value_image:
        return "image";
    case WEIR_FIELD_summary_value_histo:
        return "histogram";
    case WEIR_FIELD_summary_value_audio:
        return "audio";
    case WEIR_FIELD_summary_value_tensor:
        return "tensor";
    default:
        return "value";
    }
}

static value read_value(const weir_msg_summary_value *summary)
{
    value v = {.tag = summary->tag,
               .kind = kind_of(summary),
               .number = (double)summary->simple_value,
               .is_number = summary->which_value == WEIR_FIELD_summary_value_simple_value};
    if (summary->metadata && summary->metadata->plugin_data)
        v.plugin = summary->metadata->plugin_data->plugin_name;
    if (summary->which_value == WEIR_FIELD_summary_value_tensor)
        read_tensor(summary->tensor, &v);
    return v;
}

/* ---- counting -----------------------------------------------------------------------------------
 */

/* "scalars" and "images", as TensorBoard names its plugins, to "scalar" and "image". */
static void name_kind(const value *v, char *out, size_t room)
{
    weir_str plugin = v->plugin;
    if (plugin.length && plugin.at[plugin.length - 1] == 's')
        plugin.length--;
    if (plugin.length && plugin.length < room && !strcmp(v->kind, "tensor")) {
        memcpy(out, plugin.at, plugin.length);
        out[plugin.length] = 0;
        return;
    }
    memcpy(out, v->kind, strlen(v->kind) + 1);
}

static tag *find_tag(tally *t, const value *v, int64_t step)
{
    uintptr_t at = (uintptr_t)weir_map_get(&t->by_name, v->tag);
    if (at)
        return &t->tags.at[at - 1];
    if (t->tags.count == TAGS)
        return NULL;
    tag fresh = {.name = weir_strndup(v->tag.at, v->tag.length),
                 .first_step = step,
                 .least = INFINITY,
                 .most = -INFINITY};
    name_kind(v, fresh.kind, sizeof fresh.kind);
    weir_vec_push(&t->tags, fresh);
    weir_map_put(&t->by_name, v->tag, (void *)t->tags.count);
    return &t->tags.at[t->tags.count - 1];
}

static void count_value(tally *t, const value *v, int64_t step)
{
    tag *g = find_tag(t, v, step);
    if (!g)
        return;
    g->count++;
    g->last_step = step;
    if (!v->is_number)
        return;
    g->number = true;
    g->last = v->number;
    g->least = v->number < g->least ? v->number : g->least;
    g->most = v->number > g->most ? v->number : g->most;
}

static void count_event(void *arg, weir_str record)
{
    tally *t = arg;
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_event e;
    weir_status damage = weir_event_read(record, &arena, &e);
    weir_status_free(damage);
    if (damage) {
        t->failed = true;
        return;
    }
    t->first_time = t->events == 0 || e.wall_time < t->first_time ? e.wall_time : t->first_time;
    t->last_time = e.wall_time > t->last_time ? e.wall_time : t->last_time;
    t->events++;
    t->graphs += e.which_what == WEIR_FIELD_event_graph_def;
    t->runs += e.which_what == WEIR_FIELD_event_tagged_run_metadata;
    for (size_t i = 0; e.summary && i < e.summary->value.count; i++) {
        value v = read_value(&e.summary->value.at[i]);
        count_value(t, &v, e.step);
    }
}

static weir_status count_folder(const inspect_place *p, tally *t)
{
    weir_status s = WEIR_OK;
    for (size_t i = 0; !s && i < p->names.count; i++) {
        if (!is_event_name(p->names.at[i]))
            continue;
        char *path = inspect_join(p->path, p->names.at[i]);
        s = inspect_each_record(&(inspect_place){.path = path, .exists = true}, count_event, t);
        s = weir_status_prefix(s, "%s: ", p->names.at[i]);
        t->files++;
        weir_free(path);
    }
    return s;
}

/* ---- showing ------------------------------------------------------------------------------------
 */

static void put_number(weir_output *o, const char *key, const tag *g, double number)
{
    if (g->number)
        weir_output_real(o, key, number);
    else
        weir_output_null(o, key);
}

static void show_tags(weir_output *o, const tally *t)
{
    weir_output_table(o, "tags");
    for (size_t i = 0; i < t->tags.count; i++) {
        const tag *g = &t->tags.at[i];
        weir_output_row(o);
        weir_output_text(o, "tag", g->name);
        weir_output_text(o, "kind", g->kind);
        weir_output_int(o, "count", g->count);
        weir_output_int(o, "first_step", g->first_step);
        weir_output_int(o, "last_step", g->last_step);
        put_number(o, "last", g, g->last);
        put_number(o, "min", g, g->least);
        put_number(o, "max", g, g->most);
    }
}

static weir_status show(const inspect_place *p, weir_output *o)
{
    tally t = {0};
    weir_status s = p->is_dir ? count_folder(p, &t) : inspect_each_record(p, count_event, &t);
    if (p->is_dir)
        weir_output_int(o, "files", t.files);
    weir_output_int(o, "events", t.events);
    weir_output_int(o, "graphs", t.graphs);
    weir_output_int(o, "run_metadata", t.runs);
    weir_output_real(o, "seconds", t.events ? t.last_time - t.first_time : 0);
    show_tags(o, &t);
    if (!s && t.failed)
        s = weir_error(WEIR_DATA_LOSS, "records that are no events");
    for (size_t i = 0; i < t.tags.count; i++)
        weir_free(t.tags.at[i].name);
    weir_vec_fini(&t.tags);
    weir_map_fini(&t.by_name);
    return s;
}

const inspect_kind inspect_events = {"events", claims, show};
