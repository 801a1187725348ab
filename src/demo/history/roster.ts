import { firstIndexWhere } from '../../binary-search.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { CodeBase } from './code-bases.ts';
import type { Contributor } from './contributors.ts';
import type { Teamwork } from './teamwork.ts';

/** Who is there in a week, and where they work. */
export interface Roster {
  readonly coders: readonly Contributor[];
  readonly teamMates: ReadonlyMap<string, readonly Contributor[]>;
  /** Running sums of what each of the coders writes: drawing one of thousands takes a dozen steps. */
  readonly reach: Float64Array;
}

/** The people and the code of an organisation, as they find each other. */
export class Workforce {
  readonly contributors: readonly Contributor[];
  readonly bots: readonly Contributor[];
  readonly codeBases: readonly CodeBase[];
  readonly teamwork: Teamwork;
  readonly #codeOf: ReadonlyMap<string, readonly CodeBase[]>;
  readonly #wellKnown: readonly CodeBase[];
  #week = Number.NaN;
  #roster: Roster = { coders: [], teamMates: new Map(), reach: new Float64Array() };

  constructor(contributors: readonly Contributor[], codeBases: readonly CodeBase[], teamwork: Teamwork) {
    this.contributors = contributors.filter(({ isBot }) => !isBot);
    this.bots = contributors.filter(({ isBot }) => isBot);
    this.codeBases = codeBases;
    this.teamwork = teamwork;
    this.#codeOf = grouped(codeBases, ({ team }) => (team === undefined ? [] : [team]));
    this.#wellKnown = codeBases.filter(({ team }) => team === undefined);
  }

  rosterOn(day: number): Roster {
    const week = Math.floor(day / 7);
    if (week !== this.#week) {
      this.#week = week;
      this.#roster = writeRoster(this.contributors.filter((person) => isThere(person, day)));
    }
    return this.#roster;
  }

  pickAuthor(day: number, random: SeededRandom): Contributor {
    const { coders, reach } = this.rosterOn(day);
    const target = random.next() * (reach.at(-1) ?? 0);
    const index = firstIndexWhere(0, coders.length - 1, (i) => (reach[i] ?? 0) > target);
    return coders[index] ?? random.pick(coders);
  }

  /** Mostly what their team owns, often what everybody knows, now and then something of others. */
  pickCodeBase(author: Contributor, day: number, random: SeededRandom): CodeBase {
    const [home = '', second] = author.teams;
    const team = second !== undefined && random.chance(0.3) ? second : home;
    const { reorganisation } = this.teamwork;
    const place = team === reorganisation.team && day >= reorganisation.day ? reorganisation.into : team;
    const own = this.#codeOf.get(place);
    const chance = random.next();
    if (own && chance < 0.68) return pickByPull(own, random);
    return chance < 0.95 || this.#wellKnown.length === 0
      ? pickByPull(this.#wellKnown, random)
      : random.pick(this.codeBases);
  }

  /** Somebody who looks at the work of another: mostly from the same team. */
  pickReviewer(author: Contributor, day: number, random: SeededRandom): Contributor | undefined {
    const { coders, teamMates } = this.rosterOn(day);
    const mates = teamMates.get(author.teams[0] ?? '') ?? [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const candidate =
        mates.length > 1 && random.chance(0.8)
          ? mates[Math.floor(random.next() * mates.length)]
          : coders[Math.floor(random.next() * coders.length)];
      if (candidate && candidate !== author) return candidate;
    }
    return undefined;
  }

  /** Somebody of the team that owns a code base, or anybody where none does. */
  pickKeeper(codeBase: CodeBase, day: number, random: SeededRandom): Contributor {
    const { teamMates } = this.rosterOn(day);
    const mates = teamMates.get(codeBase.team ?? '') ?? [];
    return mates.length > 0 ? random.pick(mates) : this.pickAuthor(day, random);
  }

  isSlow({ teams }: Contributor): boolean {
    return teams[0] === this.teamwork.slowTeam;
  }
}

const isThere = ({ joinedDay, leftDay }: Contributor, day: number): boolean => joinedDay <= day && day < leftDay;

function writeRoster(people: readonly Contributor[]): Roster {
  const coders = people.filter(({ weight }) => weight > 0);
  let sum = 0;
  const reach = Float64Array.from(coders, ({ weight }) => {
    sum += weight;
    return sum;
  });
  return { coders, reach, teamMates: grouped(coders, ({ teams }) => teams) };
}

function grouped<T>(list: readonly T[], keysOf: (item: T) => readonly string[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}

function pickByPull(codeBases: readonly CodeBase[], random: SeededRandom): CodeBase {
  return random.pickWeighted(codeBases, ({ pull }) => pull);
}
