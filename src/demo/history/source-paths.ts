import type { SeededRandom } from '../seeded-random.ts';
import { drawSkewed } from './delays.ts';

export interface ChangedFile {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
}

export interface Language {
  readonly name: string;
  readonly source: (folder: string, file: string) => string;
  readonly test: (folder: string, file: string) => string;
  readonly lock: string;
  readonly generated: string;
}

export const languages: readonly [Language, ...Language[]] = [
  {
    name: 'typescript',
    source: (folder, file) => `src/${folder}/${file}.ts`,
    test: (folder, file) => `test/${folder}/${file}.test.ts`,
    lock: 'package-lock.json',
    generated: 'src/generated/schema.generated.ts',
  },
  {
    name: 'go',
    source: (folder, file) => `internal/${folder}/${file}.go`,
    test: (folder, file) => `internal/${folder}/${file}_test.go`,
    lock: 'go.sum',
    generated: 'gen/messages.pb.go',
  },
  {
    name: 'python',
    source: (folder, file) => `app/${folder}/${file}.py`,
    test: (folder, file) => `tests/${folder}/test_${file}.py`,
    lock: 'poetry.lock',
    generated: 'app/generated/messages_pb2.py',
  },
  {
    name: 'java',
    source: (folder, file) => `src/main/java/example/${folder}/${file}.java`,
    test: (folder, file) => `src/test/java/example/${folder}/${file}Test.java`,
    lock: 'gradle.lockfile',
    generated: 'build/generated/sources/Api.java',
  },
  {
    name: 'rust',
    source: (folder, file) => `crates/${folder}/src/${file}.rs`,
    test: (folder, file) => `crates/${folder}/tests/${file}.rs`,
    lock: 'Cargo.lock',
    generated: 'crates/wire/src/generated.rs',
  },
];

const folders = [
  'accounts',
  'api',
  'audit',
  'billing',
  'cache',
  'events',
  'export',
  'forms',
  'import',
  'jobs',
] as const;
const files = [
  ...['client', 'config', 'consumer', 'handler', 'index', 'limits', 'mapper', 'model', 'notice', 'parser', 'policy'],
  ...['queue', 'report', 'retry', 'router', 'schedule', 'service', 'session', 'store', 'validate', 'view', 'worker'],
];

/** The files of one code base that pull requests are seen to touch. */
export class SourcePaths {
  readonly #sources: readonly string[];
  readonly #tests: readonly string[];
  readonly #language: Language;

  constructor(language: Language, random: SeededRandom) {
    this.#language = language;
    const chosen = random.sample(
      folders.flatMap((folder) => files.map((file) => [folder, file] as const)),
      36,
    );
    this.#sources = chosen.map(([folder, file]) => language.source(folder, file));
    this.#tests = chosen.map(([folder, file]) => language.test(folder, file));
  }

  /** Spreads a change over files: most of it over sources, some over tests, now and then a lock or a generated file. */
  drawChange(additions: number, deletions: number, random: SeededRandom): readonly ChangedFile[] {
    const size = additions + deletions;
    const count = Math.min(14, 1 + Math.floor(Math.log2(1 + size / 12) * random.between(0.6, 1.5)));
    const first = Math.floor(random.next() * this.#sources.length);
    const withTests = random.chance(0.5);
    const changed: ChangedFile[] = [];
    let addedLeft = additions;
    let deletedLeft = deletions;
    for (let index = 0; index < count; index += 1) {
      const place = (first + (index >> 1)) % this.#sources.length;
      const isTest = withTests && index % 2 === 1;
      const path = isTest ? this.#tests[place] : this.#sources[(first + index) % this.#sources.length];
      const share = index === count - 1 ? 1 : random.between(0.2, 0.7);
      const added = Math.floor(addedLeft * share);
      const deleted = Math.floor(deletedLeft * share);
      addedLeft -= added;
      deletedLeft -= deleted;
      changed.push({ path: path ?? 'README.md', additions: added, deletions: deleted });
    }
    if (random.chance(0.06)) changed.push(this.lockChange(random));
    if (random.chance(0.05)) {
      const lines = Math.round(drawSkewed(random, 180, 0.8));
      changed.push({ path: this.#language.generated, additions: lines, deletions: Math.floor(lines / 3) });
    }
    return changed;
  }

  lockChange(random: SeededRandom): ChangedFile {
    const lines = 2 + Math.round(drawSkewed(random, 40, 1.1));
    return { path: this.#language.lock, additions: lines, deletions: Math.floor(lines * random.between(0.6, 1)) };
  }
}
