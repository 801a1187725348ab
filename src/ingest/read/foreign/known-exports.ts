import type { FieldValues } from '../../../catalogue/field-values.ts';
import type { RecordTable } from '../../../catalogue/record-tables.ts';
import { headingKey, personHeading } from './heading-names.ts';

/** The CSV file that a well-known tool exports. Headings stand here as keys: `Issue id` is `issue_id`. */
export interface KnownExport {
  readonly tool: string;
  readonly table: RecordTable;
  /** The `source` of records that name none. */
  readonly source: string;
  /** A file with all of these headings is such an export. */
  readonly signs: readonly string[];
  /** What headings mean here. Of several for one field, the first that a row has a value for counts. */
  readonly fields: Readonly<Record<string, string>>;
  /** What the tool exports and no field here holds. */
  readonly leftOut: readonly string[];
  readonly leftOutLike?: RegExp;
  /** Identifiers that are unique only within the tool, and get its name in front: `jira:10001`. */
  readonly ownIds?: readonly string[];
  /** What separates the texts of a list in one cell. */
  readonly listSeparator?: string;
  /** Fields for one person, whose cells may name several. The first counts. */
  readonly firstOf?: readonly string[];
  /** What a person who imports such a file should know. */
  readonly note?: string;
}

const knownExports: readonly KnownExport[] = [
  {
    tool: 'GitLab',
    table: 'pull_requests',
    source: 'gitlab',
    signs: ['mr_iid', 'source_branch', 'author_username'],
    fields: { author: 'person_name', author_username: 'person_login' },
    leftOut: [
      'source_project_id',
      'target_project_id',
      'assignees',
      'assignee_usernames',
      'approvers',
      'approver_usernames',
      'merged_user',
      'merged_username',
      'milestone_id',
      'updated_at',
    ],
    note: 'GitLab does not export when merge requests were merged, so metrics by that date do not count them.',
  },
  {
    tool: 'GitLab',
    table: 'issues',
    source: 'gitlab',
    signs: ['issue_id', 'author_username', 'confidential'],
    fields: {
      author: 'creator_name',
      assignee: 'person_name',
      assignee_username: 'person_login',
      weight: 'story_points',
    },
    // The address says the number and the project.
    leftOut: [
      'issue_id',
      'author_username',
      'confidential',
      'locked',
      'due_date',
      'updated_at',
      'milestone',
      'time_estimate',
      'time_spent',
      'epic_id',
      'epic_title',
    ],
    listSeparator: ',',
    firstOf: ['person_name', 'person_login'],
    note: 'Of several assignees of an issue, the first counts.',
  },
  {
    tool: 'Jira',
    table: 'issues',
    source: 'jira',
    signs: ['summary', 'issue_key', 'issue_id'],
    fields: {
      status: 'status_name',
      status_category: 'ticket_status',
      project_key: 'project_id',
      assignee: personHeading,
      assignee_id: 'person_login',
      creator: 'creator_name',
      reporter: 'creator_name',
      resolved: 'completed_at',
      custom_field_story_points: 'story_points',
      custom_field_story_point_estimate: 'story_points',
      custom_field_sprint: 'sprint_name',
      parent: 'parent_issue_id',
      parent_id: 'parent_issue_id',
    },
    // The category of the status decides, not the resolution.
    leftOut: [
      'resolution',
      'project_type',
      'project_lead',
      'project_lead_id',
      'project_description',
      'project_url',
      'reporter_id',
      'creator_id',
      'updated',
      'last_viewed',
      'due_date',
      'affects_versions',
      'affects_version_s',
      'fix_versions',
      'fix_version_s',
      'component_s',
      'components',
      'votes',
      'environment',
      'watchers',
      'watchers_id',
      'original_estimate',
      'remaining_estimate',
      'time_spent',
      'work_ratio',
      'security_level',
      'attachment',
      'comment',
      'log_work',
      'parent_key',
      'parent_summary',
      'status_category_changed',
      'team_id',
      'team_name',
    ],
    // `Custom field (Rank)`, `Outward issue link (Blocks)`, `Σ Time Spent`
    leftOutLike: /^(?:custom_field|inward_issue_link|outward_issue_link|σ|satisfaction_rating)_/,
    ownIds: ['issue_id', 'parent_issue_id'],
    note: 'Jira writes times in the time zone of the person who exports them. They are read as UTC.',
  },
  {
    tool: 'Linear',
    table: 'issues',
    source: 'linear',
    signs: ['id', 'team', 'cycle_name', 'created'],
    fields: {
      id: 'issue_key',
      status: 'status_name',
      creator: 'creator_name',
      cycle_name: 'sprint_name',
      cycle_number: 'sprint_name',
      started: 'started_at',
      completed: 'completed_at',
      canceled: 'closed_at',
      parent_issue: 'parent_issue_id',
    },
    leftOut: [
      'team',
      'cycle_start',
      'cycle_end',
      'updated',
      'triaged',
      'archived',
      'due_date',
      'initiatives',
      'roadmaps',
      'project_milestone_id',
      'project_milestone',
      'sla_status',
      'uuid',
      'time_in_status_minutes',
      'related_to',
      'blocked_by',
      'duplicate_of',
    ],
    ownIds: ['parent_issue_id'],
    listSeparator: ',',
  },
];

/** Which tool exported a file with these headings, where one is known for it. */
export function knownExportOf(table: RecordTable, headings: readonly string[]): KnownExport | undefined {
  const keys = new Set(headings.map(headingKey));
  return knownExports.find((known) => known.table === table && known.signs.every((sign) => keys.has(sign)));
}

/** The field of a heading in such a file; empty for one that is left out, and nothing for any other. */
export function fieldInExport(known: KnownExport, heading: string): string | undefined {
  const key = headingKey(heading);
  if (Object.hasOwn(known.fields, key)) return known.fields[key];
  return known.leftOut.includes(key) || known.leftOutLike?.test(key) ? '' : undefined;
}

/** A record of such a file, with its source, with identifiers that are unique everywhere, and with lists as lists. */
export function recordOfExport(known: KnownExport, record: FieldValues): FieldValues {
  const completed: Record<string, unknown> = { source: known.source };
  for (const [name, value] of Object.entries(record)) {
    if (typeof value !== 'string' || value === '') completed[name] ??= value;
    else if (known.ownIds?.includes(name)) completed[name] = `${known.source}:${value}`;
    else if (name === 'labels' && known.listSeparator !== undefined) {
      completed[name] = value.split(known.listSeparator).map((text) => text.trim());
    } else if (known.firstOf?.includes(name)) completed[name] = value.split(',', 1)[0]?.trim();
    else completed[name] = value;
  }
  return completed;
}
