/*
 * The characters that views draw with. Only such as nearly every font has: lines, blocks and a
 * few arrows. ASCII gets its own set, in which heights are told by how dark a character looks.
 */
#include "glyphs.h"

static const struct glyphs unicode = {
	.level = { ' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588 },
	.base = 0x2581,
	.spread = 0x2592,
	.mean = 0x2508,
	.gap_edge = 0x254e,
	.clipped = 0x25b2,
	.cut = 0x2026,
	.rule = 0x2500,
	.played = 0x2501,
	.tick = 0x2524,
	.line_left = 0x251c,
	.line_right = 0x2524,
	.here = 0x25bc,
	.event = 0x25c6,
	.more_above = 0x25b2,
	.more_below = 0x25bc,
	.part = { ' ', 0x258f, 0x258e, 0x258d, 0x258c, 0x258b, 0x258a, 0x2589 },
	.bar_left = 0x2595,
	.bar_right = 0x258f,
	.bar_rest = ' ',
	.tree_member = "├ ",
	.tree_last = "└ ",
	.idle = "·",
	.times = "×",
	.degree = "°",
	.to = "–",
	.dot = "·",
	.play = "▶",
	.pause = "‖",
	.record = "●",
	.read_mark = "▲",
	.write_mark = "▼",
};

static const struct glyphs ascii = {
	.level = { ' ', '.', ':', '-', '=', '+', '*', '#', '@' },
	.base = '_',
	.spread = '%',
	.mean = '.',
	.gap_edge = '|',
	.clipped = '^',
	.cut = '~',
	.rule = '-',
	.played = '=',
	.tick = '|',
	.line_left = '|',
	.line_right = '|',
	.here = 'V',
	.event = '*',
	.more_above = '^',
	.more_below = 'v',
	.part = { ' ', ' ', ' ', ' ', '#', '#', '#', '#' },
	.bar_left = '[',
	.bar_right = ']',
	.bar_rest = '.',
	.tree_member = "|-",
	.tree_last = "`-",
	.idle = ".",
	.times = "x",
	.degree = "",
	.to = "-",
	.dot = "-",
	.play = ">",
	.pause = "=",
	.record = "*",
	.read_mark = "r",
	.write_mark = "w",
};

const struct glyphs *glyphs_for(bool utf8)
{
	return utf8 ? &unicode : &ascii;
}
