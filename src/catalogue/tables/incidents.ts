import { text, timestamp } from '../record.ts';
import { derived, hidden, type RowOf, table } from '../table.ts';

export const incidents = table({
  name: 'incidents',
  one: 'an incident',
  meaning: 'Incidents. They have no metric of their own: they tell which deployments failed.',
  key: ['incident_id'],
  repository: ['repository', 'service'],
  mayNameService: true,
  dates: { opened_at: 'opened_at', resolved_at: 'resolved_at' },
  columns: {
    incident_id: text('Identifier of the incident.'),
    repository: text('Repository, owner/name.'),
    service: text('Service, taken as a repository of that name when no repository is given.'),
    repository_key: hidden(derived(text('Repository or service as it is matched, without regard to case.'))),
    opened_at: timestamp('When it was opened.'),
    resolved_at: timestamp('When it was resolved.'),
    severity: text('Severity.'),
    title: text('Title.'),
    url: text('Address of its page.'),
    deployment_id: text('Deployment that caused it, when that is known.'),
    source: text('The source it was read from.'),
  },
});
export type IncidentRow = RowOf<typeof incidents>;
