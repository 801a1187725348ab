import { addToList, listsByKey } from '../../lists-by-key.ts';
import type { DemoOrganisation } from '../demo-organisations.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { CodeBase } from './code-bases.ts';
import { type Contributor, planContributors } from './contributors.ts';
import { type Reorganisation, type Rollout, storiesOfYear } from './stories.ts';
import { lastAtMost, weekOf } from './working-calendar.ts';

interface WorkforceParts {
  /** For what never changes, and for what happens in one chapter. */
  readonly plan: SeededRandom;
  readonly random: SeededRandom;
  readonly year: number;
  readonly streamOf: (name: string) => SeededRandom;
}

/** The people and the code of an organisation, and who works on what and with whom. */
export class Workforce {
  readonly contributors: readonly Contributor[];
  readonly assistantUsers: readonly Contributor[];
  readonly bots: readonly Contributor[];
  /** The project whose issues nobody looks through. */
  readonly neglectedProject: string;
  /** Of the year before and of this one. */
  readonly reorganisations: readonly Reorganisation[];
  readonly rollouts: readonly Rollout[];
  readonly #random: SeededRandom;
  readonly #codeOf: Map<string, CodeBase[]>;
  #week = -1;
  /** The people who write code in the current week, the running sum of their weights, and the people of each team. */
  #coders: readonly Contributor[] = [];
  #sums: number[] = [];
  #mates = new Map<string, Contributor[]>();

  constructor(
    organisation: DemoOrganisation,
    readonly codeBases: readonly CodeBase[],
    parts: WorkforceParts,
  ) {
    const { plan, random, year, streamOf } = parts;
    const everybody = planContributors(organisation, plan);
    this.contributors = everybody.filter(({ isBot }) => !isBot);
    this.assistantUsers = this.contributors.filter(({ assistant }) => assistant);
    this.bots = everybody.filter(({ isBot }) => isBot);
    this.#random = random;
    this.#codeOf = listsByKey(codeBases, ({ team = '' }) => team);
    const { departments, tools } = organisation.profile;
    this.neglectedProject = (tools.tracker === 'github' ? codeBases[0]?.repository : plan.pick(departments).name) ?? '';
    const busier = this.#busierTeams();
    const stories = [year - 1, year].map((one) => storiesOfYear(one, busier, streamOf(`year ${one}`)));
    this.reorganisations = stories.map(({ reorganisation }) => reorganisation);
    this.rollouts = stories.flatMap(({ rollout }) => rollout ?? []);
  }

  /** The teams that write most: of one that hardly writes anything a story would show nothing. */
  #busierTeams(): string[] {
    const output = new Map<string, number>();
    for (const { teams, weight, isOnboarded } of this.contributors) {
      const [home = ''] = isOnboarded ? teams : [];
      if (home !== '' && this.#codeOf.has(home)) output.set(home, (output.get(home) ?? 0) + weight);
    }
    const busiest = [...output].toSorted(([, a], [, b]) => b - a).map(([team]) => team);
    return busiest.slice(0, Math.max(3, Math.ceil(busiest.length / 2)));
  }

  reorganisationOn(day: number): Reorganisation | undefined {
    return this.reorganisations.findLast((one) => one.day <= day);
  }

  /** Whether what people do for somebody takes three times as long. */
  isSlow(person: Contributor | undefined, day: number): boolean {
    const reorganisation = this.reorganisationOn(day);
    return reorganisation !== undefined && person?.teams[0] === reorganisation.team;
  }

  /** The newest coding agent that somebody has taken up. */
  agentOf({ agentDelay }: Contributor, day: number): string | undefined {
    return this.rollouts.findLast((rollout) => rollout.day + agentDelay <= day)?.tool;
  }

  pickAuthor(day: number): Contributor {
    this.#turnTo(day);
    const place = lastAtMost(this.#sums, this.#random.next() * (this.#sums.at(-1) ?? 0)) + 1;
    return this.#coders[place] ?? this.#random.pick(this.#coders);
  }

  /** Mostly what their team owns, often what everybody knows, now and then something of others. */
  pickCodeBase({ teams: [home = '', second = home] }: Contributor, day: number): CodeBase {
    const reorganisation = this.reorganisationOn(day);
    const place = this.#random.chance(0.3) ? second : home;
    const own = this.#codeOf.get(reorganisation && place === reorganisation.team ? reorganisation.into : place);
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
    if (weekOf(day) === this.#week) return;
    this.#week = weekOf(day);
    this.#coders = this.contributors.filter((person) => person.weight > 0 && isThere(person, day));
    this.#sums = [];
    for (const { weight } of this.#coders) this.#sums.push((this.#sums.at(-1) ?? 0) + weight);
    this.#mates = new Map();
    for (const coder of this.#coders) for (const team of coder.teams) addToList(this.#mates, team, coder);
  }
}

export const isThere = ({ joinedDay, leftDay }: Contributor, day: number): boolean => joinedDay <= day && day < leftDay;
