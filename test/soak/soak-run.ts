import { expect } from 'vitest';
import { type Figures, figuresBetween, type Measured, quantile, watch } from './soak-figures.ts';
import { SoakLoad, type SoakTerms } from './soak-load.ts';

/** `npm run test:soak` takes an hour for each; the long run takes ten minutes. */
export const soakMinutes = Number(process.env.PLUMB_SOAK_MINUTES ?? 10);
/** Compared are the first and the last ten minutes of an hour, or a fifth of a shorter time. */
const comparedMinutes = soakMinutes >= 60 ? 10 : soakMinutes / 5;
/** Before the first look: caches fill, code is compiled, and the engine takes the memory that it works with. */
const warmUpMinutes = Math.max(soakMinutes / 20, 0.5);
const maxGrowth = 1.2;

export const soakTimeoutMs = (soakMinutes + warmUpMinutes + 10) * 60_000;

/** Loads a service for as long as a soak lasts, and holds what it takes in the end against what it took at first. */
export async function soak(
  name: string,
  measured: Measured,
  terms: Omit<SoakTerms, 'isOver'>,
  { hasLatency = true }: { readonly hasLatency?: boolean } = {},
): Promise<void> {
  const firstMs = performance.now() + warmUpMinutes * 60_000;
  const endMs = firstMs + soakMinutes * 60_000;
  const isOver = () => performance.now() >= endMs;
  const load = new SoakLoad({ ...terms, isOver });
  const [taken] = await Promise.all([watch(measured, isOver), load.run()]);
  const between = (fromMs: number, untilMs: number) => figuresBetween(fromMs, untilMs, taken, load.sent);
  const first = between(firstMs, firstMs + comparedMinutes * 60_000);
  const last = between(endMs - comparedMinutes * 60_000, endMs);
  console.log(`${name}, ${soakMinutes} minutes: ${inWords(first)} at first, ${inWords(last)} in the end`);
  for (const kind of new Set(load.sent.map((one) => one.kind))) {
    const ms = load.sent.filter((one) => one.kind === kind).map((one) => one.ms);
    console.log(
      `  ${kind}: ${ms.length}, p50 ${quantile(ms, 0.5).toFixed(0)} ms, p99 ${quantile(ms, 0.99).toFixed(0)} ms`,
    );
  }
  expect(load.wrong).toEqual([]);
  // Whoever is told to come back under a load that one machine bears is told so for nothing.
  expect(load.refusals).toBeLessThanOrEqual(load.sent.length / 100);
  expect(last.memory / first.memory).toBeLessThanOrEqual(maxGrowth);
  expect(last.openFiles / first.openFiles).toBeLessThanOrEqual(maxGrowth);
  expect(last.disk / first.disk).toBeLessThanOrEqual(maxGrowth);
  if (hasLatency) expect(last.p99 / first.p99).toBeLessThanOrEqual(maxGrowth);
}

const inWords = ({ memory, openFiles, disk, p99 }: Figures): string =>
  `${(memory / 1e6).toFixed(0)} MB of memory, ${openFiles} open files, ${(disk / 1e6).toFixed(0)} MB of disk, p99 ${p99.toFixed(0)} ms`;
