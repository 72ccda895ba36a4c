/* cli/device.h - devices that a command is told to use. */
#ifndef WEIR_CLI_DEVICE_H
#define WEIR_CLI_DEVICE_H

/* Makes sessions of this process and of those it starts use the devices of |device|, as --device of
 * |command| names them: they are there, or the exit status is not 0 and nothing should begin. Call
 * it before anything reads the environment. */
int weir_cli_use_device(const char *command, const char *device);

#endif
