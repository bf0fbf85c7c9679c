// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fixed-size hash of addresses: which requests are on a completion list, and
 * what the sample before had met. Open addressing; key 0 means a free place.
 */
#include "core.h"

static u32 slot_of(const struct hang_map *map, u64 key)
{
	key *= 0x9e3779b97f4a7c15ULL;
	return (u32)(key >> 32) & (map->cap - 1);
}

/* The place of key, or of the free place where it would go. */
static u32 find(const struct hang_map *map, u64 key)
{
	u32 i = slot_of(map, key);

	while (map->key[i] && map->key[i] != key)
		i = (i + 1) & (map->cap - 1);
	return i;
}

/* Kept a quarter free, so that find() ends, and soon. */
bool hang_map_is_full(const struct hang_map *map)
{
	return map->used >= map->cap - map->cap / 4;
}

bool hang_map_put(struct hang_map *map, u64 key, u32 value)
{
	u32 i;

	if (!map->cap || !key)
		return false;
	i = find(map, key);
	if (!map->key[i]) {
		if (hang_map_is_full(map))
			return false;
		map->used++;
	}
	map->key[i] = key;
	map->value[i] = value;
	return true;
}

bool hang_map_get(const struct hang_map *map, u64 key, u32 *value)
{
	u32 i;

	if (!map->used || !key)
		return false;
	i = find(map, key);
	*value = map->value[i];
	return map->key[i] == key;
}

void hang_map_clear(struct hang_map *map)
{
	if (map->used)
		memset(map->key, 0, map->cap * sizeof(*map->key));
	map->used = 0;
}

u32 hang_seen(struct hang_work *w, u64 addr, u64 identity)
{
	u32 mark = (u32)(identity ^ (identity >> 32));
	u32 before;

	if (!w->confirming) {
		hang_map_put(&w->seen, addr, mark);
		return 1;
	}
	return hang_map_get(&w->seen, addr, &before) && before == mark ? 2 : 1;
}
