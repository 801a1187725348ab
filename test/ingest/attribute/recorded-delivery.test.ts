import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { recordedDataFolder } from '../../setup/recorded-data.ts';
import { DeliveryWorld, deployment, pullRequest } from './delivery-world.ts';

type Cells = Readonly<Record<string, string>>;

const folder = join(recordedDataFolder, 'govuk-delivery');
const isThere = existsSync(folder);
if (!isThere) console.warn(`${folder} is not there: what was really deployed is not compared with what is derived.`);

const rowsOf = (file: string): Cells[] => parse(readFileSync(join(folder, file)), { columns: true }) as Cells[];
const seconds = (time: string | undefined): number | null => (time ? Date.parse(time) / 1_000 : null);
const number = (cell: string | undefined): number | null => (cell ? Number(cell) : null);

async function tell(app: string) {
  const truth = {
    pullRequests: rowsOf(`${app}_pull_requests.csv`),
    deployments: rowsOf(`${app}_deployments.csv`),
  };
  const world = new DeliveryWorld();
  await world.batch(
    ...truth.pullRequests.map((row) =>
      pullRequest({
        pr_id: row.pr_number ?? '',
        pr_number: number(row.pr_number),
        pr_title: row.title ?? null,
        repository: row.repository ?? null,
        is_bot: row.author_is_bot === '1',
        pr_state: 'merged',
        first_commit_at: seconds(row.first_commit_authored_at),
        pr_merged_at: seconds(row.merged_at),
        base_branch: 'main',
        head_branch: row.head_branch?.replace(/^alphagov\//, '') ?? null,
        merge_commit_sha: row.merge_commit_sha ?? null,
      }),
    ),
    ...truth.deployments.map((row) =>
      deployment({
        deployment_id: row.deployment_id ?? '',
        repository: row.repository ?? null,
        environment: row.environment ?? null,
        status: 'success',
        version: row.version ?? null,
        sha: row.commit_sha || null,
        deployed_at: seconds(row.deployed_at),
      }),
    ),
  );
  return { world, truth };
}

/** Every way in which a derived row is not what was worked out from the repositories themselves, by reason. */
class Differences {
  readonly byReason: Record<string, number> = {};

  note(reason: string): void {
    this.byReason[reason] = (this.byReason[reason] ?? 0) + 1;
  }
}

async function compare(app: string): Promise<Record<string, number>> {
  const { world, truth } = await tell(app);
  const differences = new Differences();
  const production = truth.deployments.filter(({ environment }) => environment === 'production');
  const inOrder = production.toSorted((a, b) => (seconds(a.deployed_at) ?? 0) - (seconds(b.deployed_at) ?? 0));
  const first = inOrder[0]?.deployment_id;
  const merges = new Set(truth.pullRequests.map(({ merge_commit_sha }) => merge_commit_sha));
  const offBranch = new Set(
    production.filter(({ commit_sha }) => !merges.has(commit_sha)).map(({ deployment_id }) => deployment_id ?? ''),
  );

  for (const row of truth.pullRequests) {
    const derived = world.pullRequest(row.pr_number ?? '');
    const isSameDeployment =
      derived.deployment_id === row.deployment_id && derived.deployed_at === seconds(row.deployed_at);
    if (!isSameDeployment) {
      if (row.deployment_id === first && derived.deployment_attribution_status === 'before_first_signal') {
        differences.note('pull request that the first deployment carried');
      } else if (offBranch.has(derived.deployment_id ?? '')) {
        differences.note('pull request carried by the time of a build that is nobody’s merge');
      } else differences.note('pull request carried by another deployment');
    }
    if (derived.is_bot) {
      differences.note(derived.lead_time === null ? 'pull request of a bot' : 'lead time of a bot');
    } else if (derived.deployment_id !== null) {
      if (derived.merge_to_deploy !== number(row.merge_to_deploy_s)) differences.note('merge to deploy');
      if (derived.lead_time !== number(row.lead_time_s)) differences.note('lead time');
    }
  }

  const wasLive = new Set<string>();
  for (const row of inOrder) {
    const derived = world.deployment(row.deployment_id ?? '');
    if (derived.is_rollback !== (row.is_rollback === '1')) {
      const isNew = !wasLive.has(row.version ?? '') && !wasLive.has(row.commit_sha ?? '');
      differences.note(isNew ? 'older build that was never live before' : 'rollback');
    }
    wasLive.add(row.version ?? '').add(row.commit_sha ?? '');
    if (derived.prs_included !== number(row.prs_included)) {
      if (row.deployment_id === first) differences.note('first deployment, which carries nothing');
      else if (offBranch.has(row.deployment_id ?? '')) differences.note('build that is nobody’s merge');
      else differences.note('deployment that carried something else');
    }
  }
  for (const { deployment_id, environment } of truth.deployments) {
    if (environment === 'production') continue;
    const derived = world.deployment(deployment_id ?? '');
    if (derived.is_production || derived.prs_included !== 0 || derived.failure_reason !== null)
      differences.note('elsewhere');
  }
  return differences.byReason;
}

// The data say what they define otherwise: bots have lead times there, the first deployment carries what is known, and
// any older build is a rollback. A build from a branch carries nothing there; here its time is all that is known of it.
describe.skipIf(!isThere)('what two applications of GOV.UK really deployed is derived for them', () => {
  test('Collections: 1,075 pull requests, 791 production deployments', async () => {
    expect(await compare('collections')).toEqual({
      'pull request of a bot': 818,
      'pull request that the first deployment carried': 1,
      'first deployment, which carries nothing': 1,
      'older build that was never live before': 4,
    });
  });

  test('Frontend: 1,562 pull requests, 1,275 production deployments', async () => {
    expect(await compare('frontend')).toEqual({
      'pull request of a bot': 755,
      'pull request that the first deployment carried': 1,
      'first deployment, which carries nothing': 1,
      'older build that was never live before': 6,
      'pull request carried by the time of a build that is nobody’s merge': 4,
      'build that is nobody’s merge': 1,
      'deployment that carried something else': 1,
    });
  });

  test('A release in its place, a deployment of the same commit and a rollback are derived as they were seen', async () => {
    const { world } = await tell('collections');
    // v373 was brought back over v380 on 2 October 2024, and v380 deployed again fifty minutes later.
    const derived = (version: string) =>
      world
        .deployments({ version, environment: 'production' })
        .map(({ is_rollback, prs_included, failure_reason }) => ({ is_rollback, prs_included, failure_reason }));
    expect(derived('v373')).toMatchObject([{ is_rollback: false }, { is_rollback: true, prs_included: 0 }]);
    expect(derived('v380')).toEqual([
      { is_rollback: false, prs_included: 1, failure_reason: 'failed_deployment' },
      { is_rollback: false, prs_included: 0, failure_reason: null },
    ]);
  });
});
