/* train/placement.c - assigns nodes to tasks, like replica_device_setter. */
#include <stdio.h>
#include <string.h>

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
