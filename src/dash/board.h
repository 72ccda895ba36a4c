/* dash/board.h - what the event files of this process's folders hold (io/event_folders.h). */
#ifndef WEIR_DASH_BOARD_H
#define WEIR_DASH_BOARD_H

#include "net/http.h"

/* Answers /api/board (JSON) and /api/image?n=NUMBER, with NUMBER out of the former. False: it is
 * another path. Thread-safe; reads what is new in the files. */
bool weir_board_answer(const weir_http_request *request, weir_http_reply *reply);

#endif
