// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON from records, driven by the same field table as the text. Addresses are
 * strings of hexadecimal digits: a JSON number can't hold 64 bits. Times are
 * nanoseconds, in keys that end in _ns. What is unknown is left out.
 */
#include <string.h>

#include "json.h"

static void put_string(FILE *f, const char *s)
{
	fputc('"', f);
	for (; *s; s++) {
		unsigned char c = *s;

		if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else if (c < 0x20 || c > 0x7e)
			fprintf(f, "\\u%04x", c);
		else
			fputc(c, f);
	}
	fputc('"', f);
}

static void put_value(FILE *f, const struct hang_rec *rec, u32 i, u8 kind)
{
	switch (kind) {
	case HANG_STR:
		put_string(f, hang_rec_text(rec, i));
		break;
	case HANG_BOOL:
		fputs(rec->val[i] ? "true" : "false", f);
		break;
	case HANG_INT:
		fprintf(f, "%lld", (s64)rec->val[i]);
		break;
	case HANG_HEX:
	case HANG_ADDR:
		fprintf(f, "\"0x%llx\"", rec->val[i]);
		break;
	default:
		fprintf(f, "%llu", rec->val[i]);
	}
}

/* The fields of rec, without braces. */
static void put_fields(FILE *f, const struct hang_rec *rec)
{
	const struct hang_field *fields = hang_rec_descs[rec->type].fields;
	bool any = false;
	u32 i;

	for (i = 0; i < hang_rec_nr_fields(rec->type); i++) {
		if (!hang_rec_has(rec, i))
			continue;
		fprintf(f, "%s\"%s%s\": ", any ? ", " : "", fields[i].name,
			fields[i].kind == HANG_TIME ? "_ns" : "");
		put_value(f, rec, i, fields[i].kind);
		any = true;
	}
}

/*
 * An array of the records of one type that follow record from, up to the next
 * of type until (R_COUNT: to the end).
 */
static void put_array(const struct hang_recs *r, FILE *f, const char *key,
		      size_t from, u32 type, u32 until)
{
	bool any = false;
	size_t i;

	fprintf(f, "\"%s\": [", key);
	for (i = from; i < r->count && r->rec[i].type != until; i++) {
		if (r->rec[i].type != type)
			continue;
		fprintf(f, "%s\n    {", any ? "," : "");
		put_fields(f, &r->rec[i]);
		fputc('}', f);
		any = true;
	}
	fputc(']', f);
}

static void put_cpus(const struct hang_recs *r, FILE *f)
{
	bool any = false;
	size_t i;

	fputs("\"cpus\": [", f);
	for (i = 0; i < r->count; i++) {
		if (r->rec[i].type != R_cpu)
			continue;
		fprintf(f, "%s\n  {", any ? "," : "");
		put_fields(f, &r->rec[i]);
		fputs(",\n   ", f);
		put_array(r, f, "done_requests", i + 1, R_done, R_cpu);
		fputs(",\n   ", f);
		put_array(r, f, "call_queue", i + 1, R_call, R_cpu);
		fputc('}', f);
		any = true;
	}
	fputs("]", f);
}

/* A record of which each disk has one, after its own. */
static void put_one(const struct hang_recs *r, FILE *f, const char *key,
		    size_t i, u32 type)
{
	for (i++; i < r->count && r->rec[i].type != R_disk; i++) {
		if (r->rec[i].type != type)
			continue;
		fprintf(f, ",\n   \"%s\": {", key);
		put_fields(f, &r->rec[i]);
		fputc('}', f);
		return;
	}
}

struct array {
	const char *key;
	u32 type;
};

/* What belongs to a disk; and what belongs to none, or to more than one. */
static const struct array disk_arrays[] = {
	{ "hctx", R_hctx },	    { "tags", R_tags },
	{ "flush", R_flush },	    { "rings", R_ring },
	{ "scsi", R_scsi },	    { "nvme", R_nvme },
	{ "stack", R_stack },	    { "sched", R_sched },
	{ "qos", R_qos },	    { "throttle", R_throttle },
	{ "zones", R_zone },	    { "filesystems", R_fs },
	{ "waits", R_wait },	    { "requests", R_rq },
	{ "commands", R_cmd },
};

static const struct array arrays[] = {
	{ "plugs", R_plug },
	{ "blocked", R_blocked },
	{ "asleep", R_asleep },
	{ "faults", R_fault },
};

static void put_arrays(const struct hang_recs *r, FILE *f,
		       const struct array *array, u32 count, size_t from,
		       u32 until)
{
	u32 i;

	for (i = 0; i < count; i++) {
		fputs(",\n   ", f);
		put_array(r, f, array[i].key, from, array[i].type, until);
	}
}

static void put_disks(const struct hang_recs *r, FILE *f)
{
	bool any = false;
	size_t i;

	fputs("\"disks\": [", f);
	for (i = 0; i < r->count; i++) {
		if (r->rec[i].type != R_disk)
			continue;
		fprintf(f, "%s\n  {\"name\": ", any ? "," : "");
		put_string(f, hang_rec_text(&r->rec[i], F_disk_disk));
		fputs(", ", f);
		put_fields(f, &r->rec[i]);
		put_one(r, f, "stages", i, R_total);
		put_one(r, f, "queue", i, R_queue);
		put_arrays(r, f, disk_arrays, HANG_ARRAY_SIZE(disk_arrays),
			   i + 1, R_disk);
		fputc('}', f);
		any = true;
	}
	fputs("]", f);
}

static void put_texts(const struct hang_recs *r, FILE *f, const char *key,
		      size_t i, u32 type)
{
	bool any = false;

	fprintf(f, "\"%s\": [", key);
	for (i++; i < r->count && r->rec[i].type != R_verdict; i++) {
		if (r->rec[i].type != type)
			continue;
		fputs(any ? ", " : "", f);
		put_string(f, hang_rec_text(&r->rec[i], F_say_text));
		any = true;
	}
	fputc(']', f);
}

static const char *summary_of(const struct hang_recs *r, size_t i)
{
	for (i++; i < r->count && r->rec[i].type != R_verdict; i++)
		if (r->rec[i].type == R_say)
			return hang_rec_text(&r->rec[i], F_say_text);
	return "";
}

static void put_verdicts(const struct hang_recs *r, FILE *f)
{
	bool any = false;
	size_t i;

	fputs("\"verdicts\": [", f);
	for (i = 0; i < r->count; i++) {
		if (r->rec[i].type != R_verdict)
			continue;
		fprintf(f, "%s\n  {", any ? "," : "");
		put_fields(f, &r->rec[i]);
		fputs(",\n   \"summary\": ", f);
		put_string(f, summary_of(r, i));
		fputs(",\n   ", f);
		put_texts(r, f, "evidence", i, R_evidence);
		fputs(",\n   ", f);
		put_texts(r, f, "next", i, R_next);
		fputc('}', f);
		any = true;
	}
	fputs("]", f);
}

static void put_source(const struct hang_recs *r, FILE *f,
		       const struct hang_source *source)
{
	size_t i;

	fputs("\"source\": {\"file\": ", f);
	put_string(f, source->path);
	fputs(", \"type\": ", f);
	put_string(f, source->format);
	if (source->lost) {
		fputs(", \"lost\": ", f);
		put_string(f, source->lost);
		fprintf(f, ", \"has_end\": %s",
			source->has_end ? "true" : "false");
	}
	for (i = 0; i < r->count; i++) {
		if (r->rec[i].type != R_dump && r->rec[i].type != R_looked)
			continue;
		fprintf(f, ",\n  \"%s\": {", hang_rec_descs[r->rec[i].type].name);
		put_fields(f, &r->rec[i]);
		fputc('}', f);
	}
	fputs("}", f);
}

void hang_json_write(const struct hang_recs *r, FILE *f,
		     const struct hang_source *source, bool complete)
{
	fprintf(f, "{\"format\": 1,\n\"tool\": \"blkhang %s\",\n",
		BLKHANG_VERSION);
	put_source(r, f, source);
	fputs(",\n", f);
	put_cpus(r, f);
	fputs(",\n", f);
	put_disks(r, f);
	fputs(",\n", f);
	put_verdicts(r, f);
	put_arrays(r, f, arrays, HANG_ARRAY_SIZE(arrays), 0, R_COUNT);
	fprintf(f, ",\n\"complete\": %s}\n",
		complete && !r->failed ? "true" : "false");
}
