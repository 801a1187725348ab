import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import {
  metricsDayRecord,
  seatRecord,
  usageDayRecord,
  userDayRecord,
} from '../../../src/sources/github-copilot/convert.ts';
import { entriesIn } from '../../../src/sources/github-copilot/reports.ts';
import { convertEach } from '../../../src/sources/payload.ts';
import { recordedDataAvailable, recordedDataFolder } from '../../setup/recorded-data.ts';

type Fields = Readonly<Record<string, unknown>>;
const recorded = (name: string): string => readFileSync(join(recordedDataFolder, 'github-copilot', name), 'utf8');
const sum = (rows: readonly Fields[], field: string): number =>
  rows.reduce((all, row) => all + Number(row[field] ?? 0), 0);

function converted(entries: readonly unknown[], convert: (entry: unknown) => Fields | undefined): readonly Fields[] {
  const { records, problems } = convertEach(entries, convert);
  const kept = records.filter((record) => record !== undefined);
  expect(problems).toEqual([]);
  for (const record of kept) expect(readRecord(recordShapeFor('ai_copilot'), record)).toHaveProperty('record');
  return kept;
}

describe.runIf(recordedDataAvailable)('recorded answers about Copilot', () => {
  test.each([
    ['new-api__organization-users-28-day-report.json', 107],
    ['new-api__organization-users-1-day-report.json', undefined],
  ])('%s: each person and day once, with its lines', async (file, count) => {
    const entries = (await entriesIn(recorded(file))) as readonly Fields[];
    const rows = converted(entries, userDayRecord);

    expect(rows).toHaveLength(count ?? entries.length);
    expect(new Set(rows.map((row) => `${row.person_login} ${row.date}`)).size).toBe(rows.length);
    expect(sum(rows, 'ai_lines')).toBe(sum(entries, 'loc_added_sum'));
    expect(sum(rows, 'suggested_lines')).toBe(sum(entries, 'loc_suggested_to_add_sum'));
    const asked = ['chat_requests', 'composer_requests', 'agent_requests', 'cmd_k_usages'];
    expect(asked.reduce((all, field) => all + sum(rows, field), 0)).toBe(
      sum(entries, 'user_initiated_interaction_count'),
    );
    const acted = entries.filter((entry) => Number(entry.code_generation_activity_count) > 0);
    expect(rows.filter((row) => row.is_active).length).toBeGreaterThanOrEqual(acted.length);
  });

  test.each([
    ['organization_metrics_response_sample.json', metricsDayRecord],
    ['legacy_20.0.0_GET_orgs__org__copilot__metrics.json', metricsDayRecord],
    ['organization_usage_response_sample.json', usageDayRecord],
    ['legacy_18.2.0_GET_orgs__org__copilot__usage.json', usageDayRecord],
  ])('%s: each day of the organisation once', (file, convert) => {
    const entries = JSON.parse(recorded(file)) as readonly Fields[];
    const rows = converted(entries, (entry) => convert(entry, 'acme'));

    expect(new Set(rows.map((row) => row.date)).size).toBe(entries.length);
    expect(sum(rows, 'suggested_lines')).toBeGreaterThan(0);
    if (convert === usageDayRecord) {
      expect(sum(rows, 'accepted_lines')).toBe(sum(entries, 'total_lines_accepted'));
      expect(sum(rows, 'accepts')).toBe(sum(entries, 'total_acceptances_count'));
    }
  });

  test.each(['organization_seats_response_sample.json', 'legacy_20.0.0_GET_orgs__org__copilot__billing__seats.json'])(
    '%s: the last day of each seat that was used',
    (file) => {
      const { seats } = JSON.parse(recorded(file)) as { readonly seats: readonly Fields[] };

      expect(converted(seats, seatRecord)).toHaveLength(seats.filter((seat) => seat.last_activity_at).length);
    },
  );
});
