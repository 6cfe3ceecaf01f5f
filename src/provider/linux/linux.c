/*
 * Linux as a provider: its life, what it waits on, and when a survey is due. The work is in the
 * files beside this one: survey.c says which devices there are, sample.c what they have done.
 *
 * Nothing here fails because a file is missing. A container has no udevd, a kernel without md no
 * /proc/mdstat, a bug report perhaps nothing but that one file: what is not there is unknown.
 */
#include "linux.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "raidtop/clock.h"
#include "raidtop/memory.h"

/* `provider` is the first member of linux_provider. */
static struct linux_provider *of(struct provider *base)
{
	return (struct linux_provider *)base;
}

static int provider_survey(struct provider *base, struct topology *t)
{
	return linux_survey(of(base), t);
}

/* Files of a root do not change by themselves: there is nothing to wait for. */
static size_t provider_poll_fds(struct provider *base, struct pollfd *fds)
{
	struct linux_provider *p = of(base);
	int events[MONITOR_SOCKETS];
	const size_t n_events = monitor_fds(&p->monitor, events);
	const struct pollfd candidates[] = {
		{ p->root[0] ? -1 : p->mdstat.fd, POLLPRI, 0 },
		{ temperatures_fd(&p->temperatures), POLLIN, 0 },
	};
	size_t n = 0;

	for (size_t i = 0; i < n_events; i++)
		fds[n++] = (struct pollfd){ events[i], POLLIN, 0 };
	for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++)
		if (candidates[i].fd >= 0)
			fds[n++] = candidates[i];
	return n;
}

/* Each source is emptied here and now, or the next wait would not wait. */
static void provider_dispatch(struct provider *base, const struct pollfd *fds, size_t n)
{
	struct linux_provider *p = of(base);

	for (size_t i = 0; i < n; i++) {
		if (!fds[i].revents)
			continue;
		if (monitor_has_fd(&p->monitor, fds[i].fd)) {
			p->dirty = monitor_take(&p->monitor, clock_monotonic_ns()) || p->dirty;
		} else if (fds[i].fd == temperatures_fd(&p->temperatures)) {
			temperatures_take(&p->temperatures);
		} else if (fds[i].fd == p->mdstat.fd) {
			mdstat_source_read(&p->mdstat, p->root);
			p->dirty = true;
		}
	}
}

static bool provider_dirty(struct provider *base)
{
	return of(base)->dirty;
}

static int provider_sample(struct provider *base, struct topology *t, struct snapshot *s)
{
	return linux_sample(of(base), t, s);
}

static void linux_free(struct provider *base)
{
	struct linux_provider *p = of(base);

	linux_sample_release(p);
	block_list_release(&p->blocks);
	mdstat_source_release(&p->mdstat);
	temperatures_release(&p->temperatures);
	monitor_release(&p->monitor);
	free(p);
}

static const struct provider_ops linux_ops = {
	.name = "linux",
	.survey = provider_survey,
	.poll_fds = provider_poll_fds,
	.dispatch = provider_dispatch,
	.dirty = provider_dirty,
	.sample = provider_sample,
	.free = linux_free,
};

/* The real path, so that links below it can be told from links out of it. */
static int set_root(struct linux_provider *p, const char *root)
{
	struct stat st;

	if (!root[0])
		return 0;
	if (stat(root, &st) < 0)
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	errno = ENAMETOOLONG;
	if (!sysfs_real(root, NULL, p->root, sizeof(p->root)))
		return -errno;
	if (strcmp(p->root, "/") == 0)
		p->root[0] = '\0';
	return 0;
}

int provider_system_new(const struct provider_options *options, struct provider **ret, char *why,
			size_t size)
{
	struct linux_provider *p = memory_new(1, sizeof(*p));
	int r = set_root(p, options->root);

	if (r < 0) {
		text_format(why, size, "the directory %s cannot be used: %s", options->root,
			    strerror(-r));
		free(p);
		return r;
	}
	p->base.ops = &linux_ops;
	p->show_all = options->show_all;
	p->dirty = true;
	p->start_ns = clock_monotonic_ns();
	/* A fork: before there is much to copy. */
	temperatures_init(&p->temperatures, p->root, options->temperature_ns);
	if (!p->root[0])
		monitor_init(&p->monitor);
	mdstat_source_init(&p->mdstat);
	block_list_init(&p->blocks);
	linux_sample_init(p);
	*ret = &p->base;
	return 0;
}
