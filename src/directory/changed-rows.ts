import type { DirectoryTable } from '../catalogue/directory-records.ts';
import type { AuditedAction } from '../store/audit.ts';

/** How many rows of each table are new, and in how many something is different. Tables without any are left out. */
export type ChangedRows = { readonly [T in DirectoryTable]?: { readonly added: number; readonly changed: number } };

const tableOfThing: Readonly<Record<string, DirectoryTable>> = {
  person: 'people',
  team: 'teams',
  squad: 'squads',
  repository: 'repositories',
};

/** The rows that a change has made or changed, by what the audit log says of it. What was removed is not counted. */
export function changedRows(auditedActions: readonly AuditedAction[]): ChangedRows {
  // One row may have several entries: a person may be new and offboarded.
  const isNew = new Map<DirectoryTable, Map<string, boolean>>();
  for (const { action, subject } of auditedActions) {
    const [thing = '', verb] = action.split('.');
    const table = tableOfThing[thing];
    if (table === undefined || verb === 'remove') continue;
    const rows = isNew.get(table) ?? new Map<string, boolean>();
    isNew.set(table, rows.set(subject, rows.get(subject) === true || verb === 'create'));
  }
  return Object.fromEntries(
    [...isNew].map(([table, rows]) => {
      const added = [...rows.values()].filter((isAdded) => isAdded).length;
      return [table, { added, changed: rows.size - added }];
    }),
  );
}
