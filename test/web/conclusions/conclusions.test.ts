import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MadeService, roles, startMadeService } from './made-service.ts';
import { askedMetrics } from './opened-page.ts';
import { organisations, slowerReviews, stoppedImports } from './organisations.ts';
import { sparklineLengths } from './printed-page.ts';
import { PromiseKeeper } from './promise-keeper.ts';

let made: MadeService;
let keeper: PromiseKeeper;
beforeAll(async () => {
  made = await startMadeService('organisations to draw conclusions from', organisations);
  keeper = new PromiseKeeper(made);
});
afterAll(() => made.service.close());

test.each(organisations.map((one) => [one.name, one] as const))(
  'Every conclusion that pages draw from these rows follows from them: %s',
  async (_, organisation) => {
    expect(await keeper.brokenBy(organisation, 'Owner')).toEqual([]);
  },
);

test.each(roles.slice(1))(
  'Every conclusion that pages draw follows from the rows that their reader sees: %s',
  async (role) => {
    expect(await keeper.brokenBy(slowerReviews, role)).toEqual([]);
  },
);

const issues = { path: '/issues', address: '/issues' };

const march = '2026-03-01 – 2026-03-31';

/** Today is the second of April, and the data of the two end with the first, a Wednesday, and with the 27th of March. */
test.each([
  ['r=7d', slowerReviews, '2026-03-26 – 2026-04-01', '2026-03-19 – 2026-03-25', false],
  ['r=month', slowerReviews, '2026-04-01 – 2026-04-01', '2026-03-01 – 2026-03-01', false],
  ['r=last-month', slowerReviews, march, '2026-02-01 – 2026-02-28', false],
  ['r=quarter', slowerReviews, '2026-04-01 – 2026-04-01', '2026-01-01 – 2026-01-01', false],
  ['r=2026-03-10.2026-04-20', slowerReviews, '2026-03-10 – 2026-04-01', '2026-02-15 – 2026-03-09', true],
  ['r=30d&c=weekday', slowerReviews, '2026-03-03 – 2026-04-01', '2026-01-27 – 2026-02-25', false],
  ['r=30d&c=year', slowerReviews, '2026-03-03 – 2026-04-01', '2025-03-03 – 2025-04-01', false],
  ['r=last-month', stoppedImports, '2026-03-01 – 2026-03-27', '2026-02-01 – 2026-02-27', true],
  ['r=2026-03-20.2026-03-31', stoppedImports, '2026-03-20 – 2026-03-27', '2026-03-12 – 2026-03-19', true],
] as const)('Whole days are compared with whole days: %s', async (search, organisation, window, before, isCut) => {
  const { page, broken } = await keeper.open(await keeper.readerOf(organisation, 'Owner'), issues, search);
  const compared = askedMetrics(page).flatMap((asked) =>
    asked.before
      ? `${asked.window.start} – ${asked.window.end} beside ${asked.before.start} – ${asked.before.end}`
      : [],
  );
  expect([...new Set(compared)]).toEqual([`${window} beside ${before}`]);
  expect(page.text.includes('the last day with complete data')).toBe(isCut);
  expect(broken).toEqual([]);
});

test('The course of a tile ends with the last whole week', async () => {
  const { page, broken } = await keeper.open(await keeper.readerOf(slowerReviews, 'Owner'), issues, 'r=90d');
  // From the week of the 19th of January, when the history begins, to that of the 23rd of March.
  expect(sparklineLengths(page.html).get('issues-count')).toBe(10);
  expect(broken).toEqual([]);
});
