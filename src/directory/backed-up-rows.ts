import { personRecord, repositoryRecord, squadRecord, teamRecord } from '../catalogue/directory-records.ts';
import { readRecord } from '../catalogue/read-record.ts';
import type { RecordShape } from '../catalogue/record.ts';
import { Refusal } from '../refusal.ts';
import { documentKinds } from '../store/document-tables.ts';
import { keyOf } from '../text-comparison.ts';
import { readSetting, settingNames } from './organisation-settings.ts';
import { namedIdentities } from './person-identities.ts';
import { isRepositoryName } from './repositories-draft.ts';

/** A row of the store as it stands in a backup. */
type StoredRow = Readonly<Record<string, unknown>>;

interface RowProblem {
  readonly field: string;
  /** The form that would be right, beginning with the field. It never holds the value, which may be private. */
  readonly problem: string;
}

type RowRule = (row: StoredRow) => RowProblem | undefined;

/**
 * Finds a problem of a row of the store: anything that no command and no record could have put there. Its columns have
 * the types that the table says.
 */
export const problemOfRow = (table: string, row: StoredRow): RowProblem | undefined => rules[table]?.(row);

const rules: Readonly<Record<string, RowRule>> = {
  organisations: (row) => organisationId(row) ?? first(settingNames, (name) => settingProblem(row, name)),
  people: (row) =>
    json(row, 'permissions', 'list') ??
    asRecord(personRecord, row, {
      merged_user_id: row.id,
      ...picked(row, [
        ...['name', 'main_email', 'role', 'level', 'location', 'manager_email', 'access_role', 'salary'],
        ...['is_bot', 'onboarded', 'created_date'],
      ]),
      permissions: parsed(row.permissions),
    }) ??
    (row.main_email === null ? undefined : identityProblem('main_email', { main_email: text(row, 'main_email') })),
  identities,
  teams: (row) =>
    matched(row, 'name_key', 'name') ??
    asRecord(teamRecord, row, { team_id: row.id, team_name: row.name, department: row.department }),
  squads: (row) =>
    matched(row, 'name_key', 'name') ??
    asRecord(squadRecord, row, {
      squad_id: row.id,
      squad_name: row.name,
      squad_level: row.level,
      parent_squad: row.parent,
      lead_email: row.lead_email,
    }) ??
    (row.level !== null && Number(row.level) < 1 ? { field: 'level', problem: 'level must be 1 or more' } : undefined),
  repositories: (row) =>
    matched(row, 'key', 'name') ??
    json(row, 'deploy_workflows', 'list') ??
    json(row, 'production_environments', 'list') ??
    json(row, 'earlier_names', 'list') ??
    (isRepositoryName(text(row, 'name')) ? undefined : { field: 'name', problem: "name must be 'owner/name'" }) ??
    asRecord(repositoryRecord, row, {
      repository: row.name,
      ...picked(row, ['default_branch', 'production_branch', 'deployment_source', 'is_active']),
      deploy_workflows: parsed(row.deploy_workflows),
      production_environments: parsed(row.production_environments),
      earlier_names: parsed(row.earlier_names),
    }),
  source_people: (row) => matched(row, 'login_key', 'login'),
  api_keys: sha256,
  sign_ins: sha256,
  sessions: (row) => sha256(row) ?? oneOf(row, 'method', ['link', 'password', 'openid']),
  passwords: (row) =>
    text(row, 'hash').startsWith('$argon2id$') ? undefined : { field: 'hash', problem: 'hash is not an Argon2id hash' },
  given_emails: (row) => matched(row, 'key', 'key'),
  audit_log: (row) => json(row, 'details', 'object'),
  audit_events: (row) => json(row, 'details', 'object') ?? notNegative(row, 'row_count'),
  sources: (row) =>
    matched(row, 'name_key', 'name') ??
    oneOf(row, 'added_by', ['command', 'api']) ??
    texts(row, 'settings') ??
    encrypted(row, 'secrets') ??
    encrypted(row, 'webhook_secret'),
  source_syncs: (row) => oneOf(row, 'outcome', ['complete', 'partial', 'failed']),
  source_streams: (row) => json(row, 'state', 'object') ?? json(row, 'feeds', 'list') ?? notNegative(row, 'read_count'),
  webhook_deliveries: (row) => json(row, 'objects', 'list'),
  documents: (row) => oneOf(row, 'kind', documentKinds) ?? json(row, 'body', 'object') ?? encrypted(row, 'secrets'),
};

const text = (row: StoredRow, column: string): string => String(row[column]);
const picked = (row: StoredRow, columns: readonly string[]): StoredRow =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));

function first<T>(items: readonly T[], problemOf: (item: T) => RowProblem | undefined): RowProblem | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem) return problem;
  }
  return undefined;
}

function organisationId(row: StoredRow): RowProblem | undefined {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text(row, 'id'))) {
    return { field: 'id', problem: 'id must be a UUID' };
  }
  return Number(row.version) < 0 ? { field: 'version', problem: 'version must be 0 or more' } : undefined;
}

/** Read as `plumb org set` reads it: what that refuses, or would keep in another form, was never set. */
function settingProblem(row: StoredRow, name: string): RowProblem | undefined {
  const value = row[name];
  if (value === null) return undefined;
  try {
    const kept = readSetting(name, String(value));
    // A price list may be spaced in another way: it is read as JSON.
    if (kept === value || name === 'runner_prices') return undefined;
    return { field: name, problem: `${name} is not written as \`plumb org set\` writes it` };
  } catch (error) {
    if (error instanceof Refusal) return { field: name, problem: withoutValue(error.message) };
    throw error;
  }
}

/** Read as a record of the table: what that refuses, or would keep in another form, no record brought. */
function asRecord(shape: RecordShape, row: StoredRow, record: StoredRow): RowProblem | undefined {
  const reading = readRecord(shape, record);
  if ('problem' in reading) {
    const [name = ''] = reading.problem.split(' ');
    return { field: name, problem: withoutValue(reading.problem) };
  }
  const kept: StoredRow = reading.record;
  const other = Object.keys(record).find((name) => JSON.stringify(kept[name]) !== JSON.stringify(record[name]));
  if (other === undefined) return undefined;
  const known = shape.fields[other]?.oneOf;
  const right = known ? `must be spelled as one of ${known.join(', ')}` : 'is not in the form in which it is kept';
  return { field: other in row ? other : '', problem: `${other} ${right}` };
}

function identities(row: StoredRow): RowProblem | undefined {
  const [kind, source, value] = [text(row, 'kind'), text(row, 'source'), text(row, 'value')];
  if (kind !== 'email' && kind !== 'login') return { field: 'kind', problem: 'kind must be email or login' };
  if (kind === 'email' && source !== '')
    return { field: 'source', problem: 'source of an email address must be empty' };
  const problem = identityProblem('value', kind === 'email' ? { emails: [value] } : { logins: { [source]: value } });
  return problem ?? matched(row, 'key', 'value');
}

function identityProblem(field: string, record: Parameters<typeof namedIdentities>[0]): RowProblem | undefined {
  const named = namedIdentities(record);
  return 'problem' in named ? { field, problem: `${field} must be an email address or a login` } : undefined;
}

const matched = (row: StoredRow, key: string, value: string): RowProblem | undefined =>
  text(row, key) === keyOf(text(row, value))
    ? undefined
    : { field: key, problem: `${key} is not how ${value} is matched` };

function sha256(row: StoredRow): RowProblem | undefined {
  return /^[0-9a-f]{64}$/.test(text(row, 'hash')) ? undefined : { field: 'hash', problem: 'hash is not a SHA-256' };
}

function parsed(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : null;
  } catch {
    return undefined;
  }
}

function json(row: StoredRow, column: string, form: 'list' | 'object'): RowProblem | undefined {
  if (row[column] === null) return undefined;
  const value = parsed(row[column]);
  const isRight = form === 'list' ? Array.isArray(value) : typeof value === 'object' && value !== null;
  return isRight ? undefined : { field: column, problem: `${column} is not a JSON ${form}` };
}

const notNegative = (row: StoredRow, column: string): RowProblem | undefined =>
  Number(row[column]) < 0 ? { field: column, problem: `${column} must be 0 or more` } : undefined;

const oneOf = (row: StoredRow, column: string, known: readonly string[]): RowProblem | undefined =>
  row[column] === null || known.includes(text(row, column))
    ? undefined
    : { field: column, problem: `${column} must be one of ${known.join(', ')}` };

function texts(row: StoredRow, column: string): RowProblem | undefined {
  const values = parsed(row[column]);
  const isRight =
    typeof values === 'object' &&
    values !== null &&
    !Array.isArray(values) &&
    Object.values(values).every((value) => typeof value === 'string');
  return isRight ? undefined : { field: column, problem: `${column} is not a JSON object of texts` };
}

/** A text in clear must not pass for a secret: it would be shown as one that is set. */
const encrypted = (row: StoredRow, column: string): RowProblem | undefined =>
  row[column] === null || /^v[12]\.[^.]+\.[\w-]+$/.test(text(row, column))
    ? undefined
    : { field: column, problem: `${column} is not encrypted` };

const withoutValue = (sentence: string): string => sentence.replace(/,? not (['"[{\d-].*|null|true|false)\.?$/s, '');
