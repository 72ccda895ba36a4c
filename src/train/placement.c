/* train/placement.c - assigns nodes to tasks, like replica_device_setter. */
#include <stdio.h>
#include <string.h>

#include "train/balance.h"
#include "train/train_impl.h"

/* Ops whose state the workers share. */
static const char *const kept[] = {
    "Variable",
    "VariableV2",
    "AutoReloadVariable",
    "MutableHashTable",
    "MutableHashTableV2",
    "MutableHashTableOfTensors",
    "MutableHashTableOfTensorsV2",
    "MutableDenseHashTable",
    "MutableDenseHashTableV2",
    "VarHandleOp",
    "BoostedTreesEnsembleResourceHandleOp",
    "BoostedTreesQuantileStreamResourceHandleOp",
    "ResourceConditionalAccumulator",
    "DecisionTreeResource",
};

static bool is_kept(const char *type)
{
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strcmp(kept[i], type) == 0)
            return true;
    return false;
}

static int choose_task(placement *placement, int64_t bytes)
{
    if (placement->balance == WEIR_ROUND_ROBIN) {
        int task = placement->next;
        placement->next = (placement->next + 1) % placement->ps_count;
        return task;
    }
    int task = 0;
    for (int i = 1; i < placement->ps_count; i++)
        if (placement->loads[i] < placement->loads[task])
            task = i;
    placement->loads[task] += bytes;
    return task;
}

const char *weir_placement_choose(void *placement_, const char *type, int64_t bytes)
{
    placement *placement = placement_;
    if (!placement->ps_count || !is_kept(type))
        return placement->worker;
    snprintf(placement->at, sizeof placement->at, "/job:ps/task:%d", choose_task(placement, bytes));
    return placement->at;
}

/* ---- balance --------------------------------------------------------------------------------- */

static double mean(const int64_t *loads, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)loads[i];
    return sum / count;
}

static void add_loads(const weir_trainer *trainer, int64_t *loads)
{
    for (size_t i = 0; i < trainer->variables.count; i++) {
        const variable *variable = trainer->variables.at[i];
        int task;
        if (sscanf(variable->device, "/job:ps/task:%d", &task) == 1 && task >= 0 &&
            task < trainer->placement.ps_count)
            loads[task] += weir_trainer_bytes_of(variable);
    }
}

bool weir_trainer_balance(const weir_trainer *trainer, weir_buf *out)
{
    int count = trainer->placement.ps_count;
    if (count < 2)
        return false;
    int64_t *loads = WEIR_NEW_ARRAY(int64_t, count), most = 0;
    add_loads(trainer, loads);
    weir_buf_adds(out, "variables on the parameter servers, MB:");
    for (int i = 0; i < count; i++) {
        weir_buf_addf(out, "%s %.3g", i ? "," : "", (double)loads[i] / 1e6);
        most = loads[i] > most ? loads[i] : most;
    }
    double fair = mean(loads, count);
    if (fair > 0)
        weir_buf_addf(out, "; the largest share is %.2f of the mean", (double)most / fair);
    weir_free(loads);
    return true;
}
