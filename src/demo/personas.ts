import type { Blueprint, CastMember, Office } from './blueprint.ts';
import { type DrawnName, drawName } from './names/cultures.ts';
import type { Seat } from './seats.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Who sits in a seat, and where. */
export interface Persona {
  readonly name: DrawnName;
  readonly office: Office;
}

export function drawPersonas(
  blueprint: Blueprint,
  seats: readonly Seat[],
  random: SeededRandom,
): ReadonlyMap<Seat, Persona> {
  const personas = new Map<Seat, Persona>();
  const taken = new Set<string>();
  const seated = (seat: Seat, persona: Persona) => {
    personas.set(seat, persona);
    taken.add(persona.name.written);
  };

  for (const seat of seats) {
    if (seat.standing === 'top') seated(seat, castPersona(blueprint, blueprint.owner));
  }
  const members = seats.filter(({ standing, codes }) => standing === 'member' && codes);
  blueprint.cast.forEach((castMember, index) => {
    const seat = members[index];
    if (seat) seated(seat, castPersona(blueprint, castMember));
  });

  const homes = new Map<string, Office>();
  for (const seat of seats) {
    if (personas.has(seat)) continue;
    const office = officeOf(blueprint, seat, homes, random);
    seated(seat, { office, name: drawName(random, random.pick(office.cultures), taken) });
  }

  // Someone came from outside and was employed later: two entries in the directory, one person to be merged by hand.
  const employed = members.at(-1);
  const cameFromOutside = seats.find(({ standing }) => standing === 'outsider');
  const persona = employed && personas.get(employed);
  if (persona && cameFromOutside) personas.set(cameFromOutside, persona);
  return personas;
}

function castPersona({ offices }: Blueprint, { written, given, family, place }: CastMember): Persona {
  const office = offices.find((candidate) => candidate.place === place);
  if (!office) throw new Error(`${written} works in ${place}, where there is no office`);
  return { name: { written, given, family }, office };
}

/** Most of a team sits together. */
function officeOf({ offices }: Blueprint, { teams }: Seat, homes: Map<string, Office>, random: SeededRandom): Office {
  const drawn = random.pickWeighted(offices, ({ weight }) => weight);
  const [team] = teams;
  if (team === undefined) return drawn;
  const home = homes.get(team);
  if (!home) homes.set(team, drawn);
  return home && random.chance(0.7) ? home : drawn;
}
