import { boolean, date, integer, json, number, type RecordOf, recordShape, text, textList } from './record.ts';

export const accessRoles = ['Owner', 'Manager', 'Squad Lead', 'Engineer'] as const;
export type AccessRole = (typeof accessRoles)[number];

export const permissions = ['can-view-salaries'] as const;
export type Permission = (typeof permissions)[number];

export const deploymentSources = [
  'bitbucket_deployment',
  'github_release',
  'workflow_run',
  'merge_to_default',
] as const;

export const personRecord = recordShape({
  name: 'people',
  one: 'a person',
  fields: {
    merged_user_id: text('Identifier of the person. Made from the first identity when absent.'),
    name: text('Display name.'),
    main_email: text('Primary email address.'),
    emails: textList('Every email address of the person. Replaces the known ones, but for the primary one.'),
    logins: json('Logins by source, such as {"github": "ada", "jira": "ada.l"}. A list where a source knows several.'),
    github_username: text('Login on GitHub, the same as logins.github.'),
    role: text('Job title.'),
    level: text('Seniority level.'),
    location: text('Place of work.'),
    manager_email: text('Any email address of the manager, who may become known later.'),
    access_role: text('What the person may see and do.', accessRoles),
    permissions: textList('Permissions beyond the role.', permissions),
    salary: number('Yearly salary, in the organisation’s own currency.'),
    is_bot: boolean(
      'Whether this is a bot. Said here, it holds whatever logins and records say. Unsaid, these decide: a login that ends in [bot], or what most records of the account say.',
    ),
    onboarded: boolean(
      'Whether the person counts in metrics. If absent or null, new people count unless they are bots, and everyone else stays as they are.',
    ),
    created_date: date('When the person joined, by default the day of the first record.'),
    teams: textList('Names of the teams the person is in. Unknown teams are made.'),
    squads: textList('Names of the squads the person is in. Unknown squads are made.'),
    managed_teams: textList('Names of the teams assigned to a Manager. Unknown teams are made.'),
  },
});
export type PersonRecord = RecordOf<typeof personRecord>;

export const teamRecord = recordShape({
  name: 'teams',
  one: 'a team',
  fields: {
    team_id: text('Identifier of the team. Made from its name when absent.'),
    team_name: text('Display name, unique in the organisation without regard to case.'),
    department: text('Department the team belongs to.'),
  },
});
export type TeamRecord = RecordOf<typeof teamRecord>;

export const squadRecord = recordShape({
  name: 'squads',
  one: 'a squad',
  fields: {
    squad_id: text('Identifier of the squad. Made from its name when absent.'),
    squad_name: text('Display name, unique in the organisation without regard to case.'),
    squad_level: integer('Level in the hierarchy. 1 is the top.'),
    parent_squad: text('Name or identifier of the squad above.'),
    lead_email: text('Any email address of the person who leads the squad.'),
  },
});
export type SquadRecord = RecordOf<typeof squadRecord>;

export const repositoryRecord = recordShape({
  name: 'repositories',
  one: 'a repository',
  fields: {
    repository: text('Full name, owner/name.'),
    default_branch: text('Default branch.'),
    production_branch: text('Branch that production is built from, by default the default branch of the repository.'),
    deployment_source: text('Where deployments are read from, by default the first available.', deploymentSources),
    deploy_workflows: textList('Names of the workflows that deploy to production.'),
    production_environments: textList(
      'Names of the environments that are production. By default production, prod and live.',
    ),
    is_active: boolean('Whether the repository takes part in deployment metrics.'),
    earlier_names: textList(
      'Names that it had before, each with its code host, the first one first: `github:acme/web`. Ids are made of that. They are added to those that are known. Null forgets them.',
    ),
  },
});
export type RepositoryRecord = RecordOf<typeof repositoryRecord>;

export const directoryRecords = {
  people: personRecord,
  teams: teamRecord,
  squads: squadRecord,
  repositories: repositoryRecord,
} as const;
export type DirectoryTable = keyof typeof directoryRecords;
