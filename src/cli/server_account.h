/* cli/server_account.h - a server's totals, for the launcher that started it. */
#ifndef WEIR_CLI_SERVER_ACCOUNT_H
#define WEIR_CLI_SERVER_ACCOUNT_H

#include <stdio.h>

/* Prints the lines that launch/closing.h parses. */
void weir_server_print_account(FILE *out);

#endif
