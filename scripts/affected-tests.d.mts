import type { DeclaredReach } from './import-graph.mjs';

export interface AffectedTest {
  readonly file: string;
  /** Imports between it and the nearest changed file. A process on the way counts as several. */
  readonly steps: number;
  /** How many words its path has in common with that of a changed file. */
  readonly sharedWords: number;
}

export interface TestReach {
  affectedBy(changed: readonly string[]): AffectedTest[];
  runBy(changed: readonly string[]): AffectedTest[];
}

export declare function readTestReach(
  root: string,
  folders?: readonly string[],
  declared?: readonly DeclaredReach[],
): TestReach;
export declare function nearestFirst(
  affected: readonly AffectedTest[],
  secondsOf: (file: string) => number,
): AffectedTest[];
