import { describe, expect, test } from 'vitest';
import type { TableReach } from '../../../web/src/ask/data-reach.ts';
import { tableOfPath } from '../../../web/src/ask/page-tables.ts';
import { type DataStatus, missingStreams } from '../../../web/src/ask/status-answer.ts';
import { isAhead, viewOf } from '../../../web/src/ask/view.ts';
import { firstState, type ViewState } from '../../../web/src/ask/view-state.ts';
import { dayCount, timeBuckets } from '../../../web/src/ask/windows.ts';
import { cutWords, noDataWords } from '../../../web/src/view/cut-words.ts';
import { missingWords, staleAdvice, staleWords } from '../../../web/src/view/stale-words.ts';

const reach: readonly TableReach[] = [
  { table: 'pull_requests', data_through: '2026-11-16T00:00:00Z', data_since: '2026-01-01T09:00:00Z' },
  { table: 'deployments', data_through: '2026-11-14T23:59:59Z', data_since: '2026-06-20T09:00:00Z' },
  { table: 'ai_copilot', data_through: '2026-11-16T09:30:00Z', data_since: '2026-05-19T00:00:00+01:00' },
  { table: 'issues', data_through: null, data_since: null },
];
const viewAt = (path: string, state: Partial<ViewState> = {}) =>
  viewOf({ ...firstState, ...state }, 'Europe/London', '2026-11-16', { reach, table: tableOfPath(path) });

describe('the windows of a page', () => {
  test.each([
    ['/cycle-time', '2026-11-15'],
    ['/delivery', '2026-11-13'],
    // Of today more is to come, whatever has arrived of it.
    ['/ai', '2026-11-15'],
    ['/issues', '2026-11-15'],
    ['/explore', '2026-11-15'],
    ['/people/7', '2026-11-15'],
  ])('The windows of a page of %s end with the last whole day of its table, %s', (path, end) => {
    const { window, before } = viewAt(path);
    expect(window.end).toBe(end);
    expect([dayCount(window), before && dayCount(before)]).toEqual([90, 90]);
  });

  test('The windows of a page are those of a metric whose own data end earlier, both as long as those of the page', () => {
    const view = viewAt('/');
    expect(view.windowFor('cycle-time')).toEqual(view.window);
    for (const metric of ['deployment-frequency', 'lead-time-for-changes-p50'] as const) {
      const [window, before] = [view.windowFor(metric), view.beforeFor(metric)];
      expect([window.end, dayCount(window), before && dayCount(before)]).toEqual(['2026-11-13', 90, 90]);
      expect(view.filtersFor(metric)).toMatchObject({ start_date: window.start, end_date: window.end });
    }
    expect(view.wholeUntilFor('deployment-frequency')).toBe(Date.parse('2026-11-14T00:00:00Z') / 1_000);
  });

  test('The windows of a page are never longer for a metric whose data reach further than those of the page', () => {
    const view = viewAt('/delivery');
    expect(view.windowFor('cycle-time')).toEqual(view.window);
  });

  test('The windows of a page are compared only where both are known in full', () => {
    const view = viewAt('/');
    // The earlier one of deployments begins on the 19th of May, and their history a month later.
    expect(view.beforeFor('deployment-frequency')?.start).toBe('2026-05-18');
    expect(
      (['cycle-time', 'deployment-frequency', 'lead-time-for-changes-p50', 'adopted-users'] as const).map(
        view.isComparable,
      ),
    ).toEqual([true, false, false, true]);
    expect(viewAt('/', { range: 'quarter' }).isComparable('deployment-frequency')).toBe(true);
    const today = { range: { start: '2026-11-16', end: '2026-11-16' } };
    expect(viewAt('/ai', today).isComparable('adopted-users')).toBe(false);
    // Of a table without rows nothing is said.
    expect(view.isComparable('issues-count')).toBe(true);
  });

  test('The windows of a page have no buckets after the last whole day', () => {
    const { window, level, reach } = viewAt('/delivery', { range: 'month' });
    expect(timeBuckets(window, level, reach).at(-1)?.name).toBe('2026-11-13');
  });

  test('The windows of a page say where they end before the reader expects', () => {
    expect(cutWords(viewAt('/cycle-time'))).toBeUndefined();
    expect(cutWords(viewAt('/delivery'))).toBe('Shown to 13 Nov, the last day with complete data.');
    const today = { range: { start: '2026-11-01', end: '2026-11-16' } };
    expect(cutWords(viewAt('/cycle-time', today))).toContain('15 Nov');
    expect(cutWords(viewAt('/ai', { range: { start: '2026-11-16', end: '2026-11-30' } }))).toBe(
      'Shown to 16 Nov. The data for 16 Nov isn’t complete yet.',
    );
    expect(cutWords(viewAt('/delivery', { range: 'last-month' }))).toBeUndefined();
  });

  test('The windows of a page that begin after the data say that there are none yet, also of one metric alone', () => {
    const later = viewAt('/delivery', { range: { start: '2026-11-15', end: '2026-11-16' } });
    expect([cutWords(later), noDataWords(later.window, later.reach, later.today)]).toEqual([
      undefined,
      'There’s no data for these days yet. The last complete day is 13 Nov.',
    ]);
    const behind = viewAt('/', { range: { start: '2026-11-15', end: '2026-11-16' } });
    expect(behind.window).toEqual({ start: '2026-11-15', end: '2026-11-15' });
    expect(noDataWords(behind.window, behind.reach, behind.today)).toBeUndefined();
    const ofDeployments = behind.windowFor('deployment-frequency');
    expect(ofDeployments).toEqual(behind.window);
    expect(isAhead(ofDeployments, behind.reachFor('deployment-frequency'))).toBe(true);
    expect(isAhead(ofDeployments, behind.reachFor('cycle-time'))).toBe(false);
  });
});

describe('data that come to a halt', () => {
  const now = new Date('2026-11-19T08:00:00Z');
  const stale = [
    { table: 'pull_requests', since: '2026-11-16T19:41:00Z', source: 'GitHub' },
    { table: 'deployments', since: '2026-11-16T20:00:00Z', source: 'GitHub' },
    { table: 'issues', since: '2026-11-14T00:00:00Z', source: null },
  ];
  test('Data that come to a halt are said once for each source, by the table that is furthest behind, and for each table without one', () => {
    expect(staleWords(stale, 'Europe/London', now)).toEqual([
      {
        what: 'GitHub hasn’t sent anything since Mon 16 Nov, 19:41.',
        so: 'Days after that may be incomplete.',
      },
      { what: 'No new issues since 13 Nov.', so: '' },
    ]);
    expect(staleWords([], 'Europe/London', now)).toEqual([]);
  });
  test('Data that come to a halt name the streams that numbers lack, of many the first three', () => {
    const streams = ['a', 'b', 'c', 'd', 'e'].map((one) => `issues of ${one} (Jira)`);
    expect(missingWords(streams.slice(0, 1))).toEqual({
      what: 'Not up to date: issues of a (Jira).',
      so: 'What is missing isn’t counted.',
    });
    expect(missingWords(streams).what).toContain('issues of c (Jira) and 2 others.');
  });
  test('Data that come to a halt are not said to lack what their first sync is about to bring, nor what fills no table', () => {
    const source = { id: 's', kind: 'jira', name: 'Jira', outcome: null, last_sync_at: null };
    const table = (name: string, data_through: string | null, ...missing: string[]) =>
      ({ table: name, data_through, missing }) as unknown as DataStatus['tables'][number];
    const status = {
      sources: [source],
      syncing: [],
      tables: [
        table('issues', '2026-11-16T00:00:00Z', 'a', 'b'),
        table('releases', null, 'c'),
        table('x', '2026', 'b'),
      ],
    } as unknown as DataStatus;
    expect(missingStreams(status)).toEqual(['a', 'b']);
    expect(missingStreams({ ...status, syncing: [{ id: 's', name: 'Jira', progress: null }] })).toEqual([]);
  });
  test('Data that come to a halt come with what to do', () => {
    expect(staleAdvice(true, true)).toBe('Check the connection');
    expect(staleAdvice(false, true)).toBe('Check what imports them');
    expect(staleAdvice(true, false)).toContain('Owner');
  });
});
