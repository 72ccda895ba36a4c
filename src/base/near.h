/* base/near.h - how much two words differ, to guess what a misspelt one means. */
#ifndef WEIR_BASE_NEAR_H
#define WEIR_BASE_NEAR_H

enum { WEIR_NEAR_LENGTH = 64 };

/* The letters to change, drop or add to make |b| of |a|; both are shorter than WEIR_NEAR_LENGTH. */
int weir_edit_distance(const char *a, const char *b);

#endif
