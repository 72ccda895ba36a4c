/* cli/device.h - the --device option. */
#ifndef WEIR_CLI_DEVICE_H
#define WEIR_CLI_DEVICE_H

/* Makes sessions of this process and of its children use the devices of |device|, the --device of
 * |command|. A non-zero exit status: they are unavailable. Call it before anything reads the
 * environment. */
int weir_cli_use_device(const char *command, const char *device);

#endif
