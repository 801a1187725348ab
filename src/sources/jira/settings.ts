import { type SettingField, type SettingValues, SourceProblem } from '../source.ts';
import { addressField, allowHostsField, keepFreeField, sinceField, tokenField } from '../source-settings.ts';

const jiraAddress = addressField(
  'address of the Jira site, such as https://acme.atlassian.net (https://api.atlassian.com/ex/jira/CLOUD-ID for a token with scopes)',
);

const jiraToken = tokenField('Token', 'API token of Jira Cloud, or personal access token of Data Center');

const jiraSince = sinceField('issue that last changed');

const emailField: SettingField = {
  name: 'email',
  label: 'Address of the account',
  meaning: 'e-mail address of the account that the token is of: required for Jira Cloud, unset for Data Center',
  type: 'text',
  isAccess: true,
};

const projectsField: SettingField = {
  name: 'projects',
  label: 'Projects',
  meaning: 'keys of the projects that are read (all that the account sees when unset)',
  type: 'list',
  isPicked: true,
};

const incidentTypesField: SettingField = {
  name: 'incident_types',
  label: 'Types of incidents',
  meaning: 'types of issues that are incidents too (none when unset)',
  type: 'list',
};

const serviceRepositoriesField: SettingField = {
  name: 'service_repositories',
  label: 'Repositories of incidents',
  meaning:
    'which repository the incidents of a project, component or affected service belong to, Name=owner/name (others count nowhere)',
  type: 'list',
  isRepositoryMap: true,
};

export const jiraSettings: readonly SettingField[] = [
  jiraAddress,
  emailField,
  jiraToken,
  projectsField,
  {
    name: 'story_points_field',
    label: 'Field of story points',
    meaning: 'name or id of the field with the estimate (Story Points, else Story point estimate, when unset)',
    type: 'text',
  },
  incidentTypesField,
  serviceRepositoriesField,
  jiraSince,
  keepFreeField,
  allowHostsField,
];

export const jiraOperationsSettings: readonly SettingField[] = [
  jiraAddress,
  { ...emailField, meaning: 'e-mail address of the account that the token is of', isRequired: true },
  jiraToken,
  { ...projectsField, meaning: 'keys of the service projects whose incidents are read', isRequired: true },
  { ...incidentTypesField, meaning: 'types of work items that are incidents', usual: '[System] Incident' },
  serviceRepositoriesField,
  jiraSince,
  keepFreeField,
  allowHostsField,
];

/** Jira Cloud takes an address with a token, Data Center a token alone. */
export const jiraAuthorization = ({ email, token }: SettingValues): Readonly<Record<string, string>> => ({
  authorization:
    typeof email === 'string' && email !== ''
      ? `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`
      : `Bearer ${token}`,
});

export const emailMissing = (): SourceProblem =>
  new SourceProblem(
    'Jira Cloud takes a token only together with the address of its account',
    'Set email to the e-mail address of the account that the token is of.',
  );
