/* dash/board.h - the contents of event files in this process's folders (io/event_folders.h). */
#ifndef WEIR_DASH_BOARD_H
#define WEIR_DASH_BOARD_H

#include "net/http.h"

/* Answers /api/board (JSON) and /api/image?n=NUMBER, with NUMBER from the former. False: another
 * path. Thread-safe; reads new data of the files. */
bool weir_board_answer(const weir_http_request *request, weir_http_reply *reply);

#endif
