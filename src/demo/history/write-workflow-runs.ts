import { isoText } from '../../calendar.ts';
import type { DemoHost } from '../organisation-profile.ts';
import type { CodeBase } from './code-bases.ts';
import type { DemoWorld } from './demo-world.ts';
import type { PullRequest } from './pull-request-timeline.ts';
import type { HistoryRecord } from './record-batcher.ts';
import { minute } from './working-calendar.ts';
import type { Commit } from './write-pull-request-parts.ts';

const checkNames: Readonly<Record<DemoHost, string>> = { github: 'CI', gitlab: 'pipeline', bitbucket: 'Pipelines' };
const runPaths = { github: 'actions/runs', gitlab: '-/pipelines', bitbucket: 'pipelines/results' };
const conclusions = { success: 830, failure: 125, cancelled: 30, timed_out: 10, skipped: 5 };
/** Of a workflow that fails for no reason, and is run again. */
const flakyConclusions = { success: 52, failure: 44, timed_out: 4 };

export const runUrl = (host: DemoHost, { repository }: CodeBase, number: number): string =>
  `https://${host}.example/${repository}/${runPaths[host]}/${number}`;

/** The checks of a pull request and of its merge. Only a sample, as there are many more of them than anything else. */
export function writeChecks(
  world: DemoWorld,
  pr: PullRequest,
  commits: readonly Commit[],
  mergeSha: string | null,
): void {
  const { random } = world;
  const { codeBase, author, host, timeline, change, id, at: createdAt, day } = pr;
  const isFlaky = world.stories.isFlaky(codeBase, day);
  const check = (at: number, run: HistoryRecord<'workflow_runs'>): void => {
    const run_conclusion = random.pickKey(isFlaky ? flakyConclusions : conclusions);
    const seconds = run_conclusion === 'timed_out' ? 3_600 : Math.round(random.skewed(6 * minute, 0.6));
    const workflow_name = checkNames[host];
    const run_attempt = random.chance(isFlaky ? 0.6 : 0.04) ? 2 : 1;
    const named = { source: host, workflow_name, run_conclusion, run_attempt, ...author.accounts[host] };
    writeRun(world, codeBase, at, seconds, { ...run, ...named });
  };
  const last = commits.at(-1);
  if (last && random.chance(isFlaky ? 0.95 : 0.38)) {
    const run = { event: 'pull_request', branch: change.head_branch, head_sha: last.sha, associated_pr_ids: [id] };
    check(Math.max(createdAt, last.authoredAt) + random.integer(3, 40), run);
  }
  if (timeline.mergedAt !== null && random.chance(0.14)) {
    const run = { event: 'push', branch: change.base_branch, head_sha: mergeSha, associated_pr_ids: [] };
    check(timeline.mergedAt + random.integer(3, 20), run);
  }
}

type WorkflowRunRecord = HistoryRecord<'workflow_runs'> & { readonly source: DemoHost };

/** Writes a run and returns when it is over. */
export function writeRun(
  world: DemoWorld,
  codeBase: CodeBase,
  at: number,
  seconds: number,
  run: WorkflowRunRecord,
): number {
  const { random } = world;
  const { repository, tree } = codeBase;
  const number = world.nextNumber('run', 7_000_000_000);
  const startedAt = at + random.integer(2, 45);
  const finishedAt = startedAt + seconds;
  const macos = tree.language === 'rust' && random.chance(0.3) ? { macos: seconds * 1_300 } : {};
  world.give('workflow_runs', {
    ...run,
    workflow_run_id: `${run.source}:run/${number}`,
    repository,
    run_status: 'completed',
    run_number: world.nextNumber(`run of ${repository}`, 0, 'a repository'),
    run_attempt: run.run_attempt ?? 1,
    run_created_at: isoText(at),
    run_started_at: isoText(startedAt),
    run_updated_at: isoText(finishedAt),
    artifact_bytes: run.run_conclusion === 'success' ? Math.round(random.skewed(9_000_000, 0.9)) : null,
    billable_ms: { ubuntu: seconds * 1_000, ...macos },
    run_url: runUrl(run.source, codeBase, number),
  });
  return finishedAt;
}
