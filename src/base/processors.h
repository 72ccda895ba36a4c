/* base/processors.h - sharing the processors with other processes of the machine. */
#ifndef WEIR_BASE_PROCESSORS_H
#define WEIR_BASE_PROCESSORS_H

/* Other processes need the processors: idle threads of the shared pool sleep at once. */
void weir_processors_share(void);

#endif
