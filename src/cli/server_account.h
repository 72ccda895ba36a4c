/* cli/server_account.h - what a server did, for the launcher that started it. */
#ifndef WEIR_CLI_SERVER_ACCOUNT_H
#define WEIR_CLI_SERVER_ACCOUNT_H

#include <stdio.h>

/* The lines that launch/closing.h reads. */
void weir_server_print_account(FILE *out);

#endif
