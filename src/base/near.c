/* base/near.c - edit distance, row by row. */
#include "base/near.h"

#include <string.h>

int weir_edit_distance(const char *a, const char *b)
{
    int row[WEIR_NEAR_LENGTH], length = (int)strlen(b);
    for (int j = 0; j <= length; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            int change = corner + (a[i - 1] != b[j - 1]), drop = row[j] + 1, add = row[j - 1] + 1;
            corner = row[j];
            row[j] = change < drop ? change : drop;
            row[j] = add < row[j] ? add : row[j];
        }
    }
    return row[length];
}
