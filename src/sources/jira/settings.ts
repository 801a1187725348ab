import { type SettingField, type SettingValues, SourceProblem } from '../source.ts';
import { allowHostsField, keepFreeField } from '../source-settings.ts';

const addressField: SettingField = {
  name: 'base_url',
  label: 'Address',
  meaning:
    'address of the Jira site, such as https://acme.atlassian.net; for a token with scopes https://api.atlassian.com/ex/jira/CLOUD-ID',
  type: 'address',
  isRequired: true,
};

const emailField: SettingField = {
  name: 'email',
  label: 'Address of the account',
  meaning: 'e-mail address of the account that the token is of: required for Jira Cloud, unset for Data Center',
  type: 'text',
};

const tokenField: SettingField = {
  name: 'token',
  label: 'Token',
  meaning: 'API token of Jira Cloud, or personal access token of Data Center',
  type: 'text',
  isSecret: true,
  isRequired: true,
};

const projectsField: SettingField = {
  name: 'projects',
  label: 'Projects',
  meaning: 'keys of the projects that are read; all that the account sees when unset',
  type: 'list',
};

const incidentTypesField: SettingField = {
  name: 'incident_types',
  label: 'Types of incidents',
  meaning: 'types of issues that are incidents too; none when unset',
  type: 'list',
};

const serviceRepositoriesField: SettingField = {
  name: 'service_repositories',
  label: 'Repositories of incidents',
  meaning:
    'which repository the incidents of a project, component or affected service belong to, Name=owner/name; others count nowhere',
  type: 'list',
  isRepositoryMap: true,
};

const sinceField: SettingField = {
  name: 'since',
  label: 'Since',
  meaning: 'no issue that last changed before this day is read; the whole history when unset',
  type: 'date',
};

export const jiraSettings: readonly SettingField[] = [
  addressField,
  emailField,
  tokenField,
  projectsField,
  {
    name: 'story_points_field',
    label: 'Field of story points',
    meaning: 'name or id of the field with the estimate; Story Points, else Story point estimate, when unset',
    type: 'text',
  },
  incidentTypesField,
  serviceRepositoriesField,
  sinceField,
  keepFreeField,
  allowHostsField,
];

export const jiraOperationsSettings: readonly SettingField[] = [
  addressField,
  { ...emailField, meaning: 'e-mail address of the account that the token is of', isRequired: true },
  tokenField,
  { ...projectsField, meaning: 'keys of the service projects whose incidents are read', isRequired: true },
  { ...incidentTypesField, meaning: 'types of work items that are incidents', usual: '[System] Incident' },
  serviceRepositoriesField,
  sinceField,
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
