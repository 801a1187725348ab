import type { DirectoryTable } from '../catalogue/directory-records.ts';
import type { Directory, Errand } from '../directory/directory.ts';
import { createOrganisation, setOrganisation } from '../directory/organisations.ts';
import { putRecords } from '../directory/records.ts';
import { Refusal } from '../refusal.ts';
import { findCursor, putCursor } from '../store/cursors.ts';
import { findOrganisation } from '../store/organisations.ts';
import { type DemoOptions, type DemoOrganisation, demoOrganisations } from './demo-organisations.ts';

export interface FilledOrganisation {
  readonly id: string;
  readonly name: string;
  readonly owner_email: string;
  readonly people: number;
  readonly teams: number;
}

/**
 * Puts the demo organisations into the store. One that is complete is left alone, whatever has been changed in it since;
 * one whose filling was interrupted is filled again.
 */
export async function fillDemo(directory: Directory, options: DemoOptions): Promise<FilledOrganisation[]> {
  if (!Number.isFinite(options.scale) || options.scale < 1) {
    throw new Refusal('bad-input', `The scale must be a number from 1 up, not ${options.scale}.`);
  }
  const filled: FilledOrganisation[] = [];
  for (const organisation of demoOrganisations(options)) {
    if (!(await isFilled(directory, organisation.id))) await fillOrganisation(directory, organisation);
    filled.push({
      id: organisation.id,
      name: organisation.name,
      owner_email: ownerEmail(organisation),
      people: organisation.people.length,
      teams: organisation.teams.length,
    });
  }
  return filled;
}

/** Whether a store has anything of this demo in it. */
export function holdsDemo(organisationIds: readonly string[], options: DemoOptions): boolean {
  const demo = new Set(demoOrganisations(options).map(({ id }) => id));
  return organisationIds.some((id) => demo.has(id));
}

/** Written last, in the way a connector remembers how far it has read. */
const mark = { source: 'demo', stream: 'directory' } as const;

async function isFilled(directory: Directory, organisationId: string): Promise<boolean> {
  const cursor = await directory.store.read((session) => findCursor(session, organisationId, mark.source, mark.stream));
  return cursor !== undefined;
}

async function fillOrganisation(directory: Directory, organisation: DemoOrganisation): Promise<void> {
  const errand: Errand = { organisationId: organisation.id, actor: { via: 'demo' } };
  if (!(await directory.store.read((session) => findOrganisation(session, organisation.id)))) {
    const { id, name } = organisation;
    await createOrganisation(directory, errand.actor, { id, name, ownerEmail: ownerEmail(organisation) });
  }
  await setOrganisation(directory, errand, {
    time_zone: organisation.timeZone,
    ...Object.fromEntries(Object.entries(organisation.settings).map(([name, value]) => [name, String(value)])),
  });
  const put = async (table: DirectoryTable, records: readonly object[]) => {
    const lines = records.map((value, i) => ({ line: i + 1, value }));
    const { rejected } = await putRecords(directory, errand, table, lines, { strict: true });
    const [first] = rejected;
    if (first) throw new Error(`demo ${table} of ${organisation.name}, record ${first.line}: ${first.detail}`);
  };
  await put('teams', organisation.teams);
  await put('squads', organisation.squads);
  await put('people', organisation.people);
  await put('repositories', organisation.repositories);
  await directory.store.change(organisation.id, (session) =>
    putCursor(session, mark.source, mark.stream, 'filled', directory.now()),
  );
}

function ownerEmail({ name, owner }: DemoOrganisation): string {
  if (owner.main_email == null) throw new Error(`the owner of ${name} has no address`);
  return owner.main_email;
}
