import { dayNumber } from '../../calendar.ts';
import { type DemoOrganisation, kebab } from '../demo-organisations.ts';
import type { DemoHost } from '../organisation-profile.ts';
import { list } from '../organisation-profile.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { type WorkingCalendar, weekdayOf, weekOf } from './working-calendar.ts';

/** The records that show when a code base goes to production. There are none where every merge is a deployment. */
const deliveries: Readonly<Record<string, 'run' | 'reported' | 'release' | 'merge'>> = {
  ...{ workflow_run: 'run', github_release: 'release', bitbucket_deployment: 'reported', merge_to_default: 'merge' },
};

export type CodeBase = ReturnType<typeof planCodeBases>[number];

/** In which repositories move to another code host, one after the other. */
const moving = { from: dayNumber('2024-06-03'), days: 400 };

/** The numbers of pull requests go on after `numbersBefore` of them. */
export function planCodeBases(organisation: DemoOrganisation, numbersBefore: number, random: SeededRandom) {
  const { repositories, teams, profile } = organisation;
  const { codeHosts, tools } = profile;
  const teamsByName = new Map(teams.map(({ team_name }) => [kebab(team_name), team_name]));
  // A repository that does not say how it deploys does it in one of these ways.
  const unsaid =
    codeHosts[0] === 'github' ? ['release', 'release', 'run', 'reported', 'merge'] : ['run', 'reported', 'merge'];
  /** Where an organisation has two code hosts, some repositories moved to the second, and some were always there. */
  const drawHost = (source: string | undefined): ((day: number) => DemoHost) => {
    const [host, second = host] = codeHosts;
    // Deployments that only the first host knows, and releases of GitHub, tie a repository to where it is.
    if (source === 'bitbucket_deployment' || source === 'github_release') return () => host;
    if (source === 'workflow_run' && second === 'github') return () => second;
    const moves = random.chance(0.75) ? moving.from + moving.days * random.next() : Number.POSITIVE_INFINITY;
    return (day) => (day >= moves ? second : host);
  };
  return repositories.map((record, index) => {
    const { repository = '', deployment_source: source, default_branch: trunk, deploy_workflows, is_active } = record;
    const name = repository.split('/')[1] ?? '';
    const isWellKnown = index < profile.repositories.length;
    const production = record.production_branch ?? trunk;
    const delivery = deliveries[source ?? ''] ?? random.pick(unsaid);
    return {
      repository,
      /** The subject of the code base in words: card payments. */
      subject: name.replaceAll('-', ' '),
      /** Team it is named after; those that everybody knows have none. */
      team: isWellKnown ? undefined : teamsByName.get(name.slice(0, name.lastIndexOf('-'))),
      // Most people work in the first repository that everybody knows.
      weight: (isWellKnown ? 3 / (index + 1) : random.between(0.6, 1.4)) * (is_active ? 1 : 0.1),
      /** Branch that work is merged into, and branch that production is built from. */
      ...{ trunk, production, delivery },
      workflows: deploy_workflows ?? ['Deploy to production'],
      namesPullRequests: delivery === 'reported' && random.chance(0.25),
      deploymentSource: source === 'bitbucket_deployment' ? source : null,
      /** Releases and promotions are made on one day of the week, every so many weeks. */
      cadenceWeeks: random.pick([1, 1, 1, 2]),
      cadenceWeekday: random.integer(1, 3),
      hasMergeQueue: tools.hasMergeQueue === true && trunk === production && random.chance(0.7),
      tree: drawSourceTree(random),
      hostOn: drawHost(source),
      /** Of the last pull request. On GitHub issues take numbers from the same sequence. */
      lastNumber: random.integer(12, 900) + numbersBefore,
    };
  });
}

/** Whether a release or a promotion is due, unless the day is a holiday: then it waits for the next time. */
export const isDueOn = ({ cadenceWeeks, cadenceWeekday }: CodeBase, day: number, calendar: WorkingCalendar): boolean =>
  weekdayOf(day) === cadenceWeekday && weekOf(day) % cadenceWeeks === 0 && calendar.isWorkingDay(day);

export function takeNumber(codeBase: CodeBase): number {
  codeBase.lastNumber += 1;
  return codeBase.lastNumber;
}

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

function drawSourceTree(random: SeededRandom) {
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
