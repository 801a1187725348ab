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
  // What a test saw last time.
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

/** What follows from the path of a changed file. */
interface FileKind {
  /** Says nothing about how hard a change was: generated, vendored, minified, or a lock file. */
  readonly isLeftOut: boolean;
  readonly isTest: boolean;
  /** Its extension, or its whole name where it has none (`Makefile`, `.gitignore`). */
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
