import { keyOf } from '../name-key.ts';
import { Refusal } from '../refusal.ts';
import { audit } from '../store/audit.ts';
import { countOwners, type IdentityRow, identitiesOf, mergedWith, type PersonRow } from '../store/people.ts';
import { putRows } from '../store/rows.ts';
import { merges, people } from '../store/tables.ts';
import type { ChangeContext, Directory } from './directory.ts';
import { type MergeRow, undoMerge } from './merge-history.ts';
import { counts, onboardingOf, strongest } from './onboarding-state.ts';
import { findPerson } from './people.ts';

/**
 * Makes two people one. Nothing is moved: identities and memberships stay with the one who brought them and are read
 * through `effective_id`, so that everything either of them did is the survivor's, and unmerging gives it all back.
 */
export function mergePeople(
  directory: Directory,
  context: ChangeContext,
  keep: string,
  absorb: string,
): Promise<{ readonly survivor: PersonRow; readonly absorbed: PersonRow }> {
  return directory.store.change(context.organisationId, async (session) => {
    const survivor = (await findPerson(session, context.organisationId, keep)).effective;
    const absorbed = (await findPerson(session, context.organisationId, absorb)).effective;
    if (survivor.id === absorbed.id) {
      throw new Refusal('bad-input', `'${keep}' and '${absorb}' are the same person already.`);
    }
    const owners = await countOwners(session, context.organisationId);
    if (absorbed.access_role === 'Owner' && survivor.access_role !== 'Owner' && owners === 1) {
      throw new Refusal('conflict', `${absorbed.name} is the only Owner. Merge the other way round: keep '${absorb}'.`);
    }
    const onboarding = strongest([onboardingOf(survivor), onboardingOf(absorbed)]);
    const onboarded = counts(onboarding, survivor.is_bot);
    const group = await mergedWith(session, context.organisationId, [survivor.id, absorbed.id]);
    const joined = group.map((row) => ({
      ...row,
      onboarding,
      onboarded,
      effective_id: survivor.id,
      merged_into: row.id === absorbed.id ? survivor.id : row.merged_into,
    }));
    await putRows(session, people, joined);
    await putRows(session, merges, [
      {
        organisation_id: context.organisationId,
        absorbed_id: absorbed.id,
        survivor_id: survivor.id,
        merged_at: directory.now(),
        absorbed_onboarded: absorbed.onboarded,
        survivor_onboarded: survivor.onboarded,
        absorbed_onboarding: onboardingOf(absorbed),
        survivor_onboarding: onboardingOf(survivor),
      },
    ]);
    await audit(session, context.actor, directory.now(), [
      { action: 'person.merge', subject: survivor.id, details: { absorbed: absorbed.id } },
    ]);
    return { survivor, absorbed };
  });
}

/** Undoes the merge that made this person part of another one. */
export function unmergePerson(
  directory: Directory,
  context: ChangeContext,
  who: string,
): Promise<{ readonly survivor: PersonRow; readonly absorbed: PersonRow }> {
  return directory.store.change(context.organisationId, async (session) => {
    const { own, effective } = await findPerson(session, context.organisationId, who);
    const group = await mergedWith(session, context.organisationId, [own.id]);
    const history = await session.rows<MergeRow>(
      'SELECT * FROM merges WHERE organisation_id = $1 AND absorbed_id IN (SELECT unnest($2::text[]))',
      [context.organisationId, group.map(({ id }) => id)],
    );
    const merge = history.find(({ absorbed_id }) => absorbed_id === own.id);
    if (!merge) throw notMerged(own, group);
    const leaving = new Set([own.id, ...absorbedBy(own.id, group)]);
    const { onboarding, remaining } = undoMerge(group, history, merge);
    const addresses = await identitiesOf(session, context.organisationId, [...onboarding.keys()]);
    const separated = group.map((row) => {
      const leaves = leaving.has(row.id);
      const stands = onboarding.get(row.id) ?? onboardingOf(row);
      const theirs = addresses.filter(({ kind, person_id }) => kind === 'email' && leaving.has(person_id) === leaves);
      return {
        ...row,
        merged_into: row.id === own.id ? null : row.merged_into,
        effective_id: leaves ? own.id : row.effective_id,
        onboarding: stands,
        onboarded: counts(stands, (leaves ? own : effective).is_bot),
        main_email: keptAddress(row, theirs),
      };
    });
    await putRows(session, people, separated);
    await putRows(session, merges, remaining);
    await session.run('DELETE FROM merges WHERE organisation_id = $1 AND absorbed_id = $2', [
      context.organisationId,
      own.id,
    ]);
    await audit(session, context.actor, directory.now(), [
      { action: 'person.unmerge', subject: merge.survivor_id, details: { released: own.id } },
    ]);
    const survivor = group.find(({ id }) => id === merge.survivor_id) ?? effective;
    return { survivor, absorbed: own };
  });
}

function notMerged(own: PersonRow, group: readonly PersonRow[]): Refusal {
  const absorbed = absorbedBy(own.id, group);
  const hint = absorbed.length > 0 ? ` People merged into them: ${absorbed.join(', ')}.` : '';
  return new Refusal('bad-input', `${own.name} was not merged into anybody.${hint} Name the one who was absorbed.`);
}

/** The primary address goes to the person who owns it: one that came with the other person is given back with them. */
function keptAddress({ id, main_email }: PersonRow, theirs: readonly IdentityRow[]): string | null {
  if (main_email === null || theirs.some(({ key }) => key === keyOf(main_email))) return main_email;
  return theirs.find(({ person_id }) => person_id === id)?.value ?? null;
}

/** Everyone merged into a person, at any depth. */
function absorbedBy(id: string, group: readonly PersonRow[]): string[] {
  const direct = group.filter(({ merged_into }) => merged_into === id).map((row) => row.id);
  return direct.flatMap((one) => [one, ...absorbedBy(one, group)]);
}
