/* cli/completion.h - shell completion scripts for weir. */
#ifndef WEIR_CLI_COMPLETION_H
#define WEIR_CLI_COMPLETION_H

typedef struct weir_shell {
    const char *name;   /* "bash" */
    const char *folder; /* its installation folder, below share */
    const char *file;
    const char *script; /* calls "weir complete" for the candidates */
} weir_shell;

enum { WEIR_SHELLS = 3 };
extern const weir_shell weir_shells[WEIR_SHELLS];

#endif
