import type { FieldValues } from '../catalogue/field-values.ts';
import type { SettingField, SettingValues, SourceRecords } from './source.ts';

/** Of code hosts, whose issues have labels. */
export const incidentLabelsField: SettingField = {
  name: 'incident_labels',
  label: 'Labels of incidents',
  meaning: 'labels of issues that are incidents too: opened when created, resolved when closed (none when unset)',
  type: 'list',
};

/** Where an incident belongs. */
interface IncidentPlace {
  readonly repository: string | null;
  readonly service?: string | null;
}

/** An issue that is an incident too has the same id: opened when it was created, resolved when it was closed. */
export const incidentOf = (issue: FieldValues, { repository, service = null }: IncidentPlace): FieldValues => ({
  incident_id: issue.issue_id,
  source: issue.source,
  repository,
  service,
  opened_at: issue.created_at,
  resolved_at: issue.closed_at ?? null,
  severity: issue.priority ?? null,
  title: issue.issue_title ?? null,
  url: issue.issue_url ?? null,
});

export const withoutIncident = (issueId: unknown): FieldValues => ({ incident_id: issueId, _deleted: true });

/** Whether a setting names something. Names are compared without regard to case. */
export function namedIn(value: SettingValues[string] | undefined): (name: unknown) => boolean {
  const names = new Set(Array.isArray(value) ? value.map((name: string) => name.trim().toLowerCase()) : []);
  return (name) => typeof name === 'string' && names.has(name.toLowerCase());
}

interface LabelledIssues {
  /** As the setting has them. */
  readonly labels: readonly string[] | undefined;
  readonly repository: string;
  /** Everything is read again, since the setting may have changed. */
  readonly isWhole?: boolean | undefined;
}

/**
 * Of the issues of a repository, those with such a label are incidents. One that has lost it is none any more: what may
 * have been brought of any other issue goes.
 */
export function incidentsByLabel(
  issues: readonly FieldValues[],
  { labels, repository, isWhole = false }: LabelledIssues,
): readonly SourceRecords[] {
  if ((labels === undefined && !isWhole) || issues.length === 0) return [];
  const isNamed = namedIn(labels);
  const records = issues.map((issue) => {
    const isIncident = Array.isArray(issue.labels) && issue.labels.some(isNamed);
    return isIncident ? incidentOf(issue, { repository }) : withoutIncident(issue.issue_id);
  });
  return [{ table: 'incidents', records }];
}
