/*
 * The words for a stream's states: the same on the screen, in a recording and in its replay. A
 * stream goes through them in this order, and may leave out all but the first and one of the
 * last two.
 */
#include "raidtop/stream_view.h"

#include <stddef.h>

const char *stream_state_name(enum stream_state state)
{
	switch (state) {
	case STREAM_STARTING:
		return "starting";
	case STREAM_RUNNING:
		return "running";
	case STREAM_STOPPING:
		return "stopping";
	case STREAM_ENDED:
		return "ended";
	case STREAM_FAILED:
		return "failed";
	}
	return NULL;
}
