/** Whether the long suites were asked for (`npm run test:long`): the same promises, tried many times more often. */
export const isLong = process.env.PLUMB_TEST_LONG !== undefined;

/** How often something is tried in the ordinary run, and how often in the long one: twenty times that, unless told. */
export const times = (ordinary: number, long = ordinary * 20): number => (isLong ? long : ordinary);

/** How long a test may take that tries things so often. */
export const timeoutMs = (ordinary: number): number => (isLong ? ordinary * 20 : ordinary);
