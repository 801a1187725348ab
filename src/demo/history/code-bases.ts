import type { CodeHostName } from '../../catalogue/record-ids.ts';
import type { DemoOrganisation } from '../demo-organisations.ts';
import { kebab } from '../repositories.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { drawSourceTree } from './source-tree.ts';
import type { WorkingCalendar } from './working-calendar.ts';

/** What records show when a code base goes to production. They show nothing where every merge is a deployment. */
const deliveries: Readonly<Record<string, 'run' | 'reported' | 'release' | 'merge'>> = {
  ...{ workflow_run: 'run', github_release: 'release', bitbucket_deployment: 'reported', merge_to_default: 'merge' },
};

export type CodeBase = ReturnType<typeof planCodeBases>[number];

export function planCodeBases(organisation: DemoOrganisation, calendar: WorkingCalendar, random: SeededRandom) {
  const { repositories, teams, profile } = organisation;
  const { codeHosts, tools } = profile;
  const teamsByName = new Map(teams.map(({ team_name }) => [kebab(team_name), team_name]));
  // A repository that does not say how it deploys does it in one of these ways.
  const unsaid =
    codeHosts[0] === 'github' ? ['release', 'release', 'run', 'reported', 'merge'] : ['run', 'reported', 'merge'];
  /** Where an organisation has two code hosts, some repositories moved to the second, and some were always there. */
  const drawHost = (source: string | undefined): ((day: number) => CodeHostName) => {
    const [host, second = host] = codeHosts;
    // Deployments that only the first host knows, and releases of GitHub, tie a repository to where it is.
    if (source === 'bitbucket_deployment' || source === 'github_release') return () => host;
    if (source === 'workflow_run' && second === 'github') return () => second;
    const moves = random.chance(0.75) ? Math.floor(calendar.days * random.between(0.25, 0.8)) : calendar.days;
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
      /** What it is about, in words: card payments. */
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
      lastNumber: random.integer(12, 900),
    };
  });
}

/** Whether a release or a promotion is due, unless the day is a holiday: then it waits for the next time. */
export const isDueOn = ({ cadenceWeeks, cadenceWeekday }: CodeBase, day: number, calendar: WorkingCalendar): boolean =>
  calendar.weekdayOf(day) === cadenceWeekday && Math.floor(day / 7) % cadenceWeeks === 0 && calendar.isWorkingDay(day);

export function takeNumber(codeBase: CodeBase): number {
  codeBase.lastNumber += 1;
  return codeBase.lastNumber;
}
