/* cli/inspect/events.c - event files: tags and their last values. */
#include "io/events.h"

#include <math.h>

#include "cli/inspect/inspect.h"
#include "cli/inspect/records.h"
#include "io/file.h"
#include "tensor/proto.h"
#include "tensor/tstring.h"
#include "wire/messages.h"

enum { TAGS = 100000 }; /* maximum number kept */

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
    weir_map by_name; /* to 1 + index in |tags| */
    bool failed;      /* an event was invalid */
} tally;

static bool is_events(const inspect_place *place)
{
    return inspect_begins_with_record(place) && place->head.length > 24 &&
           memmem(place->head.at, place->head.length < 64 ? place->head.length : 64,
                  "brain.Event:", 12);
}

static bool is_event_name(const char *name)
{
    return strstr(name, "tfevents");
}

static bool claims(const inspect_place *place)
{
    for (size_t i = 0; i < place->names.count; i++)
        if (is_event_name(place->names.at[i]))
            return true;
    return is_events(place);
}

/* ---- one value of a summary ------------------------------------------------------------------ */

typedef struct value {
    weir_str tag, plugin;
    const char *kind;
    double number;
    bool is_number;
} value;

/* A scalar that newer programs store as a tensor. */
static void read_tensor(weir_str bytes, value *value)
{
    weir_tensor tensor = {0};
    weir_status status = weir_tensor_parse(bytes, &tensor);
    if (!status && weir_tensor_count(&tensor) == 1 &&
        (tensor.dtype == WEIR_FLOAT || tensor.dtype == WEIR_DOUBLE)) {
        value->number =
            tensor.dtype == WEIR_FLOAT ? (double)*(float *)tensor.data : *(double *)tensor.data;
        value->is_number = true;
    }
    weir_status_free(status);
    weir_tensor_release(&tensor);
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
    value value = {.tag = summary->tag,
                   .kind = kind_of(summary),
                   .number = (double)summary->simple_value,
                   .is_number = summary->which_value == WEIR_FIELD_summary_value_simple_value};
    if (summary->metadata && summary->metadata->plugin_data)
        value.plugin = summary->metadata->plugin_data->plugin_name;
    if (summary->which_value == WEIR_FIELD_summary_value_tensor)
        read_tensor(summary->tensor, &value);
    return value;
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Maps TensorBoard's plugin names "scalars" and "images" to "scalar" and "image". */
static void name_kind(const value *value, char *out, size_t room)
{
    weir_str plugin = value->plugin;
    if (plugin.length && plugin.at[plugin.length - 1] == 's')
        plugin.length--;
    if (plugin.length && plugin.length < room && !strcmp(value->kind, "tensor")) {
        memcpy(out, plugin.at, plugin.length);
        out[plugin.length] = 0;
        return;
    }
    memcpy(out, value->kind, strlen(value->kind) + 1);
}

static tag *find_tag(tally *tally, const value *value, int64_t step)
{
    uintptr_t at = (uintptr_t)weir_map_get(&tally->by_name, value->tag);
    if (at)
        return &tally->tags.at[at - 1];
    if (tally->tags.count == TAGS)
        return NULL;
    tag fresh = {.name = weir_strndup(value->tag.at, value->tag.length),
                 .first_step = step,
                 .least = INFINITY,
                 .most = -INFINITY};
    name_kind(value, fresh.kind, sizeof fresh.kind);
    weir_vec_push(&tally->tags, fresh);
    weir_map_put(&tally->by_name, value->tag, (void *)tally->tags.count);
    return &tally->tags.at[tally->tags.count - 1];
}

static void count_value(tally *tally, const value *value, int64_t step)
{
    tag *tag = find_tag(tally, value, step);
    if (!tag)
        return;
    tag->count++;
    tag->last_step = step;
    if (!value->is_number)
        return;
    tag->number = true;
    tag->last = value->number;
    tag->least = value->number < tag->least ? value->number : tag->least;
    tag->most = value->number > tag->most ? value->number : tag->most;
}

static void count_event(void *arg, weir_str record)
{
    tally *tally = arg;
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_event event;
    weir_status damage = weir_event_read(record, &arena, &event);
    weir_status_free(damage);
    if (damage) {
        tally->failed = true;
        return;
    }
    tally->first_time = tally->events == 0 || event.wall_time < tally->first_time
                            ? event.wall_time
                            : tally->first_time;
    tally->last_time = event.wall_time > tally->last_time ? event.wall_time : tally->last_time;
    tally->events++;
    tally->graphs += event.which_what == WEIR_FIELD_event_graph_def;
    tally->runs += event.which_what == WEIR_FIELD_event_tagged_run_metadata;
    for (size_t i = 0; event.summary && i < event.summary->value.count; i++) {
        value value = read_value(&event.summary->value.at[i]);
        count_value(tally, &value, event.step);
    }
}

static weir_status count_folder(const inspect_place *place, tally *tally)
{
    weir_status status = WEIR_OK;
    for (size_t i = 0; !status && i < place->names.count; i++) {
        if (!is_event_name(place->names.at[i]))
            continue;
        char *path = inspect_join(place->path, place->names.at[i]);
        status =
            inspect_each_record(&(inspect_place){.path = path, .exists = true}, count_event, tally);
        status = weir_file_note(status, place->names.at[i]);
        tally->files++;
        weir_free(path);
    }
    return status;
}

/* ---- showing --------------------------------------------------------------------------------- */

static void put_number(weir_output *output, const char *key, const tag *tag, double number)
{
    if (tag->number)
        weir_output_real(output, key, number);
    else
        weir_output_null(output, key);
}

static void show_tags(weir_output *output, const tally *tally)
{
    weir_output_table(output, "tags");
    for (size_t i = 0; i < tally->tags.count; i++) {
        const tag *tag = &tally->tags.at[i];
        weir_output_row(output);
        weir_output_text(output, "tag", tag->name);
        weir_output_text(output, "kind", tag->kind);
        weir_output_int(output, "count", tag->count);
        weir_output_int(output, "first_step", tag->first_step);
        weir_output_int(output, "last_step", tag->last_step);
        put_number(output, "last", tag, tag->last);
        put_number(output, "min", tag, tag->least);
        put_number(output, "max", tag, tag->most);
    }
}

static weir_status show(const inspect_place *place, weir_output *output)
{
    tally tally = {0};
    weir_status status = place->is_dir ? count_folder(place, &tally)
                                       : inspect_each_record(place, count_event, &tally);
    if (place->is_dir)
        weir_output_int(output, "files", tally.files);
    weir_output_int(output, "events", tally.events);
    weir_output_int(output, "graphs", tally.graphs);
    weir_output_int(output, "run_metadata", tally.runs);
    weir_output_real(output, "seconds", tally.events ? tally.last_time - tally.first_time : 0);
    show_tags(output, &tally);
    if (!status && tally.failed)
        status = weir_error(WEIR_DATA_LOSS, "records that are no events");
    for (size_t i = 0; i < tally.tags.count; i++)
        weir_free(tally.tags.at[i].name);
    weir_vec_fini(&tally.tags);
    weir_map_fini(&tally.by_name);
    return status;
}

const inspect_kind inspect_events = {"events", claims, show};
