import { kindOf } from './changed-file.ts';

interface ChangedFile {
  readonly path: string;
  readonly additions: number | null;
  readonly deletions: number | null;
}

/** The shape of a diff, as far as it is known. */
interface Diff {
  readonly files: readonly ChangedFile[] | null;
  readonly additions: number | null;
  readonly deletions: number | null;
  readonly changedFiles: number | null;
}

/**
 * How much there is to grasp in a diff, before it is set against what is usual in its repository:
 *
 *     log₂(1 + lines) + √files + √directories + ½ · (file types − 1) + 1 if tests are touched
 *
 * Lines are on a log scale because the thousandth line is read faster than the tenth; files and directories grow slower
 * than they are counted because sweeping changes repeat themselves. Generated, vendored, minified and lock files are
 * left out, and a pull request of nothing else is 0. Without a list of files the totals have to do, as if all files lay
 * in one directory. Null when nothing is known.
 */
export function rawComplexity(diff: Diff): number | null {
  const totalLines = diff.additions === null && diff.deletions === null ? null : linesOf(diff);
  const { files, changedFiles } = diff;
  const isListed = files !== null && (files.length > 0 || !(totalLines || changedFiles));
  if (!isListed) {
    if (totalLines === null && changedFiles === null) return null;
    const lines = totalLines ?? 0;
    const count = Math.max(0, changedFiles ?? Math.min(1, lines));
    return weigh({ lines, files: count, directories: Math.min(1, count), types: Math.min(1, count), hasTests: false });
  }
  const [paths, directories, types] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let [lines, hasLines, hasTests] = [0, false, false];
  for (const file of files) {
    if (file.additions !== null || file.deletions !== null) hasLines = true;
    const { isLeftOut, isTest, type, directory } = kindOf(file.path);
    if (isLeftOut) continue;
    paths.add(file.path);
    directories.add(directory);
    types.add(type);
    lines += linesOf(file);
    if (isTest) hasTests = true;
  }
  if (paths.size === 0) return 0;
  // Some hosts list paths only: the lines are then those of the whole diff, left-out files included.
  if (!hasLines) lines = totalLines ?? 0;
  return weigh({ lines, files: paths.size, directories: directories.size, types: types.size, hasTests });
}

interface Shape {
  readonly lines: number;
  readonly files: number;
  readonly directories: number;
  readonly types: number;
  readonly hasTests: boolean;
}

function weigh({ lines, files, directories, types, hasTests }: Shape): number {
  return (
    Math.log2(1 + lines) + Math.sqrt(files) + Math.sqrt(directories) + Math.max(0, types - 1) / 2 + (hasTests ? 1 : 0)
  );
}

/** A missing side is nothing when the other is known. */
const linesOf = ({ additions, deletions }: Pick<Diff, 'additions' | 'deletions'>): number =>
  Math.max(0, additions ?? 0) + Math.max(0, deletions ?? 0);

/** The middle value; between two, the middle of them. */
export function medianOf(values: readonly number[]): number | null {
  const inOrder = values.toSorted((a, b) => a - b);
  const [lower, upper] = [inOrder[Math.floor((inOrder.length - 1) / 2)], inOrder[Math.floor(inOrder.length / 2)]];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

/**
 * 0 to 100, and 50 for what is usual. Where the usual pull request holds nothing that counts (a median of 0), such a one
 * is 0 here as everywhere, and any other is as far above the usual as can be.
 */
export function scoreOf(raw: number, median: number): number {
  return raw === 0 ? 0 : (100 * raw) / (raw + median);
}

/** The files of a pull request as they are kept: JSON text of `[{path, additions, deletions}]`, numbers where known. */
export function filesOf(json: string | null): readonly ChangedFile[] | null {
  const parsed: unknown = json === null ? null : JSON.parse(json);
  if (!Array.isArray(parsed)) return null;
  return parsed.flatMap((file: unknown) => {
    if (typeof file !== 'object' || file === null || !('path' in file) || typeof file.path !== 'string') return [];
    const { additions, deletions } = file as { additions?: unknown; deletions?: unknown };
    return [{ path: file.path, additions: countIn(additions), deletions: countIn(deletions) }];
  });
}

const countIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
