import type { PersonRecord } from '../catalogue/directory-records.ts';
import { didYouMean } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { audit } from '../store/audit.ts';
import { listPeople, mergedWith, ownersOfKeys, type PersonRow } from '../store/people-rows.ts';
import { putRows } from '../store/put-rows.ts';
import { givenEmails } from '../store/source-tables.ts';
import type { OrganisationWriting, Reading } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';
import type { ChangeContext, Directory } from './directory.ts';
import { PeopleDraft } from './people-draft.ts';

/** The person that an identifier, an email address or a login means. */
interface FoundPerson {
  /** The person after all merges. */
  readonly effective: PersonRow;
  /** The person to whom the identifier belonged before any merge. */
  readonly own: PersonRow;
}

export async function findPerson(session: Reading, organisationId: string, who: string): Promise<FoundPerson> {
  const owners = (await ownersOfKeys(session, organisationId, [keyOf(who)])).map(({ person_id }) => person_id);
  const rows = await mergedWith(session, organisationId, [who.trim(), ...owners]);
  const candidates = [...new Set([...rows.filter(({ id }) => id === who.trim()).map(({ id }) => id), ...owners])];
  const found = candidates.flatMap((id) => {
    const own = rows.find((row) => row.id === id);
    const effective = rows.find((row) => row.id === own?.effective_id);
    return own && effective ? [{ own, effective }] : [];
  });
  const [only] = found;
  if (!only) {
    const names = (await listPeople(session, organisationId)).flatMap(({ main_email }) => main_email ?? []);
    throw new Refusal(
      'not-found',
      `No one is known as '${who}'.${didYouMean(who, names) || ' `plumb person list` lists everyone.'}`,
    );
  }
  if (new Set(found.map(({ effective }) => effective.id)).size > 1) {
    const ids = found.map(({ effective }) => `${effective.name} (${effective.id})`).join(', ');
    throw new Refusal('bad-input', `'${who}' means more than one person: ${ids}. Use an identifier.`);
  }
  return only;
}

/**
 * The addresses of a change that somebody vouches for: all that it names; those that the person did not have before,
 * where a form also sends the others back; or none, where they came with records.
 */
type GivenAddresses = 'named' | 'new' | 'none';

/**
 * Addresses that somebody gave a person by hand, unlike those that came with records: only these and the main one tell
 * who signs in through an OpenID provider.
 */
async function noteGivenEmails(
  session: OrganisationWriting,
  personId: string,
  keys: readonly string[],
  at: Date,
): Promise<void> {
  if (keys.length === 0) return;
  const theirs = await session.rows<{ readonly key: string; readonly person_id: string }>(
    `SELECT i.key, i.person_id FROM identities i
     JOIN people p ON p.organisation_id = i.organisation_id AND p.id = i.person_id
     WHERE i.organisation_id = $1 AND i.kind = 'email' AND p.effective_id = $2
       AND i.key IN (SELECT unnest($3::text[]))`,
    [session.organisationId, personId, keys],
  );
  const organisation_id = session.organisationId;
  await putRows(
    session,
    givenEmails,
    theirs.map((identity) => ({ organisation_id, ...identity, given_at: at })),
  );
}

const addressesIn = ({ main_email, emails }: PersonRecord): string[] =>
  [main_email, ...(emails ?? [])].flatMap((email) => (email == null ? [] : keyOf(email)));

/** The addresses of a person and of everyone merged into them. */
async function addressesOf(session: Reading, organisationId: string, personId: string): Promise<Set<string>> {
  const rows = await session.rows<{ readonly key: string }>(
    `SELECT i.key FROM identities i
     JOIN people p ON p.organisation_id = i.organisation_id AND p.id = i.person_id
     WHERE i.organisation_id = $1 AND i.kind = 'email' AND p.effective_id = $2`,
    [organisationId, personId],
  );
  return new Set(rows.map(({ key }) => key));
}

/**
 * Changes one person; makes them only when asked to, so that a mistyped address does not become a new colleague. Somebody
 * who is said to be new must not be known.
 */
export async function setPerson(
  directory: Directory,
  context: ChangeContext,
  who: string,
  record: PersonRecord,
  options: { readonly create?: boolean; readonly isNew?: boolean; readonly given?: GivenAddresses } = {},
): Promise<PersonRow> {
  const { create = false, isNew = false, given = 'named' } = options;
  const id = await directory.store.change(context.organisationId, async (session) => {
    const at = directory.now();
    const named = await findPerson(session, context.organisationId, who).catch((error) => {
      if ((create || isNew) && error instanceof Refusal && error.reason === 'not-found') return undefined;
      throw error;
    });
    if (named && isNew) throw knownAlready(named, who);
    const target: PersonRecord = named
      ? { ...record, merged_user_id: named.effective.id }
      : { ...record, main_email: record.main_email ?? who };
    const before =
      named && given === 'new'
        ? await addressesOf(session, context.organisationId, named.effective.id)
        : new Set<string>();
    const draft = await PeopleDraft.load(session, at, [target]);
    const problem = draft.apply(target);
    if (problem) throw new Refusal('bad-input', `${who}: ${problem}.`);
    const actions = await draft.save();
    const changed = actions.find(({ action }) => action === 'person.update');
    if (isNew && changed) throw knownAlready(await findPerson(session, context.organisationId, changed.subject), who);
    await audit(session, context.actor, at, actions);
    const { effective } = await findPerson(
      session,
      context.organisationId,
      named?.effective.id ?? target.main_email ?? who,
    );
    const vouched = given === 'none' ? [] : addressesIn(target).filter((key) => !before.has(key));
    await noteGivenEmails(session, effective.id, vouched, at);
    return effective.id;
  });
  // Whether earlier records call them a bot is known only after the change.
  const { effective } = await directory.store.read((session) => findPerson(session, context.organisationId, id));
  return effective;
}

/** The refusal holds for any address, login or id by which somebody is known. */
const knownAlready = ({ effective: { name, id } }: Awaited<ReturnType<typeof findPerson>>, who: string): Refusal =>
  new Refusal('conflict', `'${who}' is ${name} (${id}) already: \`plumb person set\` changes them.`);

/** Removes a person with everyone merged into them. Keys they made stop working; what they did stays, under no name. */
export function removePerson(directory: Directory, context: ChangeContext, who: string): Promise<PersonRow> {
  return directory.store.change(context.organisationId, async (session) => {
    const at = directory.now();
    const { effective } = await findPerson(session, context.organisationId, who);
    const group = await mergedWith(session, context.organisationId, [effective.id]);
    // The survivor last: without the others, nobody is left to be released.
    const ids = [...group.map(({ id }) => id).filter((id) => id !== effective.id), effective.id];
    const records = ids.map((merged_user_id): PersonRecord => ({ merged_user_id, _deleted: true }));
    const draft = await PeopleDraft.load(session, at, records);
    for (const record of records) {
      const problem = draft.apply(record);
      if (problem) throw new Refusal('conflict', `${effective.name} ${problem}.`);
    }
    await audit(session, context.actor, at, await draft.save());
    return effective;
  });
}
