/* Keys that start and steer streams: rows of the key table in keys.c. */
#ifndef RAIDTOP_KEYS_STREAMS_H
#define RAIDTOP_KEYS_STREAMS_H

#include "watch_state.h"

/* Opens the dialog for the selected device; starts what the dialog held last, at once. */
void keys_open_stream_dialog(struct watch *w, int argument);
void keys_start_again(struct watch *w, int argument);
/* A key while the dialog is open: model.dialog is not NULL. */
void keys_press_dialog(struct watch *w, int key);
/* To the streams and back to the devices. */
void keys_select_streams(struct watch *w, int argument);
void keys_stop_stream(struct watch *w, int argument);
void keys_pause_stream(struct watch *w, int argument);
/* 1: a faster limit, -1: a slower one, 0: none. */
void keys_change_rate(struct watch *w, int argument);

#endif
