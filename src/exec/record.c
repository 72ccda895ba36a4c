/* exec/record.c - recordings of steps: captured by a recorder, looked up by kind,
 * replayed. */
#include <stdlib.h>

#include "base/env.h"
#include "base/log.h"
#include "base/metric.h"
#include "exec/record_impl.h"
#include "op/device.h"
#include "op/recorder.h"
#include "state/var.h"

enum {
    FIRST_RUNS = 1,      /* of a kind that run normally, if no recordings hold memory */
    MOST_KINDS = 8,      /* recorded kinds per plan */
    MOST_FAILURES = 4,   /* after which a kind is not tried again */
    MOST_DRAWS = 1 << 10 /* random nodes, times iterations of their loops */
};

/* A value copied to the device in each step: an argument, or a host variable when its value has
 * changed. */
typedef struct fed {
    int arg;           /* below 0: |var| */
    weir_var *var;     /* retained by |hosts| */
    weir_tensor last;  /* its value that was copied: the reference prevents changes */
    weir_tensor there; /* its copy's destination */
} fed;

typedef struct taken {
    weir_tensor there; /* its location after a replay */
    weir_tensor here;  /* its value in the captured step; empty afterwards */
} taken;

typedef struct used {
    weir_var *var;    /* retained */
    void *at;         /* its value's address */
    bool unique;      /* the only reference when the step was over */
    weir_tensor held; /* during capture, for variables that move */
} used;

typedef struct drawn {
    weir_draw *draw;
    void *stream;
    uint64_t blocks;
} drawn;

/* A result: a device value, or the same value in each step. */
typedef struct result {
    int taken; /* below 0: |same| */
    weir_tensor same;
} result;

/* A recorded step, and its recorder. */
typedef struct record {
    weir_recorder base; /* first */
    weir_memory *memory;
    const struct kind *kind;
    weir_recording *recording;
    const weir_tensor *args;
    WEIR_VEC(fed) feeds;
    WEIR_VEC(taken) takes;
    WEIR_VEC(used) uses; /* sorted by address after the capture */
    WEIR_VEC(drawn) draws;
    WEIR_VEC(weir_var *) hosts;      /* variables in another memory, only read */
    WEIR_VEC(weir_tensor) constants; /* in host memory, copied once */
    weir_tensor starts;              /* of draws, three numbers each; empty: none */
    result *results;
    int64_t removals; /* from the session's resources, before the capture */
} record;

typedef struct kind {
    weir_buf key;
    int64_t runs, next_try;
    int failures; /* failed captures, or recordings that were lost early */
    int64_t replays;
    WEIR_VEC(weir_var *) movers; /* variables that a step leaves at another address; not retained */
    weir_rehearsal *rehearsal;   /* null: not rehearsed */
    record *record;              /* null: not recorded */
} kind;

struct plan_records {
    plan_recordable *what;
    weir_mutex lock; /* held during capture and replay; concurrent steps run normally */
    kind kinds[MOST_KINDS] WEIR_GUARDED_BY(lock);
    int count WEIR_GUARDED_BY(lock);
};

/* ---- the recorder --------------------------------------------------------------------------- */

/* A tensor at a fixed address, outside the recording. */
static weir_status alloc_lasting(record *record, weir_dtype dtype, const weir_shape *shape,
                                 weir_tensor *out_tensor)
{
    record->memory->record_pause(record->recording, true);
    weir_status status = weir_tensor_alloc_in(record->memory, dtype, shape, out_tensor);
    record->memory->record_pause(record->recording, false);
    return status;
}

static weir_status copy_lasting(record *record, const weir_tensor *there, size_t offset,
                                const void *from, size_t bytes)
{
    record->memory->record_pause(record->recording, true);
    weir_status status =
        record->memory->copy_in(record->memory, (char *)there->data + offset, from, bytes);
    record->memory->record_pause(record->recording, false);
    return status;
}

static weir_status bring_lasting(record *record, const weir_tensor *x, weir_tensor *out_there)
{
    WEIR_TRY(alloc_lasting(record, x->dtype, &x->shape, out_there));
    weir_status status = copy_lasting(record, out_there, 0, x->data, weir_tensor_bytes(x));
    if (status)
        weir_tensor_release(out_there);
    return status;
}

/* Each argument or variable has one destination, however often it is copied. */
static weir_status bring_fed(record *record, fed fed, const weir_tensor *x, weir_tensor *out_there)
{
    for (size_t i = 0; i < record->feeds.count; i++)
        if (record->feeds.at[i].arg == fed.arg && record->feeds.at[i].var == fed.var) {
            weir_tensor_release(&fed.last);
            *out_there = weir_tensor_share(&record->feeds.at[i].there);
            out_there->shape = x->shape;
            return WEIR_OK;
        }
    weir_status status = bring_lasting(record, x, &fed.there);
    if (status) {
        weir_tensor_release(&fed.last);
        return status;
    }
    weir_vec_push(&record->feeds, fed);
    *out_there = weir_tensor_share(&fed.there);
    return WEIR_OK;
}

/* The host variable whose value is |x|, and that value; null: none. */
static weir_var *host_variable(const record *record, const weir_tensor *x, weir_tensor *out_value)
{
    for (size_t i = 0; i < record->hosts.count; i++) {
        weir_tensor value;
        if (!weir_var_read(record->hosts.at[i], &value))
            continue;
        if (value.data == x->data) {
            *out_value = value;
            return record->hosts.at[i];
        }
        weir_tensor_release(&value);
    }
    return NULL;
}

static weir_status bring(weir_recorder *recorder, const weir_call *call, weir_tensor *out_there)
{
    record *record = (struct record *)recorder;
    const weir_node *node =
        (const weir_node *)((const char *)call->site - offsetof(weir_node, site));
    int arg = weir_plan_fed(node);
    const weir_tensor *x = weir_in(call, 0);
    fed fed = {.arg = arg};
    fed.var = arg < 0 ? host_variable(record, x, &fed.last) : NULL;
    if (arg >= 0 || fed.var)
        return bring_fed(record, fed, x, out_there);
    weir_tensor there;
    WEIR_TRY(bring_lasting(record, x, &there));
    weir_vec_push(&record->constants, there);
    *out_there = weir_tensor_share(&there);
    return WEIR_OK;
}

/* Copies the value within the device first: its memory may be reused by the end of the
 * step. */
static weir_status take(weir_recorder *recorder, const weir_tensor *x, weir_tensor *out_here)
{
    record *record = (struct record *)recorder;
    weir_memory *memory = record->memory;
    size_t bytes = weir_tensor_bytes(x);
    taken taken = {0};
    WEIR_TRY(weir_tensor_alloc(x->dtype, &x->shape, out_here));
    weir_status status = alloc_lasting(record, x->dtype, &x->shape, &taken.there);
    if (!status) {
        taken.here = weir_tensor_share(out_here);
        weir_vec_push(&record->takes, taken);
        status = memory->copy(memory, taken.there.data, x->data, bytes);
    }
    if (!status) {
        memory->record_pause(record->recording, true);
        status = memory->copy_out(memory, out_here->data, taken.there.data, bytes);
        memory->record_pause(record->recording, false);
    }
    if (status)
        weir_tensor_release(out_here);
    return status;
}

static bool moves(const kind *kind, const weir_var *var)
{
    for (size_t i = 0; i < kind->movers.count; i++)
        if (kind->movers.at[i] == var)
            return true;
    return false;
}

static bool is_known(const record *record, const weir_var *var)
{
    bool known = false;
    for (size_t i = 0; i < record->uses.count; i++)
        known |= record->uses.at[i].var == var;
    for (size_t i = 0; i < record->hosts.count; i++)
        known |= record->hosts.at[i] == var;
    return known;
}

static void use(weir_recorder *recorder, weir_var *var)
{
    record *record = (struct record *)recorder;
    used used = {.var = var};
    weir_tensor value;
    if (is_known(record, var))
        return;
    if (weir_var_read(var, &value)) {
        if (value.buffer->memory != record->memory) {
            weir_tensor_release(&value);
            weir_var_retain(var);
            weir_vec_push(&record->hosts, var);
            return;
        }
        used.at = value.data;
        if (moves(record->kind, var))
            used.held = value;
        else
            weir_tensor_release(&value);
    }
    weir_var_retain(var);
    weir_vec_push(&record->uses, used);
}

static weir_status draw(weir_recorder *recorder, weir_draw *how, void *stream, uint64_t blocks,
                        const void **out_at)
{
    record *record = (struct record *)recorder;
    size_t at = record->draws.count;
    uint64_t start[3];
    if (at == MOST_DRAWS)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "too many random numbers for a recording");
    if (at == 0) {
        weir_shape shape = weir_shape_vector(MOST_DRAWS * 3);
        WEIR_TRY(alloc_lasting(record, WEIR_UINT64, &shape, &record->starts));
    }
    how(stream, blocks, start);
    weir_vec_push(&record->draws, (drawn){how, stream, blocks});
    *out_at = (uint64_t *)record->starts.data + 3 * at;
    return copy_lasting(record, &record->starts, sizeof start * at, start, sizeof start);
}

static void record_destroy(record *record)
{
    if (!record)
        return;
    record->memory->record_drop(record->recording);
    for (size_t i = 0; i < record->feeds.count; i++) {
        weir_tensor_release(&record->feeds.at[i].there);
        weir_tensor_release(&record->feeds.at[i].last);
    }
    for (size_t i = 0; i < record->hosts.count; i++)
        weir_var_release(record->hosts.at[i]);
    for (size_t i = 0; i < record->takes.count; i++) {
        weir_tensor_release(&record->takes.at[i].there);
        weir_tensor_release(&record->takes.at[i].here);
    }
    for (size_t i = 0; i < record->uses.count; i++) {
        weir_tensor_release(&record->uses.at[i].held);
        weir_var_release(record->uses.at[i].var);
    }
    for (size_t i = 0; i < record->constants.count; i++)
        weir_tensor_release(&record->constants.at[i]);
    weir_tensor_release(&record->starts);
    weir_vec_fini(&record->feeds);
    weir_vec_fini(&record->takes);
    weir_vec_fini(&record->uses);
    weir_vec_fini(&record->draws);
    weir_vec_fini(&record->hosts);
    weir_vec_fini(&record->constants);
    weir_free(record->results);
    weir_free(record);
}

/* ---- recording ------------------------------------------------------------------------------ */

static bool lay_somewhere(const record *record, const void *at)
{
    for (size_t i = 0; i < record->uses.count; i++)
        if (record->uses.at[i].at == at)
            return true;
    return false;
}

/* Moves a variable's value out of the recordings' memory, which replays overwrite. */
static weir_status move_out(record *record, weir_var *var)
{
    weir_memory *memory = record->memory;
    weir_tensor value = var->value, there;
    if (lay_somewhere(record, value.data))
        return WEIR_OK;
    WEIR_TRY(alloc_lasting(record, value.dtype, &value.shape, &there));
    weir_status status = memory->copy(memory, there.data, value.data, weir_tensor_bytes(&value));
    if (status) {
        weir_tensor_release(&there);
        return status;
    }
    var->value = there;
    weir_tensor_release(&value);
    return WEIR_OK;
}

/* Copies a variable's value to its address before the step. */
static weir_status move_back(record *record, used *used)
{
    weir_var *var = used->var;
    weir_memory *memory = record->memory;
    if (!used->held.buffer)
        return weir_error(WEIR_ABORTED, "a variable has moved");
    if (lay_somewhere(record, var->value.data) ||
        !weir_shape_eq(&var->value.shape, &used->held.shape))
        return weir_error(WEIR_FAILED_PRECONDITION, "variables change places or shapes");
    WEIR_TRY(
        memory->copy(memory, used->held.data, var->value.data, weir_tensor_bytes(&var->value)));
    weir_tensor moved = var->value;
    var->value = used->held;
    used->held = (weir_tensor){0};
    weir_tensor_release(&moved);
    return WEIR_OK;
}

static weir_status settle(record *record, kind *kind, used *used)
{
    weir_var *var = used->var;
    weir_mutex_lock(&var->lock);
    weir_status status = WEIR_OK;
    bool there = var->value.buffer && var->value.buffer->memory == record->memory;
    if (!used->at || !there)
        status = weir_error(WEIR_FAILED_PRECONDITION, "a variable is not on the device");
    else if (var->value.data != used->at)
        status = move_back(record, used);
    if (status && there)
        weir_status_free(move_out(record, var)); /* if not: replays see that the memory is in use */
    weir_tensor_release(&used->held);
    used->held = (weir_tensor){0};
    used->unique = weir_tensor_unique(&var->value);
    weir_mutex_unlock(&var->lock);
    if (weir_status_code(status) == WEIR_ABORTED) {
        weir_log(WEIR_LOG_DEBUG, "a recorded step moves a variable of shape %s",
                 WEIR_SHAPE_STR(&var->shape));
        weir_vec_push(&kind->movers, var);
    }
    return status;
}

static int by_address(const void *a, const void *b)
{
    const used *first = a, *second = b;
    return ((uintptr_t)first->var > (uintptr_t)second->var) -
           ((uintptr_t)first->var < (uintptr_t)second->var);
}

static weir_status settle_all(record *record, kind *kind)
{
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < record->uses.count; i++) { /* all, to find every one that moves */
        weir_status one = settle(record, kind, &record->uses.at[i]);
        if (status)
            weir_status_free(one);
        else
            status = one;
    }
    if (record->uses.count)
        qsort(record->uses.at, record->uses.count, sizeof *record->uses.at, by_address);
    return status;
}

/* Records the sources of the captured step's results. */
static void note_results(record *record, const step *st)
{
    record->results = WEIR_NEW_ARRAY(result, st->plan->ret_count + 1);
    for (int i = 0; i < st->plan->ret_count; i++) {
        const weir_tensor *value = &st->rets[i];
        record->results[i].taken = -1;
        for (size_t k = 0; value->buffer && k < record->takes.count; k++)
            if (record->takes.at[k].here.data == value->data)
                record->results[i].taken = (int)k;
        if (record->results[i].taken < 0 && value->buffer)
            weir_vec_push(&record->constants, record->results[i].same = weir_tensor_share(value));
    }
    for (size_t k = 0; k < record->takes.count; k++)
        weir_tensor_release(&record->takes.at[k].here);
    for (size_t k = 0; k < record->takes.count; k++)
        record->takes.at[k].here = (weir_tensor){0};
}

/* Values copied in each step must still be in host memory: a variable that moved to the device
 * would be overwritten with its old value by every replay. */
static weir_status settle_hosts(const record *record)
{
    bool here = true;
    for (size_t i = 0; i < record->hosts.count; i++) {
        weir_var *var = record->hosts.at[i];
        weir_mutex_lock(&var->lock);
        here &= var->value.buffer && !var->value.buffer->memory;
        weir_mutex_unlock(&var->lock);
    }
    return here ? WEIR_OK
                : weir_error(WEIR_FAILED_PRECONDITION, "a variable came to another memory");
}

static weir_status end_recording(record *record, kind *kind, const step *st)
{
    weir_status status = settle_hosts(record);
    if (!status)
        status = settle_all(record, kind);
    weir_status end = record->memory->record_end(record->recording);
    note_results(record, st);
    if (!status)
        return end;
    weir_status_free(end);
    return status;
}

static void give_up(kind *kind, weir_status why)
{
    if (weir_status_code(why) != WEIR_ABORTED) /* movers are known now: retry at once */
        kind->failures++;
    kind->next_try = kind->runs + (1ll << kind->failures);
    weir_log(WEIR_LOG_DEBUG, "a step is not recorded: %s", weir_status_message(why));
    weir_status_free(why);
}

/* The step runs even if its recording fails. */
static bool record_step(step *st, kind *kind, weir_memory *memory, void (*run)(step *))
{
    record *made = WEIR_NEW(record);
    *made = (record){.base = {bring, take, use, draw},
                     .memory = memory,
                     .kind = kind,
                     .args = st->args,
                     .removals = weir_resources_removals(st->run->resources)};
    weir_status status = memory->record_begin(memory, &kind->rehearsal, &made->recording);
    if (status) {
        give_up(kind, status);
        weir_free(made);
        return false;
    }
    st->run->recorder = &made->base;
    run(st);
    st->run->recorder = NULL;
    status = end_recording(made, kind, st);
    if (st->status) {
        weir_status_free(status);
        status = weir_error(WEIR_CANCELLED, "the step failed");
    }
    if (status) {
        give_up(kind, status);
        record_destroy(made);
    } else {
        weir_metric_add(WEIR_METRIC_STEPS_RECORDED, 1);
        kind->record = made;
        kind->replays = 0;
    }
    return true;
}

/* ---- replaying ------------------------------------------------------------------------------ */

/* Which locks are acquired depends on values: the analysis cannot follow. */
static bool lock_variables(const record *record) WEIR_UNCHECKED_LOCKING
{
    bool same = true;
    for (size_t i = 0; i < record->uses.count; i++) {
        const used *used = &record->uses.at[i];
        weir_mutex_lock(&used->var->lock);
        const weir_tensor *value = &used->var->value;
        same &= value->buffer && value->buffer->memory == record->memory && value->data == used->at;
    }
    return same;
}

static void unlock_variables(const record *record) WEIR_UNCHECKED_LOCKING
{
    for (size_t i = 0; i < record->uses.count; i++)
        weir_mutex_unlock(&record->uses.at[i].var->lock);
}

static bool others_read(const record *record)
{
    for (size_t i = 0; i < record->uses.count; i++)
        if (record->uses.at[i].unique && !weir_tensor_unique(&record->uses.at[i].var->value))
            return true;
    return false;
}

static weir_status bring_starts(const record *record)
{
    uint64_t starts[MOST_DRAWS * 3];
    for (size_t i = 0; i < record->draws.count; i++)
        record->draws.at[i].draw(record->draws.at[i].stream, record->draws.at[i].blocks,
                                 &starts[3 * i]);
    return record->draws.count ? record->memory->copy_in(record->memory, record->starts.data,
                                                         starts, 24 * record->draws.count)
                               : WEIR_OK;
}

static weir_status bring_arg(const record *record, const fed *fed, const weir_tensor *arg)
{
    return record->memory->copy_in(record->memory, fed->there.data, arg->data,
                                   weir_tensor_bytes(arg));
}

/* UNAVAILABLE: the variable has no matching value. */
static weir_status bring_variable(const record *record, fed *fed)
{
    weir_tensor value;
    if (!weir_var_read(fed->var, &value))
        return weir_error(WEIR_UNAVAILABLE, "a variable has no value");
    bool fits = !value.buffer->memory && value.dtype == fed->last.dtype &&
                weir_shape_eq(&value.shape, &fed->last.shape);
    weir_status status = WEIR_OK;
    if (!fits)
        status = weir_error(WEIR_UNAVAILABLE, "a variable has another shape");
    else if (value.data != fed->last.data)
        status = bring_arg(record, fed, &value);
    if (status) {
        weir_tensor_release(&value);
        return status;
    }
    weir_tensor_release(&fed->last);
    fed->last = value;
    return WEIR_OK;
}

static weir_status bring_feeds(const record *record, const weir_tensor *args)
{
    for (size_t i = 0; i < record->feeds.count; i++) {
        fed *fed = &record->feeds.at[i];
        WEIR_TRY(fed->var ? bring_variable(record, fed) : bring_arg(record, fed, &args[fed->arg]));
    }
    return WEIR_OK;
}

static weir_status fetch(const record *record, const step *st)
{
    for (int i = 0; i < st->plan->ret_count; i++) {
        const result *result = &record->results[i];
        if (result->taken < 0) {
            if (result->same.buffer)
                st->rets[i] = weir_tensor_share(&result->same);
            continue;
        }
        const weir_tensor *there = &record->takes.at[result->taken].there;
        WEIR_TRY(weir_tensor_alloc(there->dtype, &there->shape, &st->rets[i]));
        WEIR_TRY(record->memory->copy_out(record->memory, st->rets[i].data, there->data,
                                          weir_tensor_bytes(there)));
    }
    return WEIR_OK;
}

/* One that lost its memory is recorded again at once: a normal step needs as much. */
static void forget(kind *kind, bool lost)
{
    enum { LASTED = 64 }; /* steps after which a recording has paid off */
    kind->failures = kind->replays >= LASTED ? 0 : kind->failures + 1;
    kind->next_try = kind->runs + (lost ? 0 : 1ll << kind->failures);
    record_destroy(kind->record);
    kind->record = NULL;
}

/* Random numbers are only drawn for a step that is replayed. */
static weir_status replay(const record *record, const step *st)
{
    weir_memory *memory = record->memory;
    if (memory->recording_state(record->recording) != WEIR_RECORDING_READY)
        return weir_error(WEIR_UNAVAILABLE, "not now");
    WEIR_TRY(bring_feeds(record, st->args));
    WEIR_TRY(bring_starts(record));
    return memory->replay(record->recording);
}

static bool replay_step(step *st, kind *kind)
{
    const record *record = kind->record;
    bool good = weir_resources_removals(st->run->resources) == record->removals;
    bool same = lock_variables(record) && good;
    if (!same || others_read(record)) {
        unlock_variables(record);
        if (!same)
            forget(kind, false);
        return false;
    }
    weir_status status = replay(record, st);
    unlock_variables(record);
    if (weir_status_code(status) == WEIR_UNAVAILABLE) {
        weir_status_free(status);
        if (record->memory->recording_state(record->recording) == WEIR_RECORDING_LOST)
            forget(kind, true);
        return false;
    }
    if (!status)
        status = fetch(record, st);
    if (status)
        weir_step_fail(st, NULL, status);
    kind->replays++;
    weir_metric_add(WEIR_METRIC_STEPS_REPLAYED, 1);
    return true;
}

/* ---- kinds of steps ------------------------------------------------------------------------- */

/* The kind with |key|, which is taken over if new; null: too many. */
static kind *find_kind(struct plan_records *records, weir_buf *key) WEIR_REQUIRES(records->lock)
{
    for (int i = 0; i < records->count; i++) {
        weir_buf *other = &records->kinds[i].key;
        if (other->length == key->length &&
            (!key->length || memcmp(other->at, key->at, key->length) == 0))
            return &records->kinds[i];
    }
    if (records->count == MOST_KINDS)
        return NULL;
    kind *made = &records->kinds[records->count++];
    weir_memory *memory = records->what->memory;
    *made = (kind){.key = *key, .next_try = memory->has_recordings(memory) ? 1 : FIRST_RUNS + 1};
    *key = (weir_buf){0};
    return made;
}

static bool run_kind(step *st, struct plan_records *records, void (*run)(step *))
    WEIR_REQUIRES(records->lock)
{
    WEIR_BUF(key);
    kind *kind = weir_recordable_key(records->what, st, &key) ? find_kind(records, &key) : NULL;
    if (!kind)
        return false;
    kind->runs++;
    if (kind->record && replay_step(st, kind))
        return true;
    if (kind->record)
        return false;
    if (kind->runs < kind->next_try || kind->failures >= MOST_FAILURES)
        return false;
    return record_step(st, kind, records->what->memory, run);
}

bool weir_step_recorded(step *st, void (*run)(step *st))
{
    struct plan_records *records = st->plan->records;
    if (st->has_ports || st->check || st->run->collector || st->failed ||
        !weir_mutex_try_lock(&records->lock))
        return false;
    bool done = run_kind(st, records, run);
    weir_mutex_unlock(&records->lock);
    return done;
}

struct plan_records *weir_plan_records_create(const weir_plan *plan)
{
    char why[256];
    if (weir_env_get()->no_record)
        return NULL;
    plan_recordable *what = weir_plan_recordable(plan, why);
    if (!what && *why)
        weir_log(WEIR_LOG_DEBUG, "steps are not recorded: %s", why);
    if (!what)
        return NULL;
    struct plan_records *records = WEIR_NEW(struct plan_records);
    records->what = what;
    weir_mutex_init(&records->lock);
    return records;
}

void weir_plan_records_destroy(struct plan_records *records)
{
    if (!records)
        return;
    for (int i = 0; i < records->count; i++) {
        record_destroy(records->kinds[i].record);
        if (records->kinds[i].rehearsal)
            records->what->memory->rehearsal_free(records->kinds[i].rehearsal);
        weir_vec_fini(&records->kinds[i].movers);
        weir_buf_fini(&records->kinds[i].key);
    }
    weir_mutex_fini(&records->lock);
    weir_free(records->what->by_value);
    weir_free(records->what);
    weir_free(records);
}
