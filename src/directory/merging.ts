import { Refusal } from '../refusal.ts';
import { merges, people, type StoreRowOf } from '../store/all-store-tables.ts';
import { audit } from '../store/audit.ts';
import { countOwners, type IdentityRow, identitiesOf, mergedWith, type PersonRow } from '../store/people-rows.ts';
import { putRows } from '../store/put-rows.ts';
import { keyOf } from '../text-comparison.ts';
import type { ChangeContext, Directory } from './directory.ts';
import { findPerson } from './people.ts';
import { counts, type Onboarding, onboardingOf, strongest } from './person-state.ts';

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
  return new Refusal('bad-input', `${own.name} was not merged into anyone.${hint} Name the one who was absorbed.`);
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

type MergeRow = StoreRowOf<typeof merges>;

/** How everybody stands after one of several merges is undone, and what the others would have recorded without it. */
interface Undone {
  readonly onboarding: ReadonlyMap<string, Onboarding>;
  readonly remaining: readonly MergeRow[];
}

/**
 * Undoes one merge among all those that made a group of people one person. What everybody was by themselves follows
 * from what each merge found; where a merge found something else than the ones before it had left, somebody was
 * onboarded or offboarded in between, which was meant for everyone who was one person by then.
 */
function undoMerge(group: readonly PersonRow[], history: readonly MergeRow[], undone: MergeRow): Undone {
  const inOrder = ordered(history);
  const own = new Map<string, Onboarding>();
  const parties = new Parties();
  const found = (id: string, onboarding: Onboarding) => {
    const members = parties.of(id);
    if (members.some((one) => !own.has(one)) || together(members, own) !== onboarding) {
      for (const one of members) own.set(one, onboarding);
    }
  };
  for (const merge of inOrder) {
    const { survivor_onboarding, survivor_onboarded, absorbed_onboarding, absorbed_onboarded } = merge;
    found(merge.survivor_id, onboardingOf({ onboarding: survivor_onboarding, onboarded: survivor_onboarded }));
    found(merge.absorbed_id, onboardingOf({ onboarding: absorbed_onboarding, onboarded: absorbed_onboarded }));
    parties.join(merge);
  }
  for (const row of group) found(row.id, onboardingOf(row));
  return replay(
    group,
    inOrder.filter((merge) => merge !== undone),
    own,
  );
}

function replay(
  group: readonly PersonRow[],
  merges: readonly MergeRow[],
  own: ReadonlyMap<string, Onboarding>,
): Undone {
  const parties = new Parties();
  const remaining = merges.map((merge) => {
    const survivor_onboarding = together(parties.of(merge.survivor_id), own);
    const absorbed_onboarding = together(parties.of(merge.absorbed_id), own);
    parties.join(merge);
    return {
      ...merge,
      survivor_onboarding,
      absorbed_onboarding,
      survivor_onboarded: counts(survivor_onboarding, false),
      absorbed_onboarded: counts(absorbed_onboarding, false),
    };
  });
  const onboarding = new Map(group.map(({ id }) => [id, together(parties.of(id), own)]));
  return { onboarding, remaining };
}

/** The people who are one person at some point of the history. */
class Parties {
  readonly #members = new Map<string, string[]>();

  of(id: string): string[] {
    return this.#members.get(id) ?? [id];
  }

  join({ survivor_id, absorbed_id }: MergeRow): void {
    const joined = [...this.of(survivor_id), ...this.of(absorbed_id)];
    for (const id of joined) this.#members.set(id, joined);
  }
}

const together = (ids: readonly string[], own: ReadonlyMap<string, Onboarding>): Onboarding =>
  strongest(ids.flatMap((id) => own.get(id) ?? []));

/**
 * As they happened. Within one instant, nobody is merged away before others are merged into them, and nobody is
 * onboarded by a merge before those that found them not onboarded.
 */
function ordered(history: readonly MergeRow[]): MergeRow[] {
  const outOf = new Map(history.map((merge) => [merge.absorbed_id, merge]));
  const depth = (merge: MergeRow): number => {
    const next = outOf.get(merge.survivor_id);
    return next ? depth(next) + 1 : 0;
  };
  return history.toSorted(
    (a, b) =>
      a.merged_at.getTime() - b.merged_at.getTime() ||
      depth(b) - depth(a) ||
      Number(a.survivor_onboarded) - Number(b.survivor_onboarded) ||
      Number(a.absorbed_onboarded) - Number(b.absorbed_onboarded),
  );
}
