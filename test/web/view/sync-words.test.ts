import { expect, test } from 'vitest';
import { type DataStatus, withNews } from '../../../web/src/ask/status-answer.ts';
import { progressWords } from '../../../web/src/view/sync-words.ts';

const progress = { phase: 'reading', done: 1_200, estimated: 4_000, per_minute: 600, seconds_left: 280, streams: [] };
const status: DataStatus = {
  connections: 2,
  sources: [],
  syncing: [
    { id: 'a', name: 'Code', progress: null },
    { id: 'b', name: 'Plans', progress: null },
  ],
  last_sync_at: null,
  data_through: null,
  has_data: false,
  is_sample: false,
  filled_since: null,
  tables: [],
  stale: [],
  last_backup_at: null,
  rows: null,
};

test('News of a sync change that sync only, and no news leave what was known', () => {
  const updated = withNews(status, { source: { id: 'a', name: 'Code' }, is_running: true, progress });
  expect(updated.syncing.map((sync) => sync.progress)).toEqual([progress, null]);
  expect(withNews(updated, { source: { id: 'a', name: 'Code' }, is_running: true, progress: null })).toEqual(updated);
});

test('Progress is said with what is left, and never above what was estimated', () => {
  expect(progressWords(progress)).toBe('1,200 of about 4,000 records, 600 a minute, about 4m 40s left');
  expect(progressWords({ ...progress, done: 5_000, per_minute: null, seconds_left: null })).toBe(
    '5,000 of about 5,000 records',
  );
  expect(progressWords({ ...progress, estimated: null, per_minute: 3.4, seconds_left: null })).toBe(
    '1,200 records, 3 a minute',
  );
  expect(progressWords({ ...progress, phase: 'listing' })).toBe('listing what to read');
});
