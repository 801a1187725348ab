import type { PersonRow } from '../store/people.ts';
import type { merges, StoreRowOf } from '../store/tables.ts';
import { counts, type Onboarding, onboardingOf, strongest } from './onboarding-state.ts';

export type MergeRow = StoreRowOf<typeof merges>;

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
export function undoMerge(group: readonly PersonRow[], history: readonly MergeRow[], undone: MergeRow): Undone {
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
