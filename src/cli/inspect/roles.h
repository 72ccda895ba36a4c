/* cli/inspect/roles.h - the purpose of each tensor in a checkpoint.
 *
 * Every checkpoint contains an optimiser's slots, counters and copies of variables besides the
 * model's parameters; without the distinction, a model trained by Adam would count as three times
 * its size.
 */
#ifndef WEIR_CLI_INSPECT_ROLES_H
#define WEIR_CLI_INSPECT_ROLES_H

#include "command/output.h"
#include "io/checkpoint.h"

typedef enum inspect_role {
    INSPECT_PARAMETER, /* of the model, trained or not */
    INSPECT_OPTIMIZER, /* slots and settings of an optimizer, moving averages */
    INSPECT_COUNTER,   /* steps and saves */
    INSPECT_METRIC,    /* accumulators of a metric */
    INSPECT_COPY,      /* a variable also saved under another name */
    INSPECT_OTHER,     /* strings: the object graph */
    INSPECT_ROLES
} inspect_role;
const char *inspect_role_name(inspect_role role);

typedef struct inspect_variable {
    weir_tensor_info info; /* name, dtype, shape */
    inspect_role role;
} inspect_variable;
typedef WEIR_VEC(inspect_variable) inspect_variables;

/* Decides by names, as in graphs of TensorFlow 1: "w/Adam" beside "w" of the same shape is a
 * slot. */
void inspect_roles_by_name(inspect_variables *variables);
/* The tensors of a checkpoint with their roles: from its object graph if there is one. The names
 * live as long as the checkpoint. */
void inspect_roles_of_checkpoint(weir_checkpoint *checkpoint, inspect_variables *out_variables);

/* The number of tensors with a role, and of their elements. */
int64_t inspect_count(const inspect_variables *variables, inspect_role role);
int64_t inspect_elements(const inspect_variables *variables, inspect_role role);
/* Fields "parameters" and "optimizer_state". */
void inspect_role_fields(const inspect_variables *variables, weir_output *output);

#endif
