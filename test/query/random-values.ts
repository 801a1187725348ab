import fc from 'fast-check';

/** Texts that engines are known to sort, fold, quote or escape differently. */
export const awkwardTexts = [
  'a',
  'B',
  'b',
  'Zebra',
  'ä',
  'é',
  'ﬀ',
  '😀',
  '\u{ffe6}',
  '',
  ' ',
  '%',
  '_',
  '\\',
  "it's",
  '"quoted"',
  'two\nlines',
  'null',
  '0',
  '10',
  '9',
  'door handle',
  'the DOOR',
] as const;

/** Missing, now and then. */
export const maybe = <T>(value: fc.Arbitrary<T>, freq = 6): fc.Arbitrary<T | null> =>
  fc.option(value, { nil: null, freq });

export const texts = fc.constantFrom(...awkwardTexts);

/** Sums of them are exact, whatever the order in which they are added. */
export const quarters = fc.integer({ min: 0, max: 400 }).map((number) => number / 4);

/** Mostly few different ones, so that many are equal; some that a 32-bit number has no room for. */
export const amounts = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 9 }) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 100_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2 ** 31, max: 2 ** 40 }) },
);
export const smallIntegers = fc.integer({ min: 0, max: 12 });

export const durations = fc.oneof(
  fc.constantFrom(0, 1, 59, 60, 61, 3_599, 3_600, 86_399, 86_400, 93_845),
  fc.integer({ min: 0, max: 400_000 }),
);

/** What happens, happens within this half of a year, which has a change of the clocks at either end. */
export const firstDay = '2023-10-20';
export const lastDay = '2024-04-12';
const begins = Date.parse(`${firstDay}T00:00:00Z`) / 1_000;
const days = (Date.parse(`${lastDay}T00:00:00Z`) / 1_000 - begins) / 86_400;

/** When a day begins in one of the zones of random worlds, with and without summer time, in hours of UTC. */
const midnights = [0, 4, 5, 11, 12, 18.5, 22, 23];

/** Many of them within a second of some midnight. */
export const instants = fc.oneof(
  fc.integer({ min: begins, max: begins + days * 86_400 }),
  fc
    .tuple(fc.integer({ min: 0, max: days - 1 }), fc.constantFrom(...midnights), fc.integer({ min: -1, max: 1 }))
    .map(([day, hour, second]) => begins + day * 86_400 + hour * 3_600 + second),
  // The nights in which the clocks of New York and of Auckland change.
  fc
    .tuple(
      fc.constantFrom(
        '2023-11-05T04:00:00Z',
        '2024-03-10T05:00:00Z',
        '2024-04-06T11:00:00Z',
        '2024-03-31T00:00:00Z',
        '2023-10-29T00:00:00Z',
      ),
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: -1, max: 1 }),
    )
    .map(([night, half, second]) => Date.parse(night) / 1_000 + half * 1_800 + second),
);

export const someDays = fc
  .integer({ min: 0, max: days })
  .map((day) => new Date((begins + day * 86_400) * 1_000).toISOString().slice(0, 10));
