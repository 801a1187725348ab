import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../reference/evaluate.ts';
import type { World } from '../reference/world.ts';
import { isLong, times } from '../setup/how-long.ts';
import { differenceOf } from './agreement.ts';
import { type AskedWorld, askedWorld, knownHistory } from './asked-world.ts';
import { withDividedSurveys } from './divided-surveys.ts';
import { type AskedRequest, dateRequests, judgedRequests, multipleRequests, singleRequests } from './random-request.ts';
import { allMetrics, seed, seededWorld, seedOf } from './seeded-worlds.ts';

describe.each([seededWorld(0), ...(isLong ? [seededWorld(1)] : [])])(
  'the service agrees with loops over rows in $name',
  ({ world }) => {
    const asked = askedWorld(world);

    const agrees = (requests: fc.Arbitrary<AskedRequest>, numRuns: number, from = seed) =>
      fc.assert(
        fc.asyncProperty(requests, async (request) => {
          expect(await disagreement(asked(), world, request)).toBeUndefined();
        }),
        { seed: from, numRuns },
      );

    test.concurrent.each(allMetrics.map((metric) => ({ metric, name: metric.name })))(
      'The service agrees with loops over rows about $name',
      ({ metric }) => agrees(singleRequests(metric, fc.boolean()), times(1, 200), seedOf(metric)),
    );
    test.concurrent('The service agrees with loops over rows about several metrics at once', () =>
      agrees(multipleRequests, times(8, 3_000)));
    test.concurrent('The service agrees with loops over rows about the periods of a window', () =>
      agrees(dateRequests, times(8, 1_000)));
    test.concurrent('The service agrees with loops over rows about what may be said of changes', () =>
      fc.assert(
        fc.asyncProperty(judgedRequests, async (request) => {
          expect(await disagreement(asked(), world, request, { showsVerdict: true })).toBeUndefined();
        }),
        { seed, numRuns: times(25, 3_000) },
      ));
  },
);

describe.each([
  { least: 2, areAnonymous: true },
  { least: 4, areAnonymous: false },
])(
  'the service agrees with loops over rows where groups of a survey have $least respondents',
  ({ least, areAnonymous }) => {
    const ofSurveys = allMetrics.filter(({ table }) => table.name.startsWith('survey_'));
    const world: World = {
      ...withDividedSurveys(seededWorld(least % 2).world, least),
      ...(areAnonymous ? { minRespondents: least } : {}),
    };
    const asked = askedWorld(world);

    test.each(ofSurveys.map((metric) => ({ metric, name: metric.name })))(
      'The service agrees with loops over rows about $name',
      async ({ metric }) => {
        await fc.assert(
          fc.asyncProperty(singleRequests(metric, fc.boolean()), async (request) => {
            expect(await disagreement(asked(), world, request)).toBeUndefined();
          }),
          { seed: seedOf(metric) + least, numRuns: times(1, 300) },
        );
      },
    );
  },
);

async function disagreement(
  { ask }: AskedWorld,
  world: World,
  { seeing, metric, body, showsN }: AskedRequest,
  { showsVerdict = false }: { readonly showsVerdict?: boolean } = {},
): Promise<string | undefined> {
  const expected = evaluate(world, seeing, metric, body, {
    showsN,
    ...(showsVerdict && { history: knownHistory(world) }),
  });
  const said = await ask(seeing, metric, body, { showsN, showsVerdict });
  if (said.total !== expected.total) return `said that there are ${said.total}, expected ${expected.total}`;
  if (said.suppressed !== expected.suppressed) return `left out ${said.suppressed}, expected ${expected.suppressed}`;
  const unmatched = differenceOf(JSON.stringify(said.unmatched ?? {}), expected.unmatched ?? {});
  return unmatched ?? differenceOf(said.text, expected.answer);
}
