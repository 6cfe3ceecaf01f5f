/*
 * Frames on their way to the terminal. A frame goes out in one write; where the terminal takes
 * less at once, the rest is kept, and no other frame is begun before it is out. Whether the
 * terminal knows synchronized updates (DEC mode 2026) is asked along with the first frame, which
 * does not wait for the answer: later ones are wrapped once it has come.
 */
#include "output.h"

#include <string.h>

#include "raidtop/clock.h"

#define ASK_SYNCHRONIZED "\033[?2026$p"
#define BEGIN_SYNCHRONIZED "\033[?2026h"
/* When a terminal that has not answered is taken for one that never will. */
#define ANSWER_WAIT_NS (5 * NS_PER_SEC)

/* These print a question that they do not understand, or never answer one. */
static bool answers_questions(const char *term)
{
	static const char *const silent[] = { "linux", "vt1", "vt2", "ansi", "cons", "screen" };

	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
		if (strncmp(term, silent[i], strlen(silent[i])) == 0)
			return false;
	return true;
}

void output_init(struct output *o, const char *term)
{
	*o = (struct output){ .may_ask = answers_questions(term) };
}

void output_release(struct output *o)
{
	buffer_release(&o->bytes);
}

bool output_is_idle(const struct output *o)
{
	return o->sent == o->bytes.len;
}

int output_flush(struct output *o, struct tty *tty, int patience_ms)
{
	size_t n;
	int r;

	if (output_is_idle(o))
		return 0;
	r = tty_write(tty, o->bytes.data + o->sent, o->bytes.len - o->sent, patience_ms, &n);
	o->sent += n;
	o->total_bytes += n;
	return r;
}

void output_frame(struct output *o, const struct buffer *raw, const struct paint *paint,
		  struct input *in)
{
	buffer_reset(&o->bytes);
	o->sent = 0;
	if (raw->len == 0)
		return;
	/* The question comes first: the frame paints over what the terminal may print of it. */
	if (o->may_ask && o->asked_ns == 0) {
		buffer_add_text(&o->bytes, ASK_SYNCHRONIZED);
		in->asked = true;
		o->asked_ns = clock_monotonic_ns();
	}
	if (in->synchronizes)
		buffer_add_text(&o->bytes, BEGIN_SYNCHRONIZED);
	if (paint)
		paint_apply(paint, raw->data, raw->len, &o->bytes);
	else
		buffer_add(&o->bytes, raw->data, raw->len);
	if (in->synchronizes)
		buffer_add_text(&o->bytes, OUTPUT_END_SYNCHRONIZED);
	o->frames++;
}

void output_expect(const struct output *o, struct input *in)
{
	if (in->asked && clock_monotonic_ns() - o->asked_ns > ANSWER_WAIT_NS)
		in->asked = false;
}
