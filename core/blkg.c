// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a queue keeps for each cgroup that used it (block/blk-cgroup.h): a
 * blkcg_gq, and in it one pointer for each policy, to data of the policy's own.
 */
#include "core.h"

#define DEPTH_MAX 32
#define NAME_SIZE 256 /* NAME_MAX, and the end */

struct group_walk {
	hang_group_fn fn;
	void *arg;
	u64 policy; /* its place in blkcg_gq.pd */
	bool hush;
};

/*
 * A list that loops, or is tried again, brings the same group: it counts once.
 * By now all requests of the queue have been shown with their places.
 */
static bool is_new(struct hang_work *w, u64 blkg)
{
	u32 before;

	if (hang_map_get(&w->place, blkg, &before))
		return false;
	if (!hang_map_put(&w->place, blkg, 1)) {
		w->looked.left_out++;
		return false;
	}
	return true;
}

static int group_found(struct hang_work *w, u64 node, void *arg)
{
	const struct group_walk *g = arg;
	u64 blkg = node - hang_loc(w, L_blkg_node);
	bool hush = w->hush;
	u64 pd;

	if (!is_new(w, blkg))
		return 0;
	/* Only the list may be tried again, not what is on it. */
	w->hush = g->hush;
	if (!hang_read_ptr(w, blkg + hang_loc(w, L_blkg_pd) +
			   g->policy * w->t->word, &pd, "blkcg_gq.pd") && pd)
		g->fn(w, blkg, pd, g->arg);
	w->hush = hush;
	return 0;
}

static int find_policy(struct hang_work *w, enum hang_row_id plid, u64 *policy)
{
	if (!hang_has(w, plid) || !hang_has(w, L_queue_blkgs) ||
	    !hang_has(w, L_blkg_node) || !hang_has(w, L_blkg_pd))
		return -ENOENT;
	if (hang_read_uint(w, hang_loc(w, plid), 4, policy,
			   "blkcg_policy.plid"))
		return -EFAULT;
	if ((*policy + 1) * w->t->word > w->layout.loc[L_blkg_pd].size) {
		hang_fault(w, "blkcg_policy.plid", hang_loc(w, plid), -EINVAL,
			   "no group has so many policies");
		return -EINVAL;
	}
	return 0;
}

int hang_for_each_group(struct hang_work *w, enum hang_row_id plid,
			hang_group_fn fn, void *arg)
{
	struct group_walk g = { .fn = fn, .arg = arg, .hush = w->hush };
	u64 head = w->q_snap.addr + hang_loc(w, L_queue_blkgs);
	u32 tries = hang_list_tries(w);
	int err = find_policy(w, plid, &g.policy);

	if (err)
		return err;
	hang_map_clear(&w->place);
	do {
		w->hush = g.hush || --tries;
		err = hang_for_each_list(w, head, group_found, &g, "blkg_list");
	} while (err && tries && !hang_interrupted(w));
	w->hush = g.hush;
	return err;
}

int hang_group_node(struct hang_work *w, u64 blkg, u64 *kn)
{
	u64 blkcg, cgroup;

	*kn = 0;
	if (hang_read_member(w, blkg, L_blkg_blkcg, &blkcg) ||
	    hang_read_member(w, blkcg, L_blkcg_cgroup, &cgroup))
		return -ENOENT;
	return hang_read_member(w, cgroup, L_cgroup_kn, kn);
}

/* Puts "/name" in front of what begins at buf[at]; the new beginning. */
static size_t put_before(char *buf, size_t at, const char *name)
{
	size_t n = strlen(name);

	while (at && n)
		buf[--at] = name[--n];
	if (at)
		buf[--at] = '/';
	return at;
}

int hang_cgroup_path(struct hang_work *w, u64 kn, char *buf, size_t size,
		     const char **path)
{
	size_t at = size - 1;
	char name[NAME_SIZE];
	u32 depth;
	u64 parent, s;

	buf[at] = '\0';
	for (depth = 0; at; depth++) {
		if (hang_read_member(w, kn, L_kn_parent, &parent))
			return -EFAULT;
		if (!parent) {
			/* The root has no name of its own. */
			*path = depth ? buf + at : "/";
			return 0;
		}
		if (depth == DEPTH_MAX)
			break;
		if (hang_read_member(w, kn, L_kn_name, &s) ||
		    hang_read_str(w, s, name, sizeof(name), "kernfs_node.name"))
			return -EFAULT;
		at = put_before(buf, at, name);
		kn = parent;
	}
	/* No room, or no end. That it just fits is not looked at. */
	at = at < 3 ? 0 : at - 3;
	memcpy(buf + at, "...", 3);
	*path = buf + at;
	return 0;
}
