/**
 * What everything random in a run grows from. `vitest.config.ts` sets it once for all workers: always the same number
 * in the ordinary run, so that it gates, another one in every long run, and `PLUMB_TEST_SEED` repeats one.
 */
export const seed = Number(process.env.PLUMB_TEST_SEED);
