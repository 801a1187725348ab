import type { Directory } from '../directory/directory.ts';
import { resolveOrganisation } from '../directory/organisations.ts';
import { ownCommand } from '../own-command.ts';
import { Refusal } from '../refusal.ts';
import { organisationsOf } from '../store/cursors.ts';
import { demoSource, findOrganisation, removeOrganisation } from '../store/organisation-rows.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';

interface DeletionParts {
  readonly directory: Directory;
  readonly tables: () => { readonly warehouse: Pick<IntakePort, 'holds' | 'organisations' | 'remove'> };
}

/** An organisation that is, or was, there. */
interface DeletedOrganisation {
  readonly id: string;
  readonly name: string;
}

/** The organisation that is meant. Refuses where its name is not the one that confirms it. */
export async function deletable(
  { directory, tables }: DeletionParts,
  { org, confirm }: { readonly org: string; readonly confirm: string },
): Promise<DeletedOrganisation> {
  // Where another process keeps the tables, the deletion does not begin.
  const { warehouse } = tables();
  const found = await directory.store
    .read((session) => resolveOrganisation(session, org))
    .catch(async (error: unknown) => {
      if (!(error instanceof Refusal) || error.reason !== 'not-found') throw error;
      // A deletion that was cut off has left its tables.
      if ((await warehouse.organisations()).includes(org)) return { id: org, name: org };
      throw error;
    });
  if (confirm.trim() === found.name) return { id: found.id, name: found.name };
  throw new Refusal('bad-input', `--confirm must be the name of the organisation, '${found.name}', not '${confirm}'.`);
}

/**
 * Deletes an organisation: first what lets anybody in or anything be read, then its tables. Every request after the
 * first step finds no key, no session, no source and no webhook of it.
 */
export async function deleteOrganisation({ directory, tables }: DeletionParts, id: string): Promise<void> {
  const { warehouse } = tables();
  await directory.store.change(id, removeOrganisation);
  try {
    await warehouse.remove(id);
    // A change that waited for its turn meanwhile finds no organisation, and may have made empty tables to find that out.
    if (warehouse.holds(id)) await warehouse.remove(id);
  } catch (error) {
    throw error instanceof Refusal ? tablesLeft(id, error) : error;
  }
}

/** The organisation has no name any more by which the command could be said again. */
const tablesLeft = (id: string, error: Refusal): Refusal =>
  new Refusal(
    error.reason,
    `${error.message} The organisation is deleted, but not yet its tables: remove them later with \`${ownCommand} org delete ${id} --confirm ${id} --no-backup\`.`,
    { ...error.hints, cause: error },
  );

/** The organisations of the demo, whatever has been changed in them since. */
export async function demoOrganisations({ directory, tables }: DeletionParts): Promise<DeletedOrganisation[]> {
  // Where another process keeps the tables, no organisation can be deleted.
  tables();
  return directory.store.read(async (session) => {
    const found: DeletedOrganisation[] = [];
    for (const id of await organisationsOf(session, demoSource)) {
      found.push({ id, name: (await findOrganisation(session, id))?.name ?? id });
    }
    return found;
  });
}

/** Deletes the organisations of the demo. */
export async function removeDemo(parts: DeletionParts): Promise<DeletedOrganisation[]> {
  const organisations = await demoOrganisations(parts);
  for (const { id } of organisations) await deleteOrganisation(parts, id);
  return organisations;
}
