import { AuditedRows, hourOf } from '../store/audit-events.ts';
import type { ChangeContext, Directory } from './directory.ts';

export type { AuditedRows } from '../store/audit-events.ts';

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

/** The same for the coding-agent hook, which sends all day long: a key has one entry for each clock hour. */
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
