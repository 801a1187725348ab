import { vi } from 'vitest';

/**
 * Tries until it holds. `expect.poll` must know which test it is in, which it cannot where two run side by side.
 */
export const awaitUntil = (holds: () => Promise<void>): Promise<void> =>
  vi.waitFor(holds, { timeout: 30_000, interval: 20 });
