import { isoText } from '../../calendar.ts';
import { type FactTable, factTableNames, factTables } from '../../catalogue/tables/all-tables.ts';
import type { HistoryRecord } from './record-batcher.ts';
import { statusName } from './wording.ts';
import { hour } from './working-calendar.ts';

type AnyRecord = Readonly<Record<string, unknown>>;

/** The column with the moment from which a record is there. Tables without one are there with their parents. */
const beginnings: Readonly<Partial<Record<FactTable, string>>> = {
  pull_requests: 'pr_created_at',
  pull_request_reviews: 'reviewed_at',
  pull_request_comments: 'commented_at',
  pull_request_commits: 'authored_at',
  pull_request_events: 'event_at',
  issues: 'created_at',
  issue_comments: 'created_at',
  release_details: 'created_at',
  workflow_runs: 'run_created_at',
  posthook_session_messages: 'message_ts',
  posthook_session_commits: 'committed_at',
  survey_recipients: 'created_at',
  survey_responses: 'response_updated_at',
  deployments: 'deployed_at',
  incidents: 'opened_at',
};

const timestamps = new Map<FactTable, readonly string[]>(
  factTableNames.map((table) => [
    table,
    Object.entries(factTables[table].columns).flatMap(([name, { type }]) => (type === 'timestamp' ? [name] : [])),
  ]),
);

const surveyOpen = 14 * 24 * hour;

/**
 * A record as it was known at a moment, or nothing where it was not known yet. Histories are written with everything
 * that becomes of a pull request or an issue: what is later than the moment is left out here, and nowhere else.
 */
export function knownAt<T extends FactTable>(
  moment: number,
  table: T,
  record: HistoryRecord<T>,
  knownFrom: number,
): HistoryRecord<T> | undefined {
  if (knownFrom > moment) return undefined;
  const whole = record as AnyRecord;
  const now = isoText(moment);
  const isLater = (name: string | undefined) =>
    name !== undefined && typeof whole[name] === 'string' && whole[name] > now;
  if (isLater(beginnings[table])) return undefined;
  const later = (timestamps.get(table) ?? []).filter(isLater);
  const isOpenSurvey = 'survey_status' in whole && Date.parse(String(whole.sent_at)) / 1_000 + surveyOpen > moment;
  if (later.length === 0 && !isOpenSurvey) return record;
  const visible = { ...whole, ...Object.fromEntries(later.map((name) => [name, null])) };
  return {
    ...visible,
    ...consequences(table, visible, whole),
    ...(isOpenSurvey && { survey_status: 'active' }),
  } as never;
}

/** The values that follow from moments which are still to come. */
function consequences(table: FactTable, visible: AnyRecord, whole: AnyRecord): AnyRecord {
  switch (table) {
    case 'pull_requests': {
      const isOpen = visible.pr_closed_at === null;
      const isDraft = whole.is_draft === true || (whole.ready_at !== null && visible.ready_at === null);
      return { is_draft: isDraft, ...(isOpen && { pr_state: 'open', merge_commit_sha: null }) };
    }
    case 'pull_request_commits':
      // A push by force, which is still to come, gives it another date.
      return { committed_at: visible.committed_at ?? visible.authored_at };
    case 'workflow_runs':
      return { run_status: 'in_progress', run_conclusion: null, artifact_bytes: null, billable_ms: null };
    case 'issues': {
      if (visible.closed_at !== null) return {};
      const status = visible.started_at === null ? 'unstarted' : 'started';
      const status_name = statusName(String(visible.source), status);
      return { ticket_status: status, status_name, ...(visible.started_at === null && { sprint_name: null }) };
    }
    default:
      return {};
  }
}
