import type { SeededRandom } from '../seeded-random.ts';
import type { Contributor } from './contributors.ts';
import { drawSkewed } from './delays.ts';
import type { World } from './world.ts';

const models: Readonly<Record<string, readonly string[]>> = {
  'github-copilot': ['gpt-4o', 'gpt-4.1', 'gpt-5', 'claude-sonnet-4'],
  cursor: ['claude-sonnet-4', 'claude-sonnet-4', 'gpt-5', 'cursor-small'],
  'claude-code': ['claude-sonnet-4', 'claude-sonnet-4', 'claude-opus-4'],
};

/**
 * At scale 1 there are some ten pull requests for each person in two years. Days with an assistant keep to that measure
 * and grow with it, until they are nearly all days on which somebody works.
 */
const densityAtOne = 0.2;
const densityMost = 0.9;
const growthExponent = 0.59;

/** Writes what people did with their assistants, day by day. */
export class CopilotWriter {
  readonly #world: World;
  readonly #random: SeededRandom;
  readonly #density: number;
  readonly #users: readonly Contributor[];

  constructor(world: World, random: SeededRandom) {
    this.#world = world;
    this.#random = random;
    this.#density = Math.min(densityMost, densityAtOne * world.scale ** growthExponent);
    this.#users = world.workforce.contributors.filter(({ assistant }) => assistant !== undefined);
  }

  /** The people who used an assistant on a day, one after the other. */
  *write(day: number): Generator<void> {
    const { calendar } = this.#world;
    const isWorking = calendar.isWorkingDay(day);
    const chance = this.#density * (isWorking ? Math.min(1, calendar.weightOf(day)) : 0.03);
    for (const person of this.#users) {
      const { assistant, joinedDay, leftDay } = person;
      if (!assistant || day < assistant.day || day < joinedDay || day >= leftDay) continue;
      if (!this.#random.chance(chance)) continue;
      this.#put(person, assistant.tool, calendar.dateOf(day));
      yield;
    }
  }

  #put(person: Contributor, tool: string, date: string): void {
    const random = this.#random;
    const { workforce, weaver } = this.#world;
    // A seat that was paid for and not used that day.
    const isIdle = random.chance(0.07);
    const added = isIdle ? 0 : Math.round(drawSkewed(random, 95, 0.9));
    const suggested = isIdle ? 0 : Math.round(drawSkewed(random, 130, 0.9));
    const accepted = Math.floor(suggested * random.between(0.18, 0.45));
    const accepts = Math.ceil(accepted / 4);
    const isAgent = tool === 'claude-code';
    const tokens = isIdle ? 0 : Math.round(drawSkewed(random, isAgent ? 900_000 : 120_000, 0.8));
    weaver.add('ai_copilot', {
      source: tool,
      date,
      // Assistants know people by their address: the logins they have are of other systems.
      person_email: person.emails[0] ?? null,
      is_active: isIdle ? false : random.chance(0.5) ? true : null,
      suggested_lines: suggested,
      accepted_lines: accepted,
      lines_added: added,
      lines_deleted: Math.floor(added * random.between(0.1, 0.6)),
      ai_lines: Math.min(added, Math.floor(accepted * random.between(0.8, 1.2))),
      accepts,
      rejects: Math.ceil((suggested - accepted) / 4),
      chat_requests: isIdle || isAgent ? 0 : random.integer(0, 14),
      composer_requests: tool === 'cursor' && !isIdle ? random.integer(0, 9) : 0,
      agent_requests: isAgent && !isIdle ? random.integer(1, 25) : 0,
      cmd_k_usages: tool === 'cursor' && !isIdle ? random.integer(0, 12) : 0,
      tokens,
      cost_usd: tool === 'github-copilot' ? null : Math.round(tokens * 0.0004) / 100,
      model: isIdle ? null : random.pick(models[tool] ?? ['unknown']),
      language: isIdle ? null : random.pick(workforce.codeBases).language.name,
    });
  }
}
