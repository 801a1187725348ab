import { models } from './coding-sessions.ts';
import { isThere } from './workforce.ts';
import type { World } from './world.ts';

/**
 * At scale 1 there are some ten pull requests for each person in two years. Days with an assistant keep to that measure
 * and grow with it, until they are nearly all days on which somebody works.
 */
const densityAtOne = 0.2;
const densityMost = 0.9;
const growthExponent = 0.59;

/** Writes what people did with their assistants on a day. Stops after every person. */
export function* writeCopilotDay(world: World, day: number): Generator<void> {
  const { random, calendar, workforce, scale } = world;
  const density = Math.min(densityMost, densityAtOne * scale ** growthExponent);
  const chance = density * (calendar.isWorkingDay(day) ? Math.min(1, calendar.weightOf(day)) : 0.03);
  for (const person of workforce.contributors) {
    const { assistant } = person;
    if (!assistant || day < assistant.day || !isThere(person, day) || !random.chance(chance)) continue;
    const { tool } = assistant;
    const [isAgent, isCursor] = [tool === 'claude-code', tool === 'cursor'];
    // A seat that was paid for and not used that day.
    const isIdle = random.chance(0.07);
    const drawn = (median: number) => (isIdle ? 0 : Math.round(random.skewed(median, 0.9)));
    const requests = (applies: boolean, most: number) => (applies && !isIdle ? random.integer(1, most) : 0);
    const [added, suggested, tokens] = [drawn(95), drawn(130), drawn(isAgent ? 900_000 : 120_000)];
    const accepted = Math.floor(suggested * random.between(0.18, 0.45));
    world.add('ai_copilot', {
      source: tool,
      date: calendar.dateOf(day),
      // Assistants know people by their address: the logins they have are of other systems.
      person_email: person.emails[0] ?? null,
      is_active: isIdle ? false : random.chance(0.5) ? true : null,
      suggested_lines: suggested,
      accepted_lines: accepted,
      lines_added: added,
      lines_deleted: Math.floor(added * random.between(0.1, 0.6)),
      ai_lines: Math.min(added, Math.floor(accepted * random.between(0.8, 1.2))),
      accepts: Math.ceil(accepted / 4),
      rejects: Math.ceil((suggested - accepted) / 4),
      chat_requests: requests(!isAgent, 14),
      composer_requests: requests(isCursor, 9),
      agent_requests: requests(isAgent, 25),
      cmd_k_usages: requests(isCursor, 12),
      tokens,
      cost_usd: tool === 'github-copilot' ? null : Math.round(tokens * 0.0004) / 100,
      model: isIdle ? null : random.pick(models[tool] ?? []),
      language: isIdle ? null : random.pick(workforce.codeBases).tree.language,
    });
    yield;
  }
}
