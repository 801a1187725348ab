/** A file that runs or reads others without importing them. */
export interface DeclaredReach {
  readonly from: string;
  readonly to: readonly string[];
  readonly steps: number;
  /** It depends on the text of the files, and not on what they import. */
  readonly readsText?: boolean;
}

export interface ImportGraph {
  readonly files: readonly string[];
  /** Whether it is known who uses a file, be it nobody. */
  isKnown(file: string): boolean;
  /** Who imports, runs or reads a file, and how many steps away each of them is. */
  usersOf(file: string, isChanged: boolean): readonly (readonly [user: string, steps: number])[];
}

export declare function readImportGraph(
  root: string,
  folders: readonly string[],
  declared?: readonly DeclaredReach[],
): ImportGraph;
export declare function stepsTo(changed: readonly string[], graph: ImportGraph): Map<string, number>;
export declare function matcherOf(patterns: readonly string[]): (file: string) => boolean;
