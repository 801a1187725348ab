import { availableParallelism, totalmem } from 'node:os';

/** PLUMB_BENCH_SHARE=0.01 runs a hundredth of everything, to try it out. */
export const share = Number(process.env.PLUMB_BENCH_SHARE ?? 1);
const sized = (rows: number): number => Math.max(100, Math.round(rows * share));

/** How much history an organisation has, and who made it. */
export interface Size {
  readonly pullRequests: number;
  readonly deployments: number;
  readonly people: number;
  readonly teams: number;
  /** First day. */
  readonly from: string;
}

/** History ends before this day, and so do all windows, wherever their end is: nothing lies behind it. */
export const endOfHistory = '2025-07-01';
const tenYearsBefore = '2015-07-01';
const oneYearBefore = '2024-07-01';
const ninetyDaysBefore = '2025-04-02';

/** Where the windows of questions begin. */
export const begins = { ninetyDays: ninetyDaysBefore, year: oneYearBefore } as const;

const crowd = { people: 3_000, teams: 150 } as const;
export const large: Size = {
  ...crowd,
  pullRequests: sized(3_000_000),
  deployments: sized(100_000),
  from: tenYearsBefore,
};
/** What pages are measured on. */
export const ofPages: Size = { ...large, pullRequests: sized(2_000_000) };
/** As many pull requests a day as the large one, but for the last year only. */
export const young: Size = { ...crowd, pullRequests: sized(300_000), deployments: sized(10_000), from: oneYearBefore };
export const small: Size = {
  pullRequests: sized(100_000),
  deployments: 0,
  people: 100,
  teams: 8,
  from: tenYearsBefore,
};
/** As large as those of the demo, whatever the share. */
export const tiny: Size = { pullRequests: 1_000, deployments: 100, people: 120, teams: 14, from: '2023-07-01' };
/** Making a file takes long however little is in it. */
export const smallOnes = share < 0.1 ? 9 : 69;

export const exports = { usual: sized(500_000), long: sized(2_000_000) } as const;

const secondsPerDay = 86_400;
export const secondsOf = (day: string): number => Date.parse(day) / 1_000;
export const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);
export const daysAfter = (day: string, days: number): string => dayOf(secondsOf(day) + days * secondsPerDay);

/** The day from which on the large organisation has about so many pull requests. */
export function beginOfLast(pullRequests: number): string {
  const span = secondsOf(endOfHistory) - secondsOf(large.from);
  return dayOf(secondsOf(endOfHistory) - Math.ceil((pullRequests * span) / large.pullRequests));
}

/** The same for Plumb, for the engine by itself and, as far as it has such settings, for PostgreSQL. */
export const threads = availableParallelism();
export const memoryMegabytes = Math.max(1_024, Math.floor(totalmem() / 4 / 1_024 ** 2));
