/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader of BTF, the kernel's own description of its types
 * (Documentation/bpf/btf.rst). It works on a blob in memory that the host owns
 * and that must outlive it; nothing in a blob is trusted.
 */
#ifndef BLKHANG_BTF_H
#define BLKHANG_BTF_H

#include "port.h"

#define HANG_BTF_STRIDE 16

struct hang_btf {
	const struct hang_btf *base; /* of a module's BTF: the kernel's */
	struct hang_btf *next;	     /* looked in after this one, or NULL */
	const u8 *types;
	const char *strings;
	u32 types_len;
	u32 strings_len;
	bool swap;	   /* the blob has the other byte order */
	u32 word;	   /* bytes of a pointer */
	u32 nr_types;	   /* ids run from 1 to nr_types */
	u32 stopped_kind;  /* kind at which parsing had to end, 0: none */
	u32 *marker;	   /* offset of every HANG_BTF_STRIDE-th type */
	u32 *slots;	   /* names to the offsets of their types, hashed */
	u32 nr_slots;	   /* a power of two */
	bool crowded;	   /* not every name found room in slots */
};

/*
 * A module's BTF goes on where the kernel's ends: its ids and strings are
 * counted from there. Give the kernel's as base (NULL for the kernel's own),
 * and hang it into the kernel's chain of next ones after it is indexed.
 *
 * Checks the header. 0 and *mem_size, the bytes hang_btf_index() will need;
 * -EINVAL: no BTF; -EMSGSIZE: damaged, *why says how.
 */
int hang_btf_open(struct hang_btf *btf, const struct hang_btf *base,
		  const void *data, size_t size, u32 word, size_t *mem_size,
		  const char **why);

/* Indexes the types, in mem of mem_size zeroed bytes owned by the host. */
void hang_btf_index(struct hang_btf *btf, void *mem);

/* As the target operations, over btf and all that follow it: see target.h. */
int hang_btf_member(const struct hang_btf *btf, const char *type,
		    const char *path, u32 *offset, u32 *size);
int hang_btf_struct_size(const struct hang_btf *btf, const char *type,
			 u32 *size);
int hang_btf_enumerator(const struct hang_btf *btf, const char *name,
			s64 *value);

#endif
