import type { AuditedAction } from '../../store/audit.ts';
import { listPeople, type PersonRow, setOnboarded } from '../../store/people.ts';
import { listedPeople } from '../../store/source-people.ts';
import type { OrganisationWriting } from '../../store/store.ts';

interface Offboarding {
  readonly people: readonly Pick<PersonRow, 'id' | 'name'>[];
  readonly auditedActions: readonly AuditedAction[];
}

/**
 * Offboards people who have just left a code host. A person whom another host still lists, or the same one under
 * another login, has not left. An organisation keeps an Owner who is onboarded, whatever a code host says.
 */
export async function offboardLeavers(
  session: OrganisationWriting,
  personIds: readonly string[],
): Promise<Offboarding> {
  if (personIds.length === 0) return { people: [], auditedActions: [] };
  const leaving = new Set(personIds);
  const listed = await listedPeople(session, session.organisationId);
  const everybody = await listPeople(session, session.organisationId);
  let ownersLeft = everybody.filter((person) => person.onboarded && isOwner(person)).length;
  const people = everybody.filter((person) => {
    if (!person.onboarded || !leaving.has(person.id) || listed.has(person.id)) return false;
    if (!isOwner(person)) return true;
    if (ownersLeft === 1) return false;
    ownersLeft -= 1;
    return true;
  });
  const ids = people.map(({ id }) => id);
  await setOnboarded(session, session.organisationId, ids, false);
  return { people, auditedActions: ids.map((subject) => ({ action: 'person.offboard', subject })) };
}

const isOwner = ({ access_role }: PersonRow): boolean => access_role === 'Owner';
