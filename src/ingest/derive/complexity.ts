interface ChangedFile {
  readonly path: string;
  readonly additions: number | null;
  readonly deletions: number | null;
}

/** The known shape of a diff. */
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

/** Folders that hold other people's code, or what a build made. */
const leftOutFolders = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'vendor',
  'vendored',
  'third_party',
  'third-party',
  'thirdparty',
  'pods',
  'carthage',
  'godeps',
  'dist',
  'generated',
  '__generated__',
  '__snapshots__',
]);

/** Lists of exact versions, which a tool writes. Most of them end in `.lock`; these do not. */
const lockFiles = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'packages.lock.json',
  'bun.lockb',
  'go.sum',
  'go.work.sum',
  'gradle.lockfile',
  'package.resolved',
  'cartfile.resolved',
  'conda-lock.yml',
  '.terraform.lock.hcl',
]);

/** One pattern out of many: histories have files by the million, and one pass over a name is all that it needs. */
const anyOf = (patterns: readonly RegExp[]): RegExp => new RegExp(patterns.map(({ source }) => source).join('|'));

/** Names that tools give to what they write. */
const leftOutNames = anyOf([
  /\.lock$/,
  // Minified code, and the maps back to what it was.
  /[.-]min\.(?:js|mjs|cjs|css)$/,
  /\.(?:js|mjs|cjs|css)\.map$/,
  // Code made from other files: `api.generated.ts`, `schema.gen.go`, `zz_generated.deepcopy.go`, `user.g.dart`.
  /[._-](?:generated|gen)\.\w+$/,
  /^zz_generated[._]/,
  /\.(?:g|freezed)\.dart$/,
  /\.designer\.(?:cs|vb)$/,
  // Protocol buffers, by language.
  /\.pb\.(?:go|cc|h|swift|dart|gw\.go)$/,
  /_pb2(?:_grpc)?\.pyi?$/,
  /_pb\.(?:js|d\.ts|ts|rb)$/,
  // The last results of a test.
  /\.snap$/,
]);

const testFolders = new Set(['test', 'tests', '__tests__', 'spec', 'specs', 'e2e', 'testing', 'unittests']);
const testNames = anyOf([
  /[._-](?:test|tests|spec|specs|e2e|cy)\.\w+$/, // cart.test.ts, cart_test.go, cart_spec.rb
  /^(?:test|spec)[._-]/, // test_cart.py
  /^(?:conftest\.py|tests?\.\w+)$/,
]);
/** CartTest.java, CartTests.cs, CartSpec.scala: only the capital distinguishes it from `latest.java`. */
const testClass = /[a-z\d_](?:Tests?|Spec|IT)\.(?:java|kt|kts|cs|scala|swift|groovy|php|m|cpp)$/;

/** The kind of a changed file, by its path. */
interface FileKind {
  /** Says nothing about how hard a change was: generated, vendored, minified, or a lock file. */
  readonly isLeftOut: boolean;
  readonly isTest: boolean;
  /** The extension of the file, or its whole name where it has none (`Makefile`, `.gitignore`). */
  readonly type: string;
  readonly directory: string;
}

export function kindOf(path: string): FileKind {
  const folders = path.toLowerCase().split('/');
  const name = folders.pop() ?? '';
  const dot = name.lastIndexOf('.');
  return {
    isLeftOut: lockFiles.has(name) || folders.some((folder) => leftOutFolders.has(folder)) || leftOutNames.test(name),
    isTest: folders.some((folder) => testFolders.has(folder)) || testNames.test(name) || testClass.test(path),
    type: dot > 0 && dot < name.length - 1 ? name.slice(dot) : name,
    directory: path.slice(0, path.lastIndexOf('/') + 1),
  };
}
