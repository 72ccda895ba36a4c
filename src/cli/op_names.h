/* cli/op_names.h - names of the registered ops, for files that may not include ops/. */
#ifndef WEIR_CLI_OP_NAMES_H
#define WEIR_CLI_OP_NAMES_H

/* Calls each(name, arg) for every public op, in sorted order. */
void weir_ops_each(void (*each)(const char *name, void *arg), void *arg);

#endif
