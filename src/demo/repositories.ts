import type { RepositoryRecord } from '../catalogue/directory-records.ts';
import type { Blueprint, CodeHost } from './blueprint.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { DepartmentPlan } from './team-plan.ts';

const parts = ['api', 'web', 'jobs', 'infra'] as const;

type Deployment = Pick<RepositoryRecord, 'deployment_source' | 'deploy_workflows'>;

/** How a host's repositories deploy. An empty setting leaves it to the first source that is available. */
const deployments: Readonly<Record<CodeHost, readonly Deployment[]>> = {
  github: [
    { deployment_source: 'workflow_run', deploy_workflows: ['Deploy to production'] },
    { deployment_source: 'workflow_run', deploy_workflows: ['Deploy to production', 'Hotfix'] },
    { deployment_source: 'github_release' },
    { deployment_source: 'merge_to_default' },
    {},
  ],
  gitlab: [
    { deployment_source: 'workflow_run', deploy_workflows: ['deploy:production'] },
    { deployment_source: 'merge_to_default' },
    {},
  ],
  bitbucket: [
    { deployment_source: 'bitbucket_deployment' },
    { deployment_source: 'bitbucket_deployment' },
    { deployment_source: 'merge_to_default' },
    {},
  ],
};

/** The repositories everybody knows, and one or two of each team, named after it. */
export function repositoryRecords(
  { repositoryOwner, repositories, codeHost }: Blueprint,
  plan: readonly DepartmentPlan[],
  random: SeededRandom,
): RepositoryRecord[] {
  const teams = plan.flatMap(({ teams }) => teams);
  return [
    ...repositories,
    ...teams.flatMap((team) =>
      random.sample(parts, random.integer(1, 2)).map((part) => ({
        repository: `${repositoryOwner}/${kebab(team)}-${part}`,
        ...drawBranches(random),
        ...random.pick(deployments[codeHost]),
        is_active: !random.chance(0.05),
      })),
    ),
  ];
}

function drawBranches(random: SeededRandom): Pick<RepositoryRecord, 'default_branch' | 'production_branch'> {
  if (random.chance(0.06)) return { default_branch: 'develop', production_branch: 'main' };
  return { default_branch: random.chance(0.8) ? 'main' : 'master' };
}

/** A team as its repositories are named after it. */
export function kebab(team: string): string {
  return team
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
