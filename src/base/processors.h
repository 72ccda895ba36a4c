/* base/processors.h - how this process behaves towards others on the same machine. */
#ifndef WEIR_BASE_PROCESSORS_H
#define WEIR_BASE_PROCESSORS_H

/* Others need the processors too: threads of the shared pool that find no work sleep at once. */
void weir_processors_share(void);

#endif
