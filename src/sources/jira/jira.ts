import { withoutIncident } from '../issue-incidents.ts';
import type { SourceKind, SourceOpening, WebhookKind } from '../source.ts';
import { isPathName, objectsIn } from '../webhooks.ts';
import { commentRecords, issueId, issueRecord } from './convert.ts';
import { IncidentTypes } from './incident-types.ts';
import { type IssueUse, OpenJira } from './open-jira.ts';
import { jiraAuthorization, jiraSettings } from './settings.ts';

/** Issues with their comments, and what of them is an incident too. */
function issuesOf({ settings }: Pick<SourceOpening, 'settings'>): IssueUse {
  const incidents = new IncidentTypes(settings);
  const { incident_types: types, service_repositories: repositories } = settings;
  const hasIncidents = types !== undefined;
  return {
    name: 'issues',
    hasComments: true,
    feeds: ['issues', 'issue_comments', ...(hasIncidents ? (['incidents'] as const) : [])],
    basis: [types, repositories],
    recordsOf: (site, whole) => {
      const issue = issueRecord(site, whole);
      return [
        { table: 'issues', records: [issue] },
        {
          table: 'issue_comments',
          records: commentRecords(site, whole),
          ...(whole.comments && { wholeSetsOf: [String(issue.issue_id)] }),
        },
        ...(hasIncidents ? [{ table: 'incidents', records: incidents.recordsOf(site, whole, 'jira') } as const] : []),
      ];
    },
    without: (site, id) => [
      { table: 'issues', records: [{ issue_id: issueId(site, id), _deleted: true }] },
      ...(hasIncidents ? [{ table: 'incidents', records: [withoutIncident(issueId(site, id))] } as const] : []),
    ],
  };
}

/** Signed where the webhook has a secret there; where it has none, its address has it. */
export const jiraWebhook: WebhookKind = {
  signature: { header: 'x-hub-signature', prefix: 'sha256=' },
  token: 'in the address',
  deliveryHeader: 'x-atlassian-webhook-identifier',
  objectsOf: objectsIn((_, payload) => {
    const id = payload.object('issue').id('id');
    return isPathName(id) ? { id: `issue@${id}`, kind: 'issue', scope: '', reference: id } : undefined;
  }),
};

export const jira: SourceKind = {
  kind: 'jira',
  label: 'Jira',
  meaning: 'Issues of Jira, Cloud or Data Center, with their history, comments, sprints and story points.',
  accounts: 'own',
  settings: jiraSettings,
  hasEndpointLimits: true,
  authorization: jiraAuthorization,
  webhook: jiraWebhook,
  open: (opening) => new OpenJira(opening, issuesOf(opening)),
};
