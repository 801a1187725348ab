import type { SeededRandom } from '../seeded-random.ts';

const rootOfThree = Math.sqrt(3);

/**
 * Close to a normal deviate, but never beyond 3.46 either way: four uniform ones added up. What takes long in the demo
 * takes weeks and not years, and so what is open at a time stays bounded.
 */
export function drawDeviate(random: SeededRandom): number {
  return (random.next() + random.next() + random.next() + random.next() - 2) * rootOfThree;
}

/** Waiting times and sizes are skewed: most are short, some very long. Half of them are below the median. */
export function drawSkewed(random: SeededRandom, median: number, spread: number): number {
  return median * Math.exp(spread * drawDeviate(random));
}

/** The same as a whole number of at least one. */
export function drawSkewedCount(random: SeededRandom, median: number, spread: number): number {
  return Math.max(1, Math.round(drawSkewed(random, median, spread)));
}

export const minute = 60;
export const hour = 3_600;
