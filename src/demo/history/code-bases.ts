import type { RepositoryRecord } from '../../catalogue/directory-records.ts';
import type { Blueprint, CodeHost } from '../blueprint.ts';
import type { DemoOrganisation } from '../demo-organisations.ts';
import { kebab } from '../repositories.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { type Language, languages, SourcePaths } from './source-paths.ts';
import type { WorkingCalendar } from './working-calendar.ts';

/** What is seen when a code base goes to production. Nothing is, where every merge is a deployment. */
export type Delivery = 'run' | 'stated' | 'release' | 'merge';

/** A repository with what its history needs to know. */
export interface CodeBase {
  readonly repository: string;
  /** What it is about, in words: card payments. */
  readonly subject: string;
  /** Team it is named after; those that everybody knows have none. */
  readonly team: string | undefined;
  readonly isActive: boolean;
  /** How much of the work of those who may choose it goes there. */
  readonly pull: number;
  /** Branch that work is merged into, and branch that production is built from. */
  readonly trunk: string;
  readonly production: string;
  readonly delivery: Delivery;
  readonly workflows: readonly [string, ...string[]];
  /** Whether stated deployments say which pull requests they carried. */
  readonly namesPullRequests: boolean;
  readonly deploymentSource: 'bitbucket_deployment' | undefined;
  /** Releases and promotions are made on one day of the week, every so many weeks. */
  readonly cadenceWeeks: number;
  readonly cadenceWeekday: number;
  readonly hasMergeQueue: boolean;
  readonly language: Language;
  readonly paths: SourcePaths;
  /** Where it was kept at first, and from which day on where it is now. */
  readonly host: CodeHost;
  readonly movesTo: { readonly host: CodeHost; readonly day: number } | undefined;
  /** Of the next pull request. On GitHub issues take numbers from the same row. */
  nextNumber: number;
}

/** A repository that is promoted from branch to branch. */
export const isPromoted = ({ trunk, production }: CodeBase): boolean => trunk !== production;

/** Whether a release or a promotion is due, unless the day is a holiday: then it waits for the next time. */
export const isDueOn = ({ cadenceWeeks, cadenceWeekday }: CodeBase, day: number, calendar: WorkingCalendar): boolean =>
  calendar.weekdayOf(day) === cadenceWeekday && Math.floor(day / 7) % cadenceWeeks === 0 && calendar.isWorkingDay(day);

export const hostOn = ({ host, movesTo }: CodeBase, day: number): CodeHost =>
  movesTo && day >= movesTo.day ? movesTo.host : host;

export function takeNumber(codeBase: CodeBase): number {
  const number = codeBase.nextNumber;
  codeBase.nextNumber = number + 1;
  return number;
}

const deliveriesBySource = {
  workflow_run: 'run',
  github_release: 'release',
  bitbucket_deployment: 'stated',
  merge_to_default: 'merge',
} as const satisfies Record<string, Delivery>;

/** A repository that does not say how it deploys does it in one of these ways. */
const unsaidDeliveries: Readonly<Record<CodeHost, readonly Delivery[]>> = {
  github: ['release', 'run', 'stated', 'merge'],
  gitlab: ['run', 'stated', 'merge'],
  bitbucket: ['run', 'stated', 'merge'],
};

export function planCodeBases(
  organisation: DemoOrganisation,
  blueprint: Blueprint,
  hasMergeQueue: boolean,
  calendar: WorkingCalendar,
  random: SeededRandom,
): readonly CodeBase[] {
  const wellKnown = new Set(blueprint.repositories.map(({ repository }) => repository));
  const teamsByName = new Map(organisation.teams.map(({ team_name }) => [kebab(team_name ?? ''), team_name ?? '']));
  let rank = 0;
  return organisation.repositories.map((record): CodeBase => {
    const repository = record.repository ?? '';
    const name = repository.slice(repository.indexOf('/') + 1);
    const isWellKnown = wellKnown.has(repository);
    if (isWellKnown) rank += 1;
    const delivery = drawDelivery(record, blueprint.codeHost, random);
    const language = random.pick(languages);
    const trunk = record.default_branch ?? 'main';
    const [workflow = 'Deploy to production', ...otherWorkflows] = record.deploy_workflows ?? [];
    return {
      repository,
      subject: name.replaceAll('-', ' '),
      team: isWellKnown ? undefined : teamsByName.get(name.slice(0, name.lastIndexOf('-'))),
      isActive: record.is_active !== false,
      // The first that everybody knows is the one most people work in.
      pull: (isWellKnown ? 3 / rank : random.between(0.6, 1.4)) * (record.is_active === false ? 0.1 : 1),
      trunk,
      production: record.production_branch ?? trunk,
      delivery,
      workflows: [workflow, ...otherWorkflows],
      namesPullRequests: delivery === 'stated' && random.chance(0.25),
      deploymentSource: record.deployment_source === 'bitbucket_deployment' ? 'bitbucket_deployment' : undefined,
      cadenceWeeks: random.pick([1, 1, 2]),
      cadenceWeekday: random.integer(2, 4),
      hasMergeQueue: hasMergeQueue && trunk === (record.production_branch ?? trunk) && random.chance(0.7),
      language,
      paths: new SourcePaths(language, random),
      ...drawHosts(record, blueprint, calendar, random),
      nextNumber: random.integer(12, 900),
    };
  });
}

function drawDelivery({ deployment_source: source }: RepositoryRecord, host: CodeHost, random: SeededRandom): Delivery {
  const said = Object.entries(deliveriesBySource).find(([name]) => name === source);
  return said ? said[1] : random.pick(unsaidDeliveries[host]);
}

/** Where an organisation has two code hosts, some repositories have moved to the second, and some always were there. */
function drawHosts(
  { deployment_source: source }: RepositoryRecord,
  { codeHost: host, secondCodeHost: second }: Blueprint,
  calendar: WorkingCalendar,
  random: SeededRandom,
): Pick<CodeBase, 'host' | 'movesTo'> {
  // Deployments that only the first host knows, and releases of GitHub, tie a repository to where it is.
  const isTied = source === 'bitbucket_deployment' || source === 'github_release';
  if (second === undefined || isTied) return { host, movesTo: undefined };
  if (source === 'workflow_run' && second === 'github') return { host: second, movesTo: undefined };
  if (!random.chance(0.75)) return { host, movesTo: undefined };
  const day = Math.floor(calendar.days * random.between(0.25, 0.8));
  return { host, movesTo: { host: second, day } };
}
