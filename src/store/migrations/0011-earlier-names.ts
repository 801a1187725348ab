/** Names that repositories had before, which ids are made of. */
export const earlierNames: readonly string[] = ['ALTER TABLE repositories ADD COLUMN earlier_names text COLLATE "C"'];
