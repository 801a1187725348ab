/** Which tables a stream feeds, and how far its reads are complete. Known from the next read on. */
export const whatStreamsFeed: readonly string[] = [
  'ALTER TABLE source_streams ADD COLUMN feeds text COLLATE "C"',
  'ALTER TABLE source_streams ADD COLUMN is_daily boolean',
  'ALTER TABLE source_streams ADD COLUMN complete_at timestamptz',
  'ALTER TABLE source_streams ADD COLUMN read_back_to timestamptz',
  'ALTER TABLE source_streams ADD COLUMN failing_since timestamptz',
  'ALTER TABLE source_streams ADD COLUMN is_refused boolean',
];
