import type { AffectedTest } from './affected-tests.mjs';

export declare function chooseWithin(
  seconds: number,
  affected: readonly AffectedTest[],
  secondsOf: (file: string) => number,
  maxSecondsOfFile?: number,
): { readonly chosen: AffectedTest[]; readonly leftOut: AffectedTest[] };
export declare function batchesOf(
  affected: readonly AffectedTest[],
  secondsOf: (file: string) => number,
  limits: { readonly maxFiles: number; readonly maxSeconds: number },
): AffectedTest[][];
export declare function countByFolder(tests: readonly AffectedTest[]): string;
