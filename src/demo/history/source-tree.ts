import { list } from '../organisation-profile.ts';
import type { SeededRandom } from '../seeded-random.ts';

export interface DrawnFile extends Readonly<Record<string, string | number>> {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
}

type SourceTree = ReturnType<typeof drawSourceTree>;

/** Language, sources and tests (with * for folder and file), lock file, generated file. */
const languages = [
  ['typescript', 'src/*/*.ts', 'test/*/*.test.ts', 'package-lock.json', 'src/generated/schema.generated.ts'],
  ['go', 'internal/*/*.go', 'internal/*/*_test.go', 'go.sum', 'gen/messages.pb.go'],
  ['python', 'app/*/*.py', 'tests/*/test_*.py', 'poetry.lock', 'app/generated/messages_pb2.py'],
  ['java', 'src/main/java/*/*.java', 'src/test/java/*/*Test.java', 'gradle.lockfile', 'build/generated/Api.java'],
  ['rust', 'crates/*/src/*.rs', 'crates/*/tests/*.rs', 'Cargo.lock', 'crates/wire/src/generated.rs'],
] as const;
const folders = list('accounts, api, audit, billing, cache, events, export, forms, import, jobs');
const files =
  list(`client, config, consumer, handler, index, limits, mapper, model, notice, parser, policy, queue, report,
  retry, router, schedule, service, session, store, validate, view, worker`);
const filesPerTree = 36;

export function drawSourceTree(random: SeededRandom) {
  const [language, source, test, lock, generated] = random.pick(languages);
  const every = folders.flatMap((folder) => files.map((file) => [folder, file] as const));
  const chosen = random.sample(every, filesPerTree);
  const named = (pattern: string) => chosen.map(([folder, file]) => pattern.replace('*', folder).replace('*', file));
  return { language, sources: named(source), tests: named(test), lock, generated };
}

/** Spreads a change over files: most of it over sources, some over tests, now and then a lock or a generated file. */
export function drawFiles(tree: SourceTree, additions: number, deletions: number, random: SeededRandom): DrawnFile[] {
  const { sources, tests, generated } = tree;
  const size = additions + deletions;
  const count = Math.min(14, 1 + Math.floor(Math.log2(1 + size / 12) * random.between(0.6, 1.5)));
  const first = random.integer(0, sources.length - 1);
  const withTests = random.chance(0.5);
  const changed: DrawnFile[] = [];
  let [addedLeft, deletedLeft] = [additions, deletions];
  for (let index = 0; index < count; index += 1) {
    const isTest = withTests && index % 2 === 1;
    const path = isTest ? tests[(first + (index >> 1)) % tests.length] : sources[(first + index) % sources.length];
    const share = index === count - 1 ? 1 : random.between(0.2, 0.7);
    const [added, deleted] = [Math.floor(addedLeft * share), Math.floor(deletedLeft * share)];
    addedLeft -= added;
    deletedLeft -= deleted;
    changed.push({ path: path ?? '', additions: added, deletions: deleted });
  }
  if (random.chance(0.06)) changed.push(drawLockFile(tree, random));
  const lines = Math.round(random.skewed(180, 0.8));
  if (random.chance(0.05)) changed.push({ path: generated, additions: lines, deletions: Math.floor(lines / 3) });
  return changed;
}

export function drawLockFile({ lock }: SourceTree, random: SeededRandom): DrawnFile {
  const lines = 2 + Math.round(random.skewed(40, 1.1));
  return { path: lock, additions: lines, deletions: Math.floor(lines * random.between(0.6, 1)) };
}
