import fc from 'fast-check';
import { type Columns, type Row, storedColumns, type Table } from '../../src/catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../src/catalogue/tables/all-tables.ts';
import type {
  LastActivity,
  Person,
  PersonEmail,
  Squad,
  SquadMember,
  Team,
  TeamMember,
  World,
} from '../reference/world.ts';
import { amounts, durations, instants, maybe, quarters, smallIntegers, someDays, texts } from './random-values.ts';

export const personIds = ['ada', 'bo', 'cy', 'dee', 'eve', 'fay', 'gus', 'hal', 'ivo'] as const;
export const teamIds = ['t1', 't2', 't3', 't4'] as const;
export const squadIds = ['q1', 'q2', 'q3', 'q4', 'q5'] as const;
export const repositoryNames = ['acme/web', 'Acme/API', 'group/sub/web', 'solo'] as const;
export const assistants = ['cursor', 'github-copilot', 'claude-code'] as const;
const rowsOf: Partial<Record<FactTable, number>> = { pull_requests: 240, ai_copilot: 150, incidents: 1 };
const defaultRows = 90;
/** Rows refer to few others, so that some have many. */
const parents = 40;

export const idIn = (table: string, i: number): string => `${table.slice(0, 3)}${table.length}-${i}`;
const someIdIn = (table: string) => fc.nat({ max: parents - 1 }).map((i) => idIn(table, i));

/** What decides more than the kind of its values: who somebody is, what belongs to what. */
const meant: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  merged_user_id: fc.option(fc.constantFrom(...personIds), { nil: null, freq: 5 }),
  is_bot: fc.constantFrom(false, false, false, true),
  actor: fc.constantFrom('ada', 'bo', 'github:stranger', 'x@example.org', null),
  person_login: maybe(fc.constantFrom('ada', 'stranger', 'renovate[bot]'), 3),
  person_name: maybe(texts, 1),
  repository: maybe(fc.constantFrom(...repositoryNames)),
  repo_name: maybe(fc.constantFrom(...repositoryNames)),
  repository_key: maybe(fc.constantFrom(...repositoryNames.slice(0, 2).map((name) => name.toLowerCase()))),
  source: maybe(fc.constantFrom('github', 'gitlab', 'bitbucket', 'azure-devops', ...assistants)),
  person_source: maybe(fc.constantFrom('github', 'gitlab')),
  agent_slug: maybe(fc.constantFrom(...assistants)),
  model: maybe(fc.constantFrom('opus', 'gpt', 'ä'), 2),
  language: maybe(fc.constantFrom('Go', 'go', 'TypeScript'), 2),
  deployment_id: maybe(someIdIn('deployments'), 2),
  // No release is a prerelease, too.
  release_id: maybe(
    fc.nat({ max: parents / 2 - 1 }).map((i) => idIn('release_details', 2 * i)),
    2,
  ),
  prerelease_id: maybe(
    fc.nat({ max: parents / 2 - 1 }).map((i) => idIn('release_details', 2 * i + 1)),
    2,
  ),
  review_hour_of_day: maybe(fc.integer({ min: 0, max: 23 })),
  review_hours: maybe(fc.subarray(['0', '1', '9', '10', '19', '23']).map((list) => JSON.stringify(list))),
  review_rounds: fc.integer({ min: 0, max: 4 }),
  is_review: fc.boolean(),
  is_active: maybe(fc.boolean()),
  is_production: fc.constantFrom(true, true, false, null),
  ai_sources: maybe(fc.subarray([...assistants]).map((list) => JSON.stringify(list))),
  issue_ids: maybe(fc.array(someIdIn('issues'), { maxLength: 3 }).map((list) => JSON.stringify(list))),
  pr_ids: maybe(fc.array(someIdIn('pull_requests'), { maxLength: 3 }).map((list) => JSON.stringify(list))),
  associated_pr_ids: maybe(fc.array(someIdIn('pull_requests'), { maxLength: 3 }).map((list) => JSON.stringify(list))),
  run_conclusion: maybe(fc.constantFrom('success', 'failure', 'cancelled', 'skipped', 'timed_out', 'neutral')),
  workflow_name: maybe(fc.constantFrom('Build', 'build', 'Deploy to production', 'ä')),
  branch: maybe(fc.constantFrom('main', 'MAIN', 'topic')),
  project_id: maybe(fc.constantFrom('pr-1', 'pr-2')),
  survey_id: maybe(fc.constantFrom('y1', 'y2')),
  survey_template_question_id: maybe(fc.constantFrom('k1', 'k2')),
  ticket_status: maybe(fc.constantFrom('backlog', 'started', 'completed', 'canceled')),
};

const lists = fc.subarray(['a', 'b', 'ä', '"', 'x y']).map((list) => JSON.stringify(list));
const objects = fc
  .oneof(fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom<unknown>(1, 'x', null, [2, '"'])), fc.constant([1]))
  .map((object) => JSON.stringify(object));

function columnValue(columns: Columns, name: string, type: string): fc.Arbitrary<unknown> {
  const own = meant[name];
  if (own) return own;
  const oneOf = columns[name]?.oneOf;
  if (oneOf && type === 'text') return maybe(fc.constantFrom(...oneOf), 10);
  switch (type) {
    case 'text':
      return maybe(texts);
    case 'integer':
      return maybe(columns[name]?.max === undefined ? smallIntegers : amounts);
    case 'number':
      return maybe(quarters);
    case 'boolean':
      return maybe(fc.boolean());
    case 'timestamp':
      return maybe(instants, 12);
    case 'duration':
      return maybe(durations);
    case 'date':
      return maybe(someDays, 20);
    case 'text[]':
      return maybe(lists);
    default:
      return maybe(objects);
  }
}

/** Rows of a table in which anything can be anything, its key and what it belongs to left aside. */
export function rowsIn(name: FactTable, count = rowsOf[name] ?? defaultRows): fc.Arbitrary<Row[]> {
  const table: Table = factTables[name];
  const value = ([column, type]: [string, string]) => [column, columnValue(table.columns, column, type)];
  const row = fc.record(
    Object.fromEntries([...storedColumns(table)].map(value)) as Record<string, fc.Arbitrary<unknown>>,
  );
  const parent = table.parent;
  const ofParent = parent ? someIdIn(parent.table) : fc.constant('');
  return fc
    .array(fc.tuple(row, ofParent), { minLength: count, maxLength: count })
    .map((rows) => rows.map(([own, parentId], i) => keyed(table, own as Row, parentId, i)));
}

/** Keys are different; of those made of several columns only one has to be. */
function keyed(table: Table, row: Row, parentId: string, i: number): Row {
  const own = { ...row };
  for (const column of table.parent?.key ?? []) own[column] = parentId;
  const text = table.key.filter((column) => table.columns[column]?.type === 'text');
  const different = text.find((column) => table.columns[column]?.hidden) ?? text.at(-1);
  for (const column of table.key) {
    if (table.parent?.key.includes(column)) continue;
    if (column === different) own[column] = idIn(table.name, i);
    else own[column] ??= table.columns[column]?.type === 'text' ? '' : (keyDefaults[column] ?? 0);
  }
  for (const column of Object.values(table.shownAs ?? {})) own[column] = `shown-${(i * 7_919) % 1_009}-${i}`;
  return own;
}
const keyDefaults: Readonly<Record<string, string | number>> = { date: '2024-01-01', event_at: 1_704_067_200 };

const people: fc.Arbitrary<Person[]> = fc
  .tuple(
    ...personIds.map((id, i) =>
      fc.record({
        merged_user_id: fc.constant(id),
        // Two may have the same name.
        name: maybe(fc.constantFrom('Ada', 'Bo', 'Ça', id), 12),
        main_email: fc.constantFrom(`${id}@example.org`, `${id.toUpperCase()}@example.org`, null),
        github_username: maybe(texts),
        role: maybe(fc.constantFrom('Engineer', 'Lead')),
        level: maybe(fc.constantFrom('L1', 'L2', 'l1')),
        location: maybe(fc.constantFrom('Graz', 'Łódź')),
        // Somebody before them, so that nobody is their own manager, however many stand between.
        manager_id: i === 0 ? fc.constant(null) : maybe(fc.constantFrom(...personIds.slice(0, i)), 3),
        manager_email: maybe(fc.constantFrom('boss@example.org', 'ada@example.org'), 1),
        salary: maybe(quarters),
        is_bot: fc.constantFrom(false, false, false, true),
        onboarded: fc.constantFrom(true, true, true, false),
        onboarded_by_name: fc.boolean(),
        user_created_date: maybe(someDays),
        sources: fc.subarray(['github', 'jira', 'gitlab']).map((list) => JSON.stringify(list)),
      }),
    ),
  )
  // A bot is onboarded by name or not at all.
  .map((all) =>
    all.map((one) => ({ ...one, onboarded_by_name: one.onboarded && (one.is_bot || one.onboarded_by_name) })),
  );

/** Their primary addresses, and for some another one; two may share it. */
const emailsOf = (all: readonly Person[], others: readonly (string | null)[]): PersonEmail[] => {
  const addresses = all.flatMap(({ merged_user_id, main_email }, i) =>
    [main_email, others[i] ?? null].map((email) => ({ email, merged_user_id })),
  );
  const different = new Map(addresses.map((address) => [JSON.stringify(address), address]));
  return [...different.values()].filter(({ email }) => email !== null);
};

const teams: fc.Arbitrary<Team[]> = fc
  .tuple(...teamIds.map(() => maybe(fc.constantFrom('Product', 'Platform', 'ä'), 3)))
  .map((departments) =>
    departments.map((department, i) => ({
      team_id: teamIds[i] ?? '',
      team_name: ['web', 'Zeta', 'älvor', '😀'][i] ?? '',
      department,
    })),
  );

const squads: fc.Arbitrary<Squad[]> = fc
  .tuple(
    ...squadIds.map((_, i) =>
      fc.record({
        parent_squad_id: i === 0 ? fc.constant(null) : maybe(fc.constantFrom(...squadIds.slice(0, i)), 3),
        lead_id: maybe(fc.constantFrom(...personIds), 3),
        squad_level: maybe(fc.integer({ min: 1, max: 3 })),
      }),
    ),
  )
  .map((all) => all.map((squad, i) => ({ squad_id: squadIds[i] ?? '', squad_name: `squad ${i}`, ...squad })));

const memberships = <K extends string>(ids: readonly K[]) =>
  fc
    .tuple(...personIds.map(() => fc.subarray([...ids], { maxLength: 3 })))
    .map((all) => all.flatMap((some, i) => some.map((id) => ({ id, merged_user_id: personIds[i] ?? '' }))));

/** A world with something of everything. */
export const randomWorlds: fc.Arbitrary<World> = fc
  .record({
    timeZone: fc.constantFrom('UTC', 'America/New_York', 'Pacific/Auckland', 'Europe/Vienna', 'Asia/Kolkata'),
    people,
    otherEmails: fc.tuple(
      ...personIds.map((id) => maybe(fc.constantFrom(`${id}@home.example`, 'Shared@home.example'), 1)),
    ),
    teams,
    squads,
    teamMembers: memberships(teamIds),
    squadMembers: memberships(squadIds),
    lastActivity: fc.subarray([...personIds]),
    facts: fc.tuple(...factTableNames.map((name) => rowsIn(name))),
  })
  .map(({ teamMembers, squadMembers, lastActivity, facts, otherEmails, ...rest }) => ({
    ...rest,
    personEmails: emailsOf(rest.people, otherEmails),
    now: new Date('2024-04-03T10:30:00Z'),
    teamMembers: teamMembers.map(({ id, merged_user_id }): TeamMember => ({ team_id: id, merged_user_id })),
    squadMembers: squadMembers.map(({ id, merged_user_id }): SquadMember => ({ squad_id: id, merged_user_id })),
    lastActivity: lastActivity.map(
      (merged_user_id, i): LastActivity => ({ merged_user_id, last_active_at: 1_706_000_000 + i }),
    ),
    facts: Object.fromEntries(factTableNames.map((name, i) => [name, facts[i] ?? []])) as unknown as World['facts'],
  }));
