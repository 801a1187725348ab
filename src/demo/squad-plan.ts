import type { Blueprint } from './blueprint.ts';
import type { Seat } from './seats.ts';
import type { SeededRandom } from './seeded-random.ts';
import { unitNames } from './unit-names.ts';

export interface Squad {
  readonly name: string;
  readonly level: number;
  readonly parent: string | undefined;
  readonly lead: Seat;
}

export interface SquadPlan {
  readonly squads: readonly Squad[];
  readonly squadsOf: ReadonlyMap<Seat, readonly string[]>;
}

const peoplePerSquad = 10;
const squadsPerParent = 3;

/**
 * Squads lie across the teams. Those at the top are led by directors, or by the top itself where there are none; those
 * below by people who have no other say, which is what makes them Squad Leads.
 */
export function planSquads(blueprint: Blueprint, seats: readonly Seat[], random: SeededRandom): SquadPlan {
  const { top, levels, names } = blueprint.squads;
  const members = seats.filter(({ standing }) => standing === 'member');
  const crews = Math.max(2, Math.round(members.length / peoplePerSquad));
  const parents = levels === 3 ? Math.ceil(crews / squadsPerParent) : 0;
  const called = unitNames(names, crews + parents);
  const leads = random.sample(
    members.filter(({ codes }) => codes),
    called.length,
  );

  const heads = seats.filter(({ standing }) => standing === 'director');
  if (heads.length === 0) heads.push(...seats.filter(({ standing }) => standing === 'top'));
  const above = top.map((name, index): Squad => ({ name, level: 1, parent: undefined, lead: itemAt(heads, index) }));
  const parentNames = called.slice(0, parents);
  const crewNames = called.slice(parents);
  const below = called.map((name, index): Squad => {
    const underTop = parents === 0 || index < parents;
    return {
      name,
      level: underTop ? 2 : 3,
      parent: itemAt(underTop ? top : parentNames, index),
      lead: itemAt(leads, index),
    };
  });
  const squadsOf = new Map<Seat, string[]>();
  for (const { lead, name } of below) squadsOf.set(lead, [...(squadsOf.get(lead) ?? []), name]);
  for (const seat of members) {
    if (squadsOf.has(seat) || !random.chance(0.85)) continue;
    const second = random.chance(0.05) ? [random.pick(crewNames)] : [];
    squadsOf.set(seat, [...new Set([random.pick(crewNames), ...second])]);
  }
  return { squads: [...above, ...below], squadsOf };
}

/** Goes round a list that must have something in it. */
function itemAt<T>(list: readonly T[], index: number): T {
  if (list.length === 0) throw new RangeError('Nobody is there to lead a squad');
  return list[index % list.length] as T;
}
