/* command/precision.h - the option --precision of commands that compute. */
#ifndef WEIR_COMMAND_PRECISION_H
#define WEIR_COMMAND_PRECISION_H

#define WEIR_PRECISIONS "own|float|bf16" /* own: as WEIR_PRECISION says */
#define WEIR_PRECISION_HELP "on devices, compute type of matrix products and convolutions"

/* Makes sessions of this process and of those it starts use that precision: an index into the
 * choices. Call it before anything reads the environment. */
void weir_cli_use_precision(int choice);

#endif
