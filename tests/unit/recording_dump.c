/* Everything that is known at a tick, as text: what differs is seen, and where. Files, too. */
#include "recording_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raidtop/fields.h"
#include "raidtop/file.h"
#include "raidtop/stream_summary.h"

static void dump_fields(struct buffer *out, enum field_owner owner, const void *from)
{
	char value[FIELD_VALUE_BYTES];

	for (size_t i = 0; i < n_fields; i++) {
		if (fields[i].owner == owner &&
		    field_format(&fields[i], from, value, sizeof(value)))
			buffer_format(out, "  %s=%s\n", fields[i].key, value);
	}
}

/* A device that is gone is as good as none: a recording need not have known it. */
static const char *name_at(const struct topology *t, int slot)
{
	if (slot < 0 || (size_t)slot >= t->n_devices || !t->devices[slot]->present)
		return "-";
	return t->devices[slot]->name;
}

static void dump_array(struct buffer *out, const struct topology *t, const struct array *a)
{
	dump_fields(out, FIELD_OF_ARRAY, a);
	buffer_format(out, "  percent=%d done=%" PRIu64 " total=%" PRIu64 "\n",
		      a->action.percent_tenths, a->action.done_bytes, a->action.total_bytes);
	for (size_t i = 0; i < a->n_members; i++) {
		buffer_format(out, "  member %zu on %s\n", i, name_at(t, a->members[i].device));
		dump_fields(out, FIELD_OF_MEMBER, &a->members[i]);
	}
}

static void dump_figures(struct buffer *out, const struct figures *f, bool totals)
{
	buffer_format(out, "  gap=%s derived=%d\n", gap_name(f->gap), f->derived);
	for (enum rate r = 0; r < RATE_COUNT; r++) {
		uint64_t bits;

		memcpy(&bits, &f->value[r], sizeof(bits));
		if (figures_has(f, r))
			buffer_format(out, "  %s=%016" PRIx64 "\n", rate_descriptions[r].column,
				      bits);
	}
	for (enum counter c = 0; totals && c < COUNTER_COUNT; c++) {
		if (counters_has(&f->totals, c))
			buffer_format(out, "  %s=%" PRIu64 "\n", counter_descriptions[c].column,
				      f->totals.value[c]);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct device *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static void dump_device(struct buffer *out, const struct topology *t, const struct tick *tick,
			const struct device *d)
{
	size_t slot = 0;

	while (t->devices[slot] != d)
		slot++;
	buffer_format(out, "%s on %s\n", d->name, name_at(t, d->parent));
	dump_fields(out, FIELD_OF_DEVICE, d);
	dump_fields(out, FIELD_OF_DISK, &d->disk);
	if (d->array)
		dump_array(out, t, d->array);
	assert_true(slot < tick->n_devices);
	dump_figures(out, &tick->devices[slot], true);
}

void dump_tick(struct buffer *out, const struct topology *t, const struct tick *tick, bool totals)
{
	const struct device **devices = calloc(t->n_devices, sizeof(const struct device *));

	assert_non_null(devices);
	for (size_t i = 0; i < t->n_devices; i++)
		devices[i] = t->devices[i];
	qsort(devices, t->n_devices, sizeof(const struct device *), by_name);
	buffer_format(out,
		      "tick %" PRIu64 " after %" PRIu64 " at %" PRId64 " gap=%s missed=%u\n"
		      "%s %s\n",
		      tick->elapsed_us, tick->interval_us, tick->realtime_ms, gap_name(tick->gap),
		      tick->missed_ticks, t->host, t->kernel);
	for (size_t i = 0; i < t->n_devices; i++) {
		if (devices[i]->present && !devices[i]->minor_interest)
			dump_device(out, t, tick, devices[i]);
	}
	buffer_add_text(out, "all\n");
	dump_figures(out, &tick->total, totals);
	free(devices);
}

static void dump_spec(struct buffer *out, const struct stream_spec *spec)
{
	buffer_add_text(out, "  ");
	stream_spec_format(spec, out);
	buffer_add_char(out, '\n');
}

/* Percentiles and ends; those of nothing are not there. */
static void dump_latency(struct buffer *out, const char *what, const struct latency *l)
{
	struct latency_summary sum;

	latency_summarize(&sum, l);
	if (sum.count == 0)
		return;
	buffer_format(out, "  %s %" PRIu64 ": %" PRIu64 " .. %" PRIu64 " %" PRIu64 " %" PRIu64,
		      what, sum.count, l->min_ns, sum.p50_ns, sum.p95_ns, sum.p99_ns);
	buffer_format(out, " %" PRIu64 " %" PRIu64 "\n", sum.p999_ns, sum.max_ns);
}

void dump_streams(struct buffer *out, const struct stream_view *streams, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct stream_view *v = &streams[i];

		buffer_format(out, "stream %u %s of %s on %s: %s %s\n", v->number, v->spec.workload,
			      v->spec.target, v->spec.device, stream_state_name(v->state), v->why);
		buffer_format(out, "  %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, v->read_bytes,
			      v->write_bytes, v->read_ios, v->write_ios);
		buffer_format(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, v->read_ns,
			      v->write_ns, v->running_ns, v->oldest_io_ns);
		buffer_format(out, " %.3f %.3f\n", v->read_bytes_per_sec, v->write_bytes_per_sec);
		dump_spec(out, &v->spec);
		buffer_format(out,
			      "  group %u errors %" PRIu64 " began %" PRIu64 " paused %" PRIu64,
			      v->group, v->errors, v->began_ns, v->paused_ns);
		buffer_format(out, " sync %" PRIu64 " prepared %" PRIu64 "/%" PRIu64 "\n",
			      v->sync_ns, v->prepared_bytes, v->prepare_bytes);
		buffer_format(out, "  cpu %" PRIu64 " %" PRIu64 " disk %" PRIu64 "/%" PRIu64,
			      v->cpu_user_ns, v->cpu_system_ns, v->disk_read_bytes,
			      v->disk_read_of_bytes);
		buffer_format(out, " %s %" PRIu64 " %s %.3f [%s] [%s]\n",
			      stream_source_name(v->source), v->cached_bytes, proof_name(v->proof),
			      v->disk_pct, v->file, v->note);
		dump_latency(out, "reads", v->read_latency);
		dump_latency(out, "writes", v->write_latency);
		dump_latency(out, "scheduled", v->scheduled_latency);
		buffer_format(out, "  %.0f .. %.0f first %" PRIu64 "\n", v->low_bytes_per_sec,
			      v->high_bytes_per_sec, v->first_ns);
	}
}

/* ---- files ---- */

static char scratch[64];

const char *scratch_make(void)
{
	text_copy(scratch, sizeof(scratch), "/tmp/raidtop-recording-XXXXXX");
	assert_non_null(mkdtemp(scratch));
	return scratch;
}

const char *scratch_path(const char *name)
{
	static char paths[4][128];
	static size_t next;
	char *path = paths[next++ % 4];

	assert_true(text_format(path, sizeof(paths[0]), "%s/%s", scratch, name));
	return path;
}

void scratch_remove(void)
{
	DIR *dir = opendir(scratch);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(scratch);
}

char *read_whole(const char *path, size_t *ret_len)
{
	struct stat st;
	char *data;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	data = malloc((size_t)st.st_size + 1);
	assert_non_null(data);
	while ((n = read(fd, data + len, (size_t)st.st_size - len)) > 0)
		len += (size_t)n;
	assert_int_equal(len, st.st_size);
	data[len] = '\0';
	close(fd);
	*ret_len = len;
	return data;
}

void write_whole(const char *path, const void *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, data, len), 0);
	close(fd);
}

struct sink *sink_to(const char *path)
{
	struct csv_options options = {
		.path = path,
		.interval_ns = 1000000000,
		.boot_id = "5c1d-test",
		.start_realtime_ms = 1796050327000,
	};
	struct sink *sink;
	char why[256] = "";

	if (sink_csv_new(&options, &sink, why, sizeof(why)) < 0)
		fail_msg("%s", why);
	return sink;
}
