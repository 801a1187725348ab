import { type FactTable, factTableNames } from '../catalogue/tables/tables.ts';
import type { TouchedRows } from './attribution/touched-rows.ts';
import { noteAccounts } from './people/known-accounts.ts';
import { takeHeldParts } from './posthook/intake.ts';
import { touchedByAi } from './stages/ai-shares.ts';
import { deriveComplexity } from './stages/complexity.ts';
import { handDown, settleFamily } from './stages/family.ts';
import { deriveLastActivity } from './stages/last-activity.ts';
import { derivePullRequests } from './stages/pull-requests.ts';
import { deriveSessions } from './stages/sessions.ts';
import { deriveSingleRows } from './stages/single-rows.ts';
import { draftOf, type Workspace } from './workspace.ts';

/** Rows that pull requests ask about, and that ask nothing of pull requests. */
const askedByPullRequests: ReadonlySet<FactTable> = new Set(
  factTableNames.filter((name) => name === 'ai_copilot' || name.startsWith('posthook_')),
);

/**
 * Derives everything that follows from the rows in a workspace except deployments, and writes it in the transaction of
 * the session. Deployments follow from whole repositories: `touched` collects those until all rows have been derived.
 */
export async function derive(workspace: Workspace, touched: TouchedRows): Promise<void> {
  await deriveRows(workspace);
  await deriveComplexity(workspace);
  await deriveLastActivity(workspace);
  noteTouched(workspace, touched);
}

/** Everything but what looks across many rows: scores, deployments, and when people were last active. */
export async function deriveRows(workspace: Workspace, pullRequests: ReadonlySet<string> = new Set()): Promise<void> {
  const { session, drafts } = workspace;
  await deriveSingleRows(workspace);
  await takeHeldParts(workspace);
  await deriveSessions(workspace);
  for (const name of askedByPullRequests) await draftOf(drafts, name).write(session);
  await settleFamily(workspace, 'issues', 'issue_comments');
  await settleFamily(workspace, 'survey_recipients', 'survey_responses');
  await derivePullRequests(workspace, new Set([...pullRequests, ...(await touchedByAi(workspace))]));
  await noteAccounts(workspace);
  for (const name of factTableNames) {
    if (!askedByPullRequests.has(name)) await draftOf(drafts, name).write(session);
  }
  for (const parent of ['pull_requests', 'issues', 'survey_recipients'] as const) await handDown(workspace, parent);
}

function noteTouched({ drafts }: Workspace, touched: TouchedRows): void {
  // The pull requests of touched commits have been read: their clocks follow from commits.
  const repositoryOf = (id: string) => drafts.pull_requests.entries.get(id)?.after?.repository_key;
  for (const { before, after } of drafts.pull_requests.changed()) touched.pullRequest(before, after);
  for (const { before, after } of drafts.pull_request_commits.changed()) touched.commit(before, after, repositoryOf);
  for (const { before, after } of drafts.deployments.changed()) touched.deployment(before, after);
  for (const { before, after } of drafts.release_details.changed()) touched.release(before, after);
  for (const { before, after } of drafts.workflow_runs.changed()) touched.run(before, after);
  for (const { before, after } of drafts.incidents.changed()) touched.incident(before, after);
}
