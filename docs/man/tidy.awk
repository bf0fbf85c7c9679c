# SPDX-License-Identifier: GPL-2.0-or-later
#
# Takes out of scdoc's output the paragraphs that hold nothing.

/^\.PP?$/ { held = $0; next }
{
	heading = /^\.(SH|SS|TH) /
	if (held != "" && !heading && !after_heading)
		print held
	held = ""
	after_heading = heading
	print
}
