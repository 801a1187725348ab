import { withoutIncident } from '../issue-incidents.ts';
import type { SourceKind, SourceOpening } from '../source.ts';
import { issueId } from './convert.ts';
import { IncidentTypes } from './incident-types.ts';
import { jiraWebhook } from './jira.ts';
import { quoted } from './jql.ts';
import { type IssueUse, OpenJira } from './open-jira.ts';
import { jiraAuthorization, jiraOperationsSettings } from './settings.ts';
import { textsIn } from './site.ts';

const source = 'jira-operations';

/** Work items of the types of incidents, and nothing else. */
function incidentsOf({ settings }: Pick<SourceOpening, 'settings'>): IssueUse {
  const incidents = new IncidentTypes(settings);
  const types = textsIn(settings.incident_types);
  return {
    name: 'incidents',
    hasComments: false,
    feeds: ['incidents'],
    jql: `issuetype in (${types.map(quoted).join(', ')})`,
    basis: [types, settings.service_repositories],
    recordsOf: (site, whole) => [{ table: 'incidents', records: incidents.recordsOf(site, whole, source) }],
    without: (site, id) => [{ table: 'incidents', records: [withoutIncident(issueId(site, id))] }],
  };
}

export const jiraOperations: SourceKind = {
  kind: source,
  label: 'Jira Service Management',
  meaning:
    'Incidents of Jira Service Management: they tell which deployments failed, and when production was well again.',
  accounts: 'own',
  settings: jiraOperationsSettings,
  hasEndpointLimits: true,
  authorization: jiraAuthorization,
  webhook: jiraWebhook,
  open: (opening) => new OpenJira(opening, incidentsOf(opening)),
};
