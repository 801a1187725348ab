/** What each stream could not see. Known from the next read on. */
export const notSeen: readonly string[] = ['ALTER TABLE source_streams ADD COLUMN not_seen text COLLATE "C"'];
