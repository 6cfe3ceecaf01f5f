/*
 * The words for a stream's states and for where its reads came from: the same on the screen, in a
 * recording and in its replay.
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
	case STREAM_PREPARING:
		return "preparing";
	case STREAM_WAITING:
		return "waiting";
	case STREAM_PAUSED:
		return "paused";
	}
	return NULL;
}

bool stream_is_finished(enum stream_state state)
{
	return state == STREAM_ENDED || state == STREAM_FAILED;
}

const char *proof_name(enum proof proof)
{
	switch (proof) {
	case PROOF_UNKNOWN:
		return "";
	case PROOF_DISK:
		return "DISK";
	case PROOF_CACHE:
		return "CACHE";
	case PROOF_HOLE:
		return "HOLE";
	case PROOF_COMPRESSED:
		return "COMPRESSED";
	case PROOF_UNPROVEN:
		return "UNPROVEN";
	}
	return NULL;
}

const char *stream_source_name(enum stream_source source)
{
	switch (source) {
	case SOURCE_UNKNOWN:
		return "";
	case SOURCE_CLEAR:
		return "clear";
	case SOURCE_CACHED:
		return "cached";
	case SOURCE_HOLES:
		return "holes";
	case SOURCE_ENCODED:
		return "encoded";
	}
	return NULL;
}
