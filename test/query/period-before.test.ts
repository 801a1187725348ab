import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { peopleCopy } from '../../src/catalogue/directory-copies.ts';
import { aiCopilot } from '../../src/catalogue/tables/ai-copilot.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import type { Metrics } from '../../src/query/answer-metric.ts';
import type { ResultsAnswer } from '../../src/query/shape/results.ts';
import { metricsOver } from '../setup/metrics-over.ts';
import { someOwner } from '../setup/some-owner.ts';
import { fewRows, rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../warehouse/some-warehouse.ts';
import { putRows } from '../warehouse/table-writes.ts';

const organisationId = someOrganisationId();
const owner = someOwner(organisationId);
/** Noon to noon: 48 hours, on three days. */
const filters = { start_date: '2024-03-10T12:00:00', end_date: '2024-03-12T11:59:59' };

describe('the period before a window of instants', () => {
  let place: SomeWarehouse;
  let metrics: Metrics;
  beforeAll(async () => {
    place = await someWarehouse(fewRows);
    await place.warehouse.change(organisationId, async (session) => {
      const people = ['ann', 'bob'].map((id) =>
        rowOf(peopleCopy, { merged_user_id: id, name: id, onboarded: true, onboarded_by_name: false }),
      );
      await putRows(session, peopleCopy, people);
      // Ann accepts one line on the 6th, two on the 7th, four on the 8th and so on to 128 on the 13th.
      const days = Array.from({ length: 8 }, (_, i) =>
        rowOf(aiCopilot, {
          named_as: 'ann',
          merged_user_id: 'ann',
          source: 'cursor',
          date: `2024-03-${String(6 + i).padStart(2, '0')}`,
          is_active: true,
          accepted_lines: 2 ** i,
        }),
      );
      await putRows(session, aiCopilot, days);
      // Bob opens a pull request an hour before the window, one in the first hour of it, and one early on the 7th.
      const opened = ['2024-03-10T11:00:00Z', '2024-03-10T12:30:00Z', '2024-03-07T01:00:00Z'];
      const prs = opened.map((at, i) =>
        rowOf(pullRequests, { pr_id: String(i), merged_user_id: 'bob', pr_created_at: Date.parse(at) / 1_000 }),
      );
      await putRows(session, pullRequests, prs);
    });
    metrics = metricsOver(place.warehouse, () => new Date('2024-04-15T00:00:00Z'));
  });
  afterAll(() => place.close());

  const compared = async (body: object): Promise<ResultsAnswer> => {
    const { answer } = await metrics.multiple(owner, { filters, include_previous_period: true, ...body });
    if (answer.form !== 'document') throw new Error('not a document');
    return answer.document as ResultsAnswer;
  };
  const values = ({ results }: ResultsAnswer) =>
    results.map(({ group_by, value, previous_value }) => [...Object.values(group_by), value, previous_value]);

  test('The period before a window of instants is as many days where rows know no time, the last of them the day before the first', async () => {
    const lines = { metrics: ['accepted-lines'], aggregations: { 'accepted-lines': 'SUM' } };
    const answer = await compared(lines);
    // The 10th to the 12th, and the 7th to the 9th.
    expect(values(answer)).toEqual([[16 + 32 + 64, 2 + 4 + 8]]);
    expect(answer.meta).toMatchObject({
      date_range: { start_date: '2024-03-10', end_date: '2024-03-12' },
      previous_date_range: { start_date: '2024-03-07', end_date: '2024-03-09' },
    });
    expect(values(await compared({ ...lines, date_level: 'day' }))).toEqual([
      ['2024-03-10', 16, 2],
      ['2024-03-11', 32, 4],
      ['2024-03-12', 64, 8],
    ]);
  });

  test('The period before a window of instants is as many seconds where rows know them', async () => {
    const answer = await compared({ metrics: ['pull-requests-count'] });
    expect(values(answer)).toEqual([[1, 1]]);
    expect(answer.meta).toMatchObject({
      date_range: { start_date: '2024-03-10T12:00:00Z', end_date: '2024-03-12T11:59:59Z' },
      previous_date_range: { start_date: '2024-03-08T12:00:00Z', end_date: '2024-03-10T11:59:59Z' },
    });
  });

  test('The period before a window of instants is the month before of whole months, for rows of instants and of days alike', async () => {
    const both = { metrics: ['pull-requests-count', 'accepted-lines'], aggregations: { 'accepted-lines': 'SUM' } };
    const april = { start_date: '2024-04-01', end_date: '2024-04-30' };
    const answer = await compared({ ...both, filters: april });
    expect(answer.meta.previous_date_range).toEqual({ start_date: '2024-03-01', end_date: '2024-03-31' });
    expect(values(answer)).toEqual([
      [0, 3],
      [0, 255],
    ]);
    expect(values(await compared({ ...both, filters: april, date_level: 'month' }))).toEqual([
      ['2024-04-01', 0, 3],
      ['2024-04-01', 0, 255],
    ]);
  });

  test('The period before a window of instants touches the window to the second, and has none of its own', async () => {
    const counted = async (start_date: string, end_date: string) =>
      values(await compared({ metrics: ['pull-requests-count'], filters: { start_date, end_date } }));
    // One is opened in the first second of the window, the other in the last.
    expect(await counted('2024-03-10T11:00:00', '2024-03-10T12:30:00')).toEqual([[2, 0]]);
    expect(await counted('2024-03-10T11:00:01', '2024-03-10T11:00:01')).toEqual([[0, 1]]);
    expect(await counted('2024-03-10T11:00:02', '2024-03-10T11:00:02')).toEqual([[0, 0]]);
  });

  test('The period before a window of instants is for each of several metrics what it is for that metric alone', async () => {
    const both = { metrics: ['pull-requests-count', 'accepted-lines'], aggregations: { 'accepted-lines': 'SUM' } };
    expect(values(await compared(both))).toEqual([
      [1, 1],
      [112, 14],
    ]);
    // The last hour before the window is on its third day before, which stands beside the third day.
    expect(values(await compared({ ...both, date_level: 'day' }))).toEqual([
      ['2024-03-10', 1, 0],
      ['2024-03-10', 16, 2],
      ['2024-03-11', 0, 0],
      ['2024-03-11', 32, 4],
      ['2024-03-12', 0, 1],
      ['2024-03-12', 64, 8],
    ]);
  });

  test('The period before a window of instants looks at whole days of everything that a share of people is computed from', async () => {
    // Bob did something on the 10th, in hours that were not asked for, and nothing on the 8th and the 9th.
    const afternoon = { start_date: '2024-03-10T13:00:00', end_date: '2024-03-11T11:59:59' };
    expect(values(await compared({ metrics: ['ai-adoption-rate'], filters: afternoon }))).toEqual([[0.5, 1]]);
  });
});
