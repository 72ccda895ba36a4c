/* cli/op_names.h - the names of the catalogue, for files that see no ops. */
#ifndef WEIR_CLI_OP_NAMES_H
#define WEIR_CLI_OP_NAMES_H

/* Calls each(name, arg) for every op that clients may use, sorted. */
void weir_ops_each(void (*each)(const char *name, void *arg), void *arg);

#endif
