# Columns of a recording (RFC 4180, no line breaks inside fields) by name.
# kind, name: which lines ('.' for all); columns: names with blanks between. With odd, instead:
# the lines that have more or fewer fields than the first.

function fields(line, f,    n, c, i, quoted)
{
	if (index(line, "\"") == 0)
		return split(line, f, ",")
	n = 1
	f[1] = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "\"" && quoted && substr(line, i + 1, 1) == "\"") {
			f[n] = f[n] c
			i++
		} else if (c == "\"")
			quoted = !quoted
		else if (c == "," && !quoted)
			f[++n] = ""
		else
			f[n] = f[n] c
	}
	return n
}

BEGIN { wanted = split(columns, want, " ") }

NR == 1 {
	width = fields($0, head)
	for (i = 1; i <= width; i++)
		at[head[i]] = i
	for (i = 1; i <= wanted; i++)
		if (!(want[i] in at)) {
			print "no column " want[i] > "/dev/stderr"
			exit 1
		}
	next
}

odd {
	if (fields($0, f) != width)
		print
	next
}

{
	if (fields($0, f) != width || (kind != "." && f[at["kind"]] != kind) ||
	    (name != "." && f[at["name"]] != name))
		next
	for (i = 1; i <= wanted; i++) {
		field = f[at[want[i]]]
		printf "%s%s", field == "" ? "-" : field, i < wanted ? "\t" : "\n"
	}
}
