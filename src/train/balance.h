/* train/balance.h - how a trainer's variables are spread over the parameter servers. */
#ifndef WEIR_TRAIN_BALANCE_H
#define WEIR_TRAIN_BALANCE_H

#include "base/str.h"
#include "weir/train.h"

/* Appends the bytes of variables, with the optimiser's, on each parameter server, in words. False:
 * there are fewer than two. */
bool weir_trainer_balance(const weir_trainer *trainer, weir_buf *out);

#endif
