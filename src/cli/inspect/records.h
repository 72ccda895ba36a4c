/* cli/inspect/records.h - iterates over record files, for the kinds based on them. */
#ifndef WEIR_CLI_INSPECT_RECORDS_H
#define WEIR_CLI_INSPECT_RECORDS_H

#include "cli/inspect/inspect.h"
#include "io/record.h"

bool inspect_begins_with_record(const inspect_place *place);
/* Calls each(arg, record) for each record; DATA_LOSS names the position of damage. */
weir_status inspect_each_record(const inspect_place *place,
                                void (*each)(void *arg, weir_str record), void *arg);

#endif
