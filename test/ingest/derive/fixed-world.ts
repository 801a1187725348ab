import fc from 'fast-check';
import { type FactTable, factTableNames } from '../../../src/catalogue/tables/all-tables.ts';
import { demoOrganisations } from '../../../src/demo/demo-organisations.ts';
import { demoHistory } from '../../../src/demo/history/demo-history.ts';
import { type WorldRecord, world } from '../random-records.ts';

const worlds = 60;

/** People of the random worlds, with ids that are the same in every run. */
export const people = [
  { merged_user_id: 'ada', main_email: 'ada@example.org', name: 'Ada', logins: { github: 'ada' } },
  { merged_user_id: 'bob', main_email: 'bob@example.org', name: 'Bob', logins: { github: 'bob', gitlab: 'bob' } },
  {
    merged_user_id: 'carol',
    main_email: 'carol@example.org',
    name: 'Carol',
    logins: { gitlab: 'carol' },
    is_bot: false,
  },
];

const sources = [null, 'workflow_run', 'github_release', 'merge_to_default', 'bitbucket_deployment'] as const;

/** Each with settings of its own, so that every way to deploy is there. */
export const repositories = Array.from({ length: worlds }, (_, i) => [
  { repository: `acme${i}/web`, default_branch: 'main', deployment_source: sources[i % sources.length] },
  { repository: `acme${i}/api`, default_branch: 'develop', production_branch: 'main', is_active: i % 7 !== 0 },
])
  .flat()
  .concat({ repository: 'tied/web', default_branch: 'main', deployment_source: null });

/** Records of many random worlds, each with ids and repositories of its own. Always the same ones. */
export function randomRecords(): Map<FactTable, object[]> {
  const ids = new RegExp(`\\b(?:[psiu]\\d|[a-f]\\d|(?:${factTableNames.join('|')})-\\d+)\\b`, 'g');
  const apart = (records: readonly WorldRecord[], i: number): WorldRecord[] =>
    JSON.parse(
      JSON.stringify(records)
        .replaceAll(ids, `$&x${i}`)
        .replaceAll(/\bacme\//gi, `acme${i}/`),
    );
  return byTable(fc.sample(world, { seed: 1, numRuns: worlds }).flatMap(apart));
}

/** The words by which the kind of a change, hotfixes and uses of an assistant are told, each in rows of its own. */
const words = [
  'bug, bugs, bugfix, bugfixes, bug fix, bug fixes, defect, fix, fixes, fixup, hotfix, hot fix',
  'incident, regression, revert, security, vulnerability, enhancement, epic, feat, feats, feature',
  'features, feature request, feature work, new feature, story, user story, bench, build, build system',
  'chore, chores, ci, clean up, cleanup, code quality, dep, dependencies, dependency, deps, dependabot',
  'devops, doc, docs, documentation, fuzz, housekeeping, infra, infrastructure, internal, lint',
  'maintenance, migration, optimization, optimisation, perf, performance, refactor, refactoring',
  'release, renovate, style, task, tech, tech debt, tech improvement, tech improvements, technical debt',
  'test, testing, tests, tooling, typo, hot-fix, hot_fix, hotfixes, hotfixture, revert-1, wontfix',
].flatMap((some) => some.split(', '));
const signsOfUse = [
  'suggested_lines accepted_lines ai_lines accepts rejects chat_requests composer_requests',
  'agent_requests cmd_k_usages tokens cost_usd lines_added',
].flatMap((some) => some.split(' '));

export const spelledRecords = (): Map<FactTable, object[]> =>
  new Map<FactTable, object[]>([
    [
      'pull_requests',
      words
        .flatMap((word, i): object[] => [
          { pr_id: `label-${i}`, labels: [word], pr_title: 'words' },
          { pr_id: `title-${i}`, pr_title: `${word}: words` },
          { pr_id: `branch-${i}`, pr_title: 'words', head_branch: `${word.replaceAll(' ', '-')}/words` },
        ])
        .concat({
          pr_id: 'tied',
          person_login: 'ada',
          source: 'github',
          repository: 'tied/web',
          base_branch: 'main',
          pr_state: 'merged',
          pr_created_at: '2024-05-06T09:00:00Z',
          pr_merged_at: '2024-05-06T11:00:00Z',
        }),
    ],
    ['ai_copilot', signsOfUse.map((sign) => ({ person_login: sign, source: 'cursor', date: '2024-05-06', [sign]: 3 }))],
    // What happens in one second, and accounts that as many records call a bot as not: what decides then.
    [
      'deployments',
      ['0', 'b', 'a'].map((deployment_id) => ({
        deployment_id,
        repository: 'tied/web',
        deployed_at: deployment_id === '0' ? '2024-05-06T10:00:00Z' : '2024-05-06T12:00:00Z',
        status: 'success',
      })),
    ],
    [
      'pull_request_reviews',
      [{ pr_review_id: 'tied', pr_id: 'tied', person_login: 'bob', reviewed_at: '2024-05-06T11:00:00Z' }],
    ],
    [
      'issues',
      [true, false].map((person_is_bot) => ({
        issue_id: `torn-${person_is_bot}`,
        person_login: 'torn',
        person_is_bot,
      })),
    ],
  ]);

/** The same of a demo organisation, whose records hang together as those of real teams do. */
export function demoRecords() {
  const options = { seed: 'plumb', scale: 0.03, until: Date.parse('2026-01-01') / 1_000 };
  const organisation = demoOrganisations(options).find(({ slug }) => slug === 'pebblewise');
  if (!organisation) throw new Error('the smallest demo organisation is gone');
  const batches = [...demoHistory(organisation, options)].flatMap(({ tables }) =>
    tables.flatMap(({ table, records }) => records.map((record) => ({ table, record: { ...record } }))),
  );
  return { organisation, records: byTable(batches) };
}

function byTable(records: readonly WorldRecord[]): Map<FactTable, object[]> {
  const tables = new Map<FactTable, object[]>(factTableNames.map((table) => [table, []]));
  for (const { table, record } of records) tables.get(table)?.push(record);
  return tables;
}
