/** Whether the long suites were asked for (`npm run test:long`): the same promises, tried many times more often. */
export const isLong = process.env.PLUMB_TEST_LONG !== undefined;

/** How often something is tried in the ordinary run, and how often in the long one: twenty times that unless given. */
export const times = (ordinary: number, long = ordinary * 20): number => (isLong ? long : ordinary);

/**
 * For an engine whose tables have a few rows each: with two threads its statements take a third longer. In the long run
 * it has as many as it has in a server, and tests of the engine itself say how many they want.
 */
export const threadsForFewRows = isLong ? undefined : 1;

/** The same for commands and servers: what they have in their environment unless a test says otherwise. */
export const environmentForFewRows: Readonly<Record<string, string>> =
  threadsForFewRows === undefined ? {} : { PLUMB_THREADS: String(threadsForFewRows) };

/** For what is promised within a second. Three, since on a machine that others keep busy little takes less than one. */
export const soon = { timeout: 3_000, interval: 5 };
