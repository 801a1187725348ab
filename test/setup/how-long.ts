/** Whether the long suites were asked for (`npm run test:long`): the same promises, tried many times more often. */
export const isLong = process.env.PLUMB_TEST_LONG !== undefined;

/** How often something is tried in the ordinary run, and how often in the long one: twenty times that unless given. */
export const times = (ordinary: number, long = ordinary * 20): number => (isLong ? long : ordinary);

/**
 * For an engine whose tables have a few rows each: with two threads its statements take a third longer. In the long run
 * it has as many as it has in a server, and tests of the engine itself say how many they want.
 */
export const threadsForFewRows = isLong ? undefined : 1;

/** How long a test may take that tries things so often. */
export const timeoutMs = (ordinary: number): number => (isLong ? ordinary * 20 : ordinary);
