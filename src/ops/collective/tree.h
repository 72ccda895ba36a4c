/* ops/collective/tree.h - broadcasting over trees of a group's members. */
#ifndef WEIR_OPS_COLLECTIVE_TREE_H
#define WEIR_OPS_COLLECTIVE_TREE_H

#include "ops/collective/exchange.h"

/* An exchange with these first fields; its out is allocated, and is the value at the source. */
void weir_tree_start(const weir_exchange *first);

#endif
