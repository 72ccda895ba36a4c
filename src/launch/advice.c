/* launch/advice.c - lines to omit from a report, and exceptions with a known remedy. */
#include "launch/advice.h"

#include <string.h>

/* Parts of lines that TensorFlow prints on import. */
static const char *const noise[] = {
    "I tensorflow/",
    "W tensorflow/",
    "I external/local_",
    "E external/local_",
    "WARNING: All log messages before absl::InitializeLog",
    "To enable the following instructions:",
    "oneDNN custom operations are on",
    "FutureWarning: Passing (type, 1)",
    "np_resource = np.dtype(",
    "_np_qint",
    "_np_quint",
};

bool run_is_noise(weir_str line)
{
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        if (memmem(line.at, line.length, noise[i], strlen(noise[i])))
            return true;
    return false;
}

#define OLD_PROGRAM                                                                                \
    "The program is written for TensorFlow 1.x. 'weir run --tf1' gives it tensorflow.compat.v1 "   \
    "as "                                                                                          \
    "tensorflow; Weir's own front end needs no TensorFlow at all: 'weir help "                     \
    "run-tensorflow-1-programs'."

static const struct {
    const char *cause, *advice;
} cures[] = {
    {"module 'tensorflow' has no attribute", OLD_PROGRAM},
    {"No module named 'tensorflow.contrib", OLD_PROGRAM},
    {"No module named 'tensorflow.examples", OLD_PROGRAM},
    {"is not compatible with eager execution", OLD_PROGRAM},
    {"not supported when eager execution is enabled", OLD_PROGRAM},
    {"The Session graph is empty", OLD_PROGRAM},
    {"No module named 'tensorflow'",
     "TensorFlow is not installed for this interpreter: name another one by --python, or run the "
     "program on Weir's own front end: 'weir help run-tensorflow-1-programs'."},
};

const char *run_advice(const char *cause)
{
    for (size_t i = 0; cause && i < sizeof cures / sizeof *cures; i++)
        if (strstr(cause, cures[i].cause))
            return cures[i].advice;
    return NULL;
}
