import { type DirectoryTable, directoryRecords, type PersonRecord } from '../catalogue/directory-records.ts';
import { type RecordReading, readRecord } from '../catalogue/read-record.ts';
import type { RecordForm } from '../catalogue/read-value.ts';
import type { RecordShape } from '../catalogue/record.ts';
import type { References } from '../catalogue/record-ids.ts';
import { type AuditedAction, AuditedRows, audit, hourOf } from '../store/audit.ts';
import { onboardedAmong } from '../store/people-rows.ts';
import type { OrganisationWriting } from '../store/store.ts';
import { isTurnLong, nextTurn } from '../yield-to-event-loop.ts';
import { type ChangedRows, changedRows } from './changed-rows.ts';
import type { ChangeContext, Directory } from './directory.ts';
import { SquadsDraft, TeamsDraft } from './group-records.ts';
import { PeopleDraft } from './people-draft.ts';
import { RepositoriesDraft } from './repositories-draft.ts';

export type { AuditedRows } from '../store/audit.ts';

/** A record as it came, and the line it stood on. */
export interface RecordLine {
  readonly line: number;
  readonly value: unknown;
}

export interface Rejection {
  readonly line: number;
  readonly detail: string;
}

export interface RecordsOutcome {
  readonly accepted: number;
  readonly rejected: readonly Rejection[];
  /** References of accepted records to rows that are not stored, where they were looked up. */
  readonly unmatched?: References;
  /** The people that records of people were taken of, and whether each of them is onboarded. */
  readonly people?: Readonly<Record<string, boolean>>;
}

export interface RecordOptions {
  readonly form?: RecordForm;
  /** All or nothing: one bad record, and none is kept. */
  readonly strict?: boolean;
  /** Called with what the records have made and changed. */
  readonly count?: (rows: ChangedRows) => void;
}

/** Changes collected in memory, record by record, and written at the end. */
interface Draft {
  apply(record: object): string | undefined;
  save(): Promise<AuditedAction[]>;
  /** The people that records were of. */
  readonly recorded?: readonly string[];
}

class NoRecordKept extends Error {
  readonly rejected: readonly Rejection[];
  constructor(rejected: readonly Rejection[]) {
    super('a strict import was rolled back');
    this.rejected = rejected;
  }
}

/** Records that say what is known already. The transaction is undone, so that nobody takes it for a change. */
class NothingChanged extends Error {
  readonly put: Put;
  constructor(put: Put) {
    super('the records changed nothing');
    this.put = put;
  }
}

/** Puts records into the directory in one transaction. Bad ones are reported by line and do not stop the rest. */
export async function putRecords(
  directory: Directory,
  context: ChangeContext,
  table: DirectoryTable,
  lines: readonly RecordLine[],
  options: RecordOptions = {},
): Promise<RecordsOutcome> {
  const { accepted, rejected } = await putAll(directory, context, table, lines, options);
  return { accepted, rejected };
}

/** The result for people, with those of them who are onboarded now. */
export async function putPeople(
  directory: Directory,
  context: ChangeContext,
  lines: readonly RecordLine[],
  options: RecordOptions = {},
): Promise<RecordsOutcome> {
  const { accepted, rejected, recorded } = await putAll(directory, context, 'people', lines, options);
  // Asked after the change: only then is it known whom records that came before call a bot.
  const found = await directory.store.read(
    (session) => onboardedAmong(session, context.organisationId, recorded),
    context,
  );
  return { accepted, rejected, people: Object.fromEntries(found.map(({ id, onboarded }) => [id, onboarded])) };
}

interface Put extends RecordsOutcome {
  /** The people that records were of. */
  readonly recorded: readonly string[];
}

async function putAll(
  directory: Directory,
  context: ChangeContext,
  table: DirectoryTable,
  lines: readonly RecordLine[],
  { form = 'json', strict = false, count }: RecordOptions,
): Promise<Put> {
  let rows: ChangedRows = {};
  const read: (RecordReading<RecordShape> & { readonly line: number })[] = [];
  for (const { line, value } of lines) {
    read.push({ line, ...readRecord(directoryRecords[table], value, form) });
    if (isTurnLong()) await nextTurn();
  }
  const put = async (session: OrganisationWriting): Promise<Put> => {
    const records = read.flatMap((reading) => ('record' in reading ? [reading.record] : []));
    const draft = (await draftOf(table, session, directory.now(), records)) as Draft;
    const rejected: Rejection[] = [];
    for (const reading of read) {
      const detail = 'record' in reading ? draft.apply(reading.record) : reading.problem;
      if (detail !== undefined) rejected.push({ line: reading.line, detail });
    }
    if (strict && rejected.length > 0) throw new NoRecordKept(rejected);
    const auditedActions = await draft.save();
    const outcome = { accepted: read.length - rejected.length, rejected, recorded: draft.recorded ?? [] };
    if (auditedActions.length === 0) throw new NothingChanged(outcome);
    await audit(session, context.actor, directory.now(), auditedActions);
    rows = changedRows(auditedActions);
    return outcome;
  };
  try {
    const outcome = await directory.store.change(context.organisationId, put, context);
    count?.(rows);
    return outcome;
  } catch (error) {
    if (error instanceof NothingChanged) return error.put;
    if (error instanceof NoRecordKept) return { accepted: 0, rejected: error.rejected, recorded: [] };
    throw error;
  }
}

function draftOf(table: DirectoryTable, session: OrganisationWriting, at: Date, records: readonly object[]) {
  switch (table) {
    case 'people':
      return PeopleDraft.load(session, at, records as readonly PersonRecord[]);
    case 'teams':
      return TeamsDraft.load(session);
    case 'squads':
      return SquadsDraft.load(session);
    case 'repositories':
      return RepositoriesDraft.load(session);
  }
}

/** Opens the entry of the audit log for records of a table that are brought in. Batches with one identifier share it. */
export function beginImport(
  { store, now }: Directory,
  context: ChangeContext,
  table: string,
  importId?: string,
): Promise<AuditedRows> {
  return AuditedRows.begin(store, {
    ...context,
    at: now(),
    action: 'records.import',
    subject: table,
    ...(importId === undefined ? {} : { id: `import ${importId}` }),
  });
}

/** The audit entry of the coding-agent hook, which sends all day long: a key has one entry for each clock hour. */
export function beginHookImport(
  { store, now }: Directory,
  context: ChangeContext,
  keyId: string,
): Promise<AuditedRows> {
  const at = now();
  const id = `hook ${hourOf(at)} ${keyId}`;
  return AuditedRows.begin(store, { ...context, at, id, action: 'records.import', subject: 'posthook' });
}

/** Opens the entry for rows of a table that are taken out. */
export function beginExport({ store, now }: Directory, context: ChangeContext, table: string): Promise<AuditedRows> {
  return AuditedRows.begin(store, { ...context, at: now(), action: 'records.export', subject: table });
}
