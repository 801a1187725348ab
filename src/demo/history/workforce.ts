import { addToList, listsByKey } from '../../lists-by-key.ts';
import type { DemoOptions, DemoOrganisation } from '../demo-organisations.ts';
import type { OrganisationProfile } from '../organisation-profile.ts';
import { SeededRandom } from '../seeded-random.ts';
import { type CodeBase, planCodeBases } from './code-bases.ts';
import { type Contributor, planContributors } from './contributors.ts';
import { RecordBatcher } from './record-batcher.ts';
import { lastAtMost, WorkingCalendar } from './working-calendar.ts';

const daysSinceReorganisation = 38 * 7;

/** The people and the code of an organisation, and who works on what and with whom. */
class Workforce {
  readonly contributors: readonly Contributor[];
  readonly assistantUsers: readonly Contributor[];
  readonly bots: readonly Contributor[];
  /** The pull requests of the team wait three times as long for everything that people do. */
  readonly slowTeam: string;
  /** From a Monday on, the people of one team work in the repositories of another. */
  readonly reorganisation: { readonly team: string; readonly into: string; readonly day: number };
  readonly #random: SeededRandom;
  readonly #codeOf: Map<string, CodeBase[]>;
  #week = -1;
  /** The people who write code in the current week, the running sum of their weights, and the people of each team. */
  #coders: readonly Contributor[] = [];
  #sums: number[] = [];
  #mates = new Map<string, Contributor[]>();

  readonly isSlow = (person: Contributor | undefined): boolean => person?.teams[0] === this.slowTeam;

  constructor(
    everybody: readonly Contributor[],
    readonly codeBases: readonly CodeBase[],
    calendar: WorkingCalendar,
    random: SeededRandom,
  ) {
    this.contributors = everybody.filter(({ isBot }) => !isBot);
    this.assistantUsers = this.contributors.filter(({ assistant }) => assistant);
    this.bots = everybody.filter(({ isBot }) => isBot);
    this.#random = random;
    this.#codeOf = listsByKey(codeBases, ({ team = '' }) => team);
    // A team that hardly writes anything would show nothing, so both stories are about teams of the busier half.
    const output = new Map<string, number>();
    for (const { teams, weight, isOnboarded, joinedDay } of this.contributors) {
      const [home = ''] = isOnboarded ? teams : [];
      const worked = weight * Math.min(1, 1 - joinedDay / calendar.days);
      if (home !== '' && this.#codeOf.has(home)) output.set(home, (output.get(home) ?? 0) + worked);
    }
    const busiest = [...output].toSorted(([, a], [, b]) => b - a).map(([team]) => team);
    const busier = busiest.slice(0, Math.max(3, Math.ceil(busiest.length / 2)));
    const [slowTeam = '', team = '', into = ''] = random.sample(busier, 3);
    const day = calendar.days - daysSinceReorganisation;
    this.slowTeam = slowTeam;
    this.reorganisation = { team, into, day: day - calendar.weekdayOf(day) };
  }

  pickAuthor(day: number): Contributor {
    this.#turnTo(day);
    const place = lastAtMost(this.#sums, this.#random.next() * (this.#sums.at(-1) ?? 0)) + 1;
    return this.#coders[place] ?? this.#random.pick(this.#coders);
  }

  /** Mostly what their team owns, often what everybody knows, now and then something of others. */
  pickCodeBase({ teams: [home = '', second = home] }: Contributor, day: number): CodeBase {
    const { team, into, day: since } = this.reorganisation;
    const place = this.#random.chance(0.3) ? second : home;
    const own = this.#codeOf.get(place === team && day >= since ? into : place);
    const chance = this.#random.next();
    if (chance >= 0.95) return this.#random.pick(this.codeBases);
    return this.#random.pickWeighted((chance < 0.68 && own) || (this.#codeOf.get('') ?? []), ({ weight }) => weight);
  }

  pickReviewer(author: Contributor, day: number): Contributor | undefined {
    this.#turnTo(day);
    const mates = this.#mates.get(author.teams[0] ?? '') ?? [];
    const candidates = mates.length > 1 && this.#random.chance(0.8) ? mates : this.#coders;
    const [first, second] = [this.#random.pick(candidates), this.#random.pick(candidates)];
    return first !== author ? first : second !== author ? second : undefined;
  }

  pickKeeper({ team = '' }: CodeBase, day: number): Contributor {
    this.#turnTo(day);
    const mates = this.#mates.get(team);
    return mates ? this.#random.pick(mates) : this.pickAuthor(day);
  }

  /** The bot that builds, the last one, raises dependencies only where no other does. */
  pickBot(host: string): Contributor | undefined {
    const there = this.bots.filter(({ logins }) => host in logins);
    return there.length > 1 ? this.#random.pick(there.filter((bot) => bot !== this.bots.at(-1))) : there[0];
  }

  #turnTo(day: number): void {
    if (Math.floor(day / 7) === this.#week) return;
    this.#week = Math.floor(day / 7);
    this.#coders = this.contributors.filter((person) => person.weight > 0 && isThere(person, day));
    this.#sums = [];
    for (const { weight } of this.#coders) this.#sums.push((this.#sums.at(-1) ?? 0) + weight);
    this.#mates = new Map();
    for (const coder of this.#coders) for (const team of coder.teams) addToList(this.#mates, team, coder);
  }
}

export const isThere = ({ joinedDay, leftDay }: Contributor, day: number): boolean => joinedDay <= day && day < leftDay;

/** The world that every generator of records reads, and to which it adds them. */
export class DemoWorld extends RecordBatcher {
  readonly profile: OrganisationProfile;
  readonly random: SeededRandom;
  readonly calendar: WorkingCalendar;
  readonly workforce: Workforce;
  readonly scale: number;
  readonly #numbers = new Map<string, number>();
  /** The moment, or null when the history ends before it. */
  readonly orNull = (at: number | null): number | null => (at !== null && at < this.calendar.endAt ? at : null);

  constructor(organisation: DemoOrganisation, { seed, scale, until }: DemoOptions & { readonly until: string }) {
    super();
    this.profile = organisation.profile;
    this.scale = scale;
    this.random = new SeededRandom(`${seed}/${organisation.slug}/history`);
    this.calendar = new WorkingCalendar(this.profile, until);
    const codeBases = planCodeBases(organisation, this.calendar, this.random);
    const contributors = planContributors(organisation, this.calendar, this.random);
    this.workforce = new Workforce(contributors, codeBases, this.calendar, this.random);
  }

  /** The next number of a kind, in a sequence that begins after `before`. */
  nextNumber(kind: string, before: number): number {
    const number = (this.#numbers.get(kind) ?? before) + 1;
    this.#numbers.set(kind, number);
    return number;
  }
}
