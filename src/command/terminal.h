/* command/terminal.h - terminal width and colour. */
#ifndef WEIR_COMMAND_TERMINAL_H
#define WEIR_COMMAND_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

int weir_terminal_columns(FILE *stream); /* queried each time; 0: not a terminal */
int weir_terminal_bar(FILE *stream);     /* the same; 0 also if a line cannot be redrawn */
bool weir_terminal_color(FILE *stream);  /* a terminal with colours, and NO_COLOR is not set */

#endif
