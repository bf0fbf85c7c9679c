# SPDX-License-Identifier: GPL-2.0-or-later
#
# The catalogue of verdicts as C: the sections of the second level of the man
# page, without scdoc's marks. The first line of a section is its title.

# An underscore is a mark at the edge of a word.
function plain(line,    out, i, c, beside, under) {
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		beside = under ? substr(line, i + 1, 1) : substr(line, i - 1, i > 1)
		if (c == "\\" && i < length(line)) {
			out = out substr(line, ++i, 1)
		} else if (c == "_" && beside !~ /[A-Za-z0-9]/) {
			under = !under
		} else if (c != "*") {
			out = out c
		}
	}
	return out
}

function quoted(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	return "\"" text "\""
}

function end_section() {
	if (id != "")
		print "\t  },"
	id = ""
}

BEGIN {
	print "/* Made by catalogue.awk. */"
	print "#include \"catalogue.h\"\n"
	print "const struct hang_entry hang_catalogue[] = {"
}

/^;/ { next }
/^#/ { end_section() }
/^## / {
	id = $2
	title = ""
	blank = 0
	next
}
id == "" { next }
title == "" && $0 != "" {
	title = $0
	blank = 0
	printf "\t{ %s, %s,\n", quoted(id), quoted(plain(title))
	next
}
$0 == "" { blank++; next }
{
	while (blank && blank--)
		print "\t  \"\\n\""
	print "\t  " quoted(plain($0) "\\n")
}

END {
	end_section()
	print "\t{ 0 }\n};"
}
