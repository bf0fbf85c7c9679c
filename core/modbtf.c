// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The BTF of modules (kernel/bpf/btf.c). struct module forgets its own after
 * load; the list btf_modules keeps a copy for as long as the module is there.
 */
#include "core.h"

#define NAME_LEN 24

/* Modules whose types the layout names, where they are no part of the kernel. */
static const char *const wanted[] = {
	"virtio_ring", "virtio_blk", "scsi_mod", "virtio_scsi", "nvme_core",
	"nvme", "bfq", "kyber_iosched", "dm_mod", "dm_multipath", "md_mod",
	"raid1", "loop",
};

bool hang_module_has_types(const char *name)
{
	u32 i;

	for (i = 0; i < HANG_ARRAY_SIZE(wanted); i++)
		if (!strcmp(wanted[i], name))
			return true;
	return false;
}

static int offer(struct hang_work *w, u64 node, void *arg)
{
	u64 entry = node - hang_loc(w, L_btfm_list);
	u64 mod, btf, data, size;
	char name[NAME_LEN];
	u32 *taken = arg;

	if (hang_read_member(w, entry, L_btfm_module, &mod) ||
	    hang_read_str(w, mod + hang_loc(w, L_mod_name), name, sizeof(name),
			  "module.name") || !hang_module_has_types(name))
		return 0;
	if (hang_read_member(w, entry, L_btfm_btf, &btf) ||
	    hang_read_member(w, btf, L_btf_data, &data) ||
	    hang_read_member(w, btf, L_btf_data_size, &size))
		return 0;
	if (!w->t->ops->add_types(w->t, data, size))
		(*taken)++;
	return *taken == HANG_ARRAY_SIZE(wanted);
}

void hang_module_types_load(struct hang_work *w)
{
	u32 taken = 0;

	if (hang_has(w, L_sym_btf_modules) && hang_has(w, L_btfm_list) &&
	    hang_has(w, L_mod_name))
		hang_for_each_list(w, hang_loc(w, L_sym_btf_modules), offer,
				   &taken, "btf_modules");
}
