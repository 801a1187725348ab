import { alertStates, digestRuns, evaluationRounds } from './alert-tables.ts';
import { may, needs, type StoreColumn, type StoreTable, table } from './define-table.ts';
import { documents, pinnedBoards } from './document-tables.ts';
import { messageReceivers, messages } from './message-tables.ts';
import {
  givenEmails,
  openidSubjects,
  passwords,
  sessions,
  signIns,
  sourceMemberships,
  sourcePeople,
  sourceStreams,
  sourceSyncs,
  sources,
  webhookDeliveries,
} from './source-tables.ts';

export type { StoreRowOf, StoreTable } from './define-table.ts';

/** The tables of the store as they are now. Migrations bring a file or database here; the conformance suite compares. */
export const organisations = table('organisations', ['id'], {
  id: needs('text'),
  name: needs('text'),
  time_zone: needs('text'),
  team_restrictions: needs('boolean'),
  salary_visibility: needs('boolean'),
  benchmark_opt_out: needs('boolean'),
  incident_window_days: needs('integer'),
  survey_minimum_group: needs('integer'),
  /** JSON: US dollars a minute by kind of runner. */
  runner_prices: may('text'),
  version: needs('bigint'),
  created_at: needs('timestamptz'),
  /** Whether people who arrive are onboarded; null is yes. */
  onboard_automatically: may('boolean'),
  /** `role` or `anonymous`; null is `role`. */
  survey_privacy: may('text'),
  /** The secret with which identifiers of survey answers are made. Never shown. */
  survey_key: may('text'),
  /**
   * The field by which respondents of an anonymous survey are divided: `team`, `department` or `location`; null is
   * `team`.
   */
  survey_report_by: may('text'),
});

export const people = table('people', ['organisation_id', 'id'], {
  organisation_id: needs('text'),
  id: needs('text'),
  name: needs('text'),
  main_email: may('text'),
  role: may('text'),
  level: may('text'),
  location: may('text'),
  /** As the directory gave it: the manager may become known later, and under any of their addresses. */
  manager_email: may('text'),
  access_role: needs('text'),
  /** JSON list. */
  permissions: needs('text'),
  salary: may('double precision'),
  is_bot: needs('boolean'),
  onboarded: needs('boolean'),
  created_date: needs('date'),
  /** The person this one was merged into. Identities and memberships stay where they were, so a merge can be undone. */
  merged_into: may('text'),
  /** The person after all merges: themselves, or the end of the chain of `merged_into`. */
  effective_id: needs('text'),
  /** Whether the directory says that this is a bot, or that it is none; null where it says neither. */
  stated_bot: may('boolean'),
  /** Whether most of the records of the person call them a bot, as far as the directory knows. */
  called_bot: may('boolean'),
  /** How they came to be onboarded or not: `onboarded` follows from it. */
  onboarding: may('text'),
});

export const identities = table('identities', ['organisation_id', 'kind', 'key', 'source'], {
  organisation_id: needs('text'),
  /** `email` or `login`. */
  kind: needs('text'),
  /** The value as it is compared: trimmed, lower case. */
  key: needs('text'),
  /** Where a login is valid; empty for an email address. */
  source: needs('text'),
  value: needs('text'),
  person_id: needs('text'),
  position: needs('integer'),
});

const groupColumns = {
  organisation_id: needs('text'),
  id: needs('text'),
  name: needs('text'),
  name_key: needs('text'),
  /** Made because a person named it; the first record of its own may still give it another identifier. */
  is_implied: needs('boolean'),
} as const;

export const teams = table('teams', ['organisation_id', 'id'], { ...groupColumns, department: may('text') });
export const squads = table('squads', ['organisation_id', 'id'], {
  ...groupColumns,
  level: may('integer'),
  /** Name or identifier, as given: the squad above may become known later. */
  parent: may('text'),
  lead_email: may('text'),
});

const membership = <const G extends string>(name: string, group: G) =>
  ({
    name,
    key: ['organisation_id', group, 'person_id'],
    columns: { organisation_id: needs('text'), [group]: needs('text'), person_id: needs('text') },
  }) as StoreTable<
    { readonly organisation_id: StoreColumn<'text', false>; readonly person_id: StoreColumn<'text', false> } & {
      readonly [K in G]: StoreColumn<'text', false>;
    }
  >;

export const teamMembers = membership('team_members', 'team_id');
export const teamManagers = membership('team_managers', 'team_id');
export const squadMembers = membership('squad_members', 'squad_id');

export const merges = table('merges', ['organisation_id', 'absorbed_id'], {
  organisation_id: needs('text'),
  absorbed_id: needs('text'),
  survivor_id: needs('text'),
  merged_at: needs('timestamptz'),
  /** The state that unmerging gives back, unless onboarding changed in between. */
  absorbed_onboarded: needs('boolean'),
  survivor_onboarded: needs('boolean'),
  absorbed_onboarding: may('text'),
  survivor_onboarding: may('text'),
});

export const repositories = table('repositories', ['organisation_id', 'key'], {
  organisation_id: needs('text'),
  key: needs('text'),
  name: needs('text'),
  default_branch: may('text'),
  production_branch: may('text'),
  deployment_source: may('text'),
  /** JSON list. */
  deploy_workflows: may('text'),
  is_active: needs('boolean'),
  /** JSON list. */
  production_environments: may('text'),
  /** JSON list, each with its code host (`github:acme/web`), the first one first. */
  earlier_names: may('text'),
});

export const apiKeys = table('api_keys', ['id'], {
  id: needs('text'),
  organisation_id: needs('text'),
  creator_id: needs('text'),
  name: needs('text'),
  /** SHA-256 of the key, hexadecimal. The key itself is never kept. */
  hash: needs('text'),
  /** The last characters of the key, to tell keys apart. */
  hint: needs('text'),
  created_at: needs('timestamptz'),
  expires_at: may('timestamptz'),
  revoked_at: may('timestamptz'),
  last_used_at: may('timestamptz'),
  rotated_from: may('text'),
});

export const auditLog = table('audit_log', ['organisation_id', 'version', 'entry'], {
  organisation_id: needs('text'),
  /** The version of the organisation that the change made. */
  version: needs('bigint'),
  entry: needs('integer'),
  happened_at: needs('timestamptz'),
  /** `api`, `session`, `command`, `sign-in`, `demo`, `mail`, `records` or `source`. */
  via: needs('text'),
  actor: may('text'),
  key_id: may('text'),
  action: needs('text'),
  subject: needs('text'),
  /** JSON. */
  details: may('text'),
});

/** Entries that belong to no change of an organisation, and so to no version of it. */
export const auditEvents = table('audit_events', ['organisation_id', 'id'], {
  organisation_id: needs('text'),
  id: needs('text'),
  happened_at: needs('timestamptz'),
  via: needs('text'),
  actor: may('text'),
  key_id: may('text'),
  action: needs('text'),
  subject: needs('text'),
  row_count: may('bigint'),
  /** JSON. */
  details: may('text'),
});

export const cursors = table('cursors', ['organisation_id', 'source', 'stream'], {
  organisation_id: needs('text'),
  source: needs('text'),
  stream: needs('text'),
  value: needs('text'),
  updated_at: needs('timestamptz'),
});

export const storeTables: readonly StoreTable[] = [
  organisations,
  people,
  identities,
  teams,
  teamMembers,
  teamManagers,
  squads,
  squadMembers,
  merges,
  repositories,
  apiKeys,
  signIns,
  sessions,
  passwords,
  openidSubjects,
  givenEmails,
  auditLog,
  auditEvents,
  cursors,
  sources,
  sourceSyncs,
  sourceStreams,
  webhookDeliveries,
  sourcePeople,
  sourceMemberships,
  documents,
  pinnedBoards,
  messages,
  messageReceivers,
  alertStates,
  digestRuns,
  evaluationRounds,
];

/**
 * The tables of a backup: all but those of who is signed in, so that nobody stays signed in over a restore, and of what
 * waits to be sent, so that nothing is sent twice.
 */
export const backupTables: readonly StoreTable[] = storeTables.filter((one) => one !== sessions && one !== messages);
