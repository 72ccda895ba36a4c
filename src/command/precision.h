/* command/precision.h - the option --precision of commands that compute. */
#ifndef WEIR_COMMAND_PRECISION_H
#define WEIR_COMMAND_PRECISION_H

#define WEIR_PRECISIONS "own|float|bf16" /* own: by WEIR_PRECISION */
#define WEIR_PRECISION_HELP "on devices, compute type of products and convolutions"

/* Sets the precision of sessions of this process and its children: an index into the choices. Call
 * it before anything reads the environment. */
void weir_cli_use_precision(int choice);

#endif
