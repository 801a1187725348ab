import { deploymentSources } from '../catalogue/directory-records.ts';
import type { CodeHostName } from '../catalogue/record-ids.ts';
import type { Drawing } from './org-chart.ts';
import { list } from './organisation-profile.ts';

const parts = ['api', 'web', 'jobs', 'infra'];

/** How the repositories of teams deploy, in turn: source + workflows. Without a source the first available is used. */
const deployments: Readonly<Record<CodeHostName, string>> = {
  github: `workflow_run+Deploy to production, github_release, workflow_run+Deploy to production+Hotfix, merge_to_default, `,
  gitlab: 'workflow_run+deploy:production, merge_to_default, ',
  bitbucket: 'bitbucket_deployment, merge_to_default, bitbucket_deployment, ',
};

/** The repositories everybody knows, and one or two of each team, named after it. */
export function drawRepositories({ profile, random }: Drawing, teams: readonly string[]) {
  const { slug, repositories, codeHosts } = profile;
  const ways = list(deployments[codeHosts[0]]).map((way) => way.split('+'));
  const ofTeams = teams.flatMap((team) =>
    random.sample(parts, random.integer(1, 2)).map((part) => `${kebab(team)}-${part}`),
  );
  return [
    ...repositories,
    ...ofTeams.map((name, index) => {
      const branches = random.chance(0.06) ? 'develop > main' : random.chance(0.8) ? 'main' : 'master';
      const way = ways[(index + Math.floor(index / ways.length)) % ways.length] ?? [];
      return [name, branches, ...(random.chance(0.05) ? ['inactive'] : way)] as const;
    }),
  ].map(([name, branches, source, ...workflows]) => {
    const [branch, production] = branches.split(' > ');
    const deployment_source = deploymentSources.find((known) => known === source);
    return {
      repository: `${slug}/${name}`,
      default_branch: branch ?? 'main',
      ...(production !== undefined && { production_branch: production }),
      ...(deployment_source !== undefined && { deployment_source }),
      ...(workflows.length > 0 && { deploy_workflows: workflows }),
      is_active: source !== 'inactive',
    };
  });
}

export const kebab = (team: string): string => team.toLowerCase().replace(/[^a-z0-9]+/g, '-');
