import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluate } from '../../reference/evaluate.ts';
import { times } from '../../setup/how-long.ts';
import { differenceOf } from '../agreement.ts';
import { askedWorld } from '../asked-world.ts';
import { singleRequests, visibilities } from '../random-request.ts';
import { seed, seededWorld, someMetric } from '../seeded-worlds.ts';

const { world, name } = seededWorld(4);

const asked = askedWorld(world);

test(`People who ask the same one after the other, or at once, each get their own answer, in ${name}`, async () => {
  let different = 0;
  await fc.assert(
    fc.asyncProperty(
      someMetric.chain(singleRequests),
      fc.tuple(visibilities, visibilities),
      async ({ metric, body }, two) => {
        const expected = two.map((seeing) => evaluate(world, seeing, metric, body).answer);
        if (JSON.stringify(expected[0]) !== JSON.stringify(expected[1])) different += 1;
        const one = (i: number) => asked().ask(two[i] ?? 'organisation', metric, body);
        const together = await Promise.all([one(0), one(1)]);
        const inTurn = [await one(1), await one(0)];
        const all = [...together, ...inTurn.toReversed()];
        for (const [i, { text }] of all.entries()) expect(differenceOf(text, expected[i % 2])).toBeUndefined();
      },
    ),
    { seed, numRuns: times(14, 1_200) },
  );
  // Otherwise nobody could have got somebody else's.
  expect(different).toBeGreaterThan(5);
});

test('The order in which metrics are asked for is the order in which they are answered, also right after another order', async () => {
  const orders = [
    ['pull-requests-count', 'cycle-time', 'contributors-count'],
    ['pull-requests-count', 'contributors-count', 'cycle-time'],
    ['cycle-time', 'contributors-count', 'pull-requests-count'],
  ];
  for (const form of [{}, { include_previous_period: true }, { time_series_data: true }]) {
    for (const metrics of orders) {
      const body = {
        metrics,
        filters: { start_date: '2023-11-01', end_date: '2024-03-31' },
        aggregations: { 'cycle-time': 'MAX' },
        group_by: ['pr_state'],
        ...form,
      };
      const { text } = await asked().ask('organisation', 'get-multiple-metrics', body);
      const expected = evaluate(world, 'organisation', 'get-multiple-metrics', body).answer;
      expect(differenceOf(text, expected)).toBeUndefined();
    }
  }
});
