/* cli/inspect/records.h - files of records, as the kinds that are made of them read them. */
#ifndef WEIR_CLI_INSPECT_RECORDS_H
#define WEIR_CLI_INSPECT_RECORDS_H

#include "cli/inspect/inspect.h"
#include "io/record.h"

bool inspect_begins_with_record(const inspect_place *place);
/* Calls each(arg, record) in turn; DATA_LOSS says where the file is damaged. */
weir_status inspect_each_record(const inspect_place *place,
                                void (*each)(void *arg, weir_str record), void *arg);

#endif
