import { boolean, date, integer, json, number, text, textList } from './record.ts';
import { type RowOf, type Table, table } from './table.ts';

/** The organisation itself, as the store has it. One row. */
export const organisationCopy = table({
  name: 'organisation',
  one: 'an organisation',
  meaning: 'Settings that change what is derived.',
  key: ['organisation_id'],
  dates: {},
  columns: {
    organisation_id: text('Identifier.'),
    time_zone: text('Time zone of days and hours.'),
    incident_window_days: integer('How long after a deployment an incident that names none is put down to it.'),
    runner_prices: json('US dollars a minute by kind of runner.'),
  },
});

/** Everyone that has not been merged into someone else. */
export const peopleCopy = table({
  name: 'people',
  one: 'a person',
  meaning: 'People after all merges.',
  key: ['merged_user_id'],
  dates: {},
  columns: {
    merged_user_id: text('Identifier.'),
    name: text('Name.'),
    name_key: text('Name as it is matched.'),
    main_email: text('Primary email address.'),
    main_email_key: text('Primary email address as it is matched.'),
    github_username: text('Login on GitHub, or else on another code host.'),
    role: text('Job title.'),
    level: text('Seniority level.'),
    location: text('Place of work.'),
    manager_id: text('Identifier of the manager, if that person is known.'),
    manager_email: text('The manager’s address as it was given.'),
    manager_email_key: text('The manager’s address as it is matched.'),
    salary: number('Yearly salary.'),
    is_bot: boolean('Whether it is a bot.'),
    onboarded: boolean('Whether the person counts in metrics.'),
    onboarded_by_name: boolean(
      'Whether the person was included in metrics by name: rows of their bot accounts then count as theirs.',
    ),
    user_created_date: date('When the person joined.'),
    sources: textList('Where the person has a login.'),
  },
});
export type PersonCopy = RowOf<typeof peopleCopy>;

/** Who reports to whom at any depth, so that no engine has to follow managers step by step. */
export const reportsOfCopy = table({
  name: 'reports_of',
  one: 'a report of a manager',
  meaning: 'Everyone below each manager, at any depth.',
  key: ['manager_id', 'merged_user_id'],
  dates: {},
  columns: { manager_id: text('Manager.'), merged_user_id: text('Who reports to them, directly or not.') },
});

/** Every address that a person is known by, those of people who were merged into them included. */
export const personEmailsCopy = table({
  name: 'person_emails',
  one: 'an email address',
  meaning: 'Email addresses of people, after all merges.',
  key: ['email', 'merged_user_id'],
  dates: {},
  columns: {
    email: text('Address.'),
    email_key: text('Address as it is matched.'),
    merged_user_id: text('Person.'),
  },
});

export const teamsCopy = table({
  name: 'teams',
  one: 'a team',
  meaning: 'Teams.',
  key: ['team_id'],
  dates: {},
  columns: {
    team_id: text('Identifier.'),
    team_name: text('Name.'),
    team_name_key: text('Name as it is matched.'),
    department: text('Department.'),
  },
});

export const teamMembersCopy = table({
  name: 'team_members',
  one: 'a membership of a team',
  meaning: 'Who is in which team, after all merges.',
  key: ['team_id', 'merged_user_id'],
  dates: {},
  columns: { team_id: text('Team.'), merged_user_id: text('Person.') },
});

export const squadsCopy = table({
  name: 'squads',
  one: 'a squad',
  meaning: 'Squads.',
  key: ['squad_id'],
  dates: {},
  columns: {
    squad_id: text('Identifier.'),
    squad_name: text('Name.'),
    squad_name_key: text('Name as it is matched.'),
    squad_level: integer('Level. 1 is the top.'),
    parent_squad_id: text('Squad above, if it is known.'),
    lead_id: text('Who leads it, if that person is known.'),
  },
});

/** The same for squads. */
export const squadsBelowCopy = table({
  name: 'squads_below',
  one: 'a squad below another',
  meaning: 'Each squad with itself and everything below it, at any depth.',
  key: ['squad_id', 'below_squad_id'],
  dates: {},
  columns: { squad_id: text('Squad.'), below_squad_id: text('The squad itself, or one below it.') },
});

export const squadMembersCopy = table({
  name: 'squad_members',
  one: 'a membership of a squad',
  meaning: 'Who is in which squad, after all merges.',
  key: ['squad_id', 'merged_user_id'],
  dates: {},
  columns: { squad_id: text('Squad.'), merged_user_id: text('Person.') },
});

export const repositoriesCopy = table({
  name: 'repositories',
  one: 'a repository',
  meaning: 'Settings of repositories.',
  key: ['repository_key'],
  dates: {},
  columns: {
    repository_key: text('Repository as it is matched.'),
    repository: text('Repository, owner/name.'),
    default_branch: text('Default branch.'),
    production_branch: text('Branch that production is built from.'),
    deployment_source: text('Where deployments are read from.'),
    deploy_workflows: textList('Names of the workflows that deploy to production.'),
    production_environments: textList('Names of the environments that are production.'),
    is_active: boolean('Whether it takes part in deployment metrics.'),
  },
});
export type RepositoryCopy = RowOf<typeof repositoriesCopy>;

/** Copies of what the store knows, published into each warehouse so that a question never leaves its engine. */
export const directoryCopyTables = [
  organisationCopy,
  peopleCopy,
  reportsOfCopy,
  personEmailsCopy,
  teamsCopy,
  teamMembersCopy,
  squadsCopy,
  squadsBelowCopy,
  squadMembersCopy,
  repositoriesCopy,
] as const satisfies readonly Table[];
