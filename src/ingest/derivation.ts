import { type FactTable, factTableNames } from '../catalogue/tables/tables.ts';
import { attributeDeployments } from './attribution/attribute-deployments.ts';
import { TouchedRows } from './attribution/touched-rows.ts';
import { noteAccounts } from './people/accounts-ledger.ts';
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
 * Works out everything that follows from the rows in a workspace and writes it, in the transaction of the session.
 * Only what was touched is looked at, and what comes of it is what telling everything anew would give.
 */
export async function derive(workspace: Workspace): Promise<void> {
  await deriveRows(workspace);
  await deriveComplexity(workspace);
  const touches = touchedDeployments(workspace);
  await attributeDeployments(workspace.session, touches, { incidentWindowDays: workspace.incidentWindowDays });
  await deriveLastActivity(workspace);
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

function touchedDeployments({ drafts }: Workspace): TouchedRows {
  const touches = new TouchedRows();
  for (const { before, after } of drafts.pull_requests.changed()) touches.pullRequest(before, after);
  for (const { before, after } of drafts.pull_request_commits.changed()) touches.commit(before, after);
  for (const { before, after } of drafts.deployments.changed()) touches.deployment(before, after);
  for (const { before, after } of drafts.release_details.changed()) touches.release(before, after);
  for (const { before, after } of drafts.workflow_runs.changed()) touches.run(before, after);
  for (const { before, after } of drafts.incidents.changed()) touches.incident(before, after);
  return touches;
}
