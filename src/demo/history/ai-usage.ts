import { dayOfNumber, isoText, secondsPerDay } from '../../calendar.ts';
import type { Contributor } from './contributors.ts';
import type { DemoWorld } from './demo-world.ts';
import type { PullRequest } from './pull-request-timeline.ts';
import { phrases } from './wording.ts';
import { isThere } from './workforce.ts';
import { hour, minute } from './working-calendar.ts';
import type { Commit } from './write-pull-request-parts.ts';

const models: Readonly<Record<string, readonly string[]>> = {
  'github-copilot': ['gpt-4o', 'gpt-4.1', 'gpt-5', 'claude-sonnet-4'],
  'claude-code': ['claude-sonnet-4', 'claude-sonnet-4', 'claude-opus-4'],
  cursor: ['claude-sonnet-4', 'claude-sonnet-4', 'gpt-5', 'cursor-small'],
  codex: ['gpt-5-codex'],
};

/** Reports of a day come once it is over everywhere. */
const reportingDelay = 12 * hour;

/** The sessions in which a pull request was made: commits within a few hours of each other come from one. */
export function writeSessions(world: DemoWorld, pr: PullRequest, commits: readonly Commit[]): void {
  const { random } = world;
  let together: Commit[] = [];
  for (const commit of commits) {
    const before = together.at(-1);
    if (before && (together.length === 2 || commit.authoredAt - before.authoredAt > 3 * hour)) {
      writeSession(world, pr, together);
      together = [];
    }
    if (random.chance(0.8)) together.push(commit);
  }
  if (together.length > 0) writeSession(world, pr, together);
  if (random.chance(0.2)) writeSession(world, pr, []);
}

function writeSession(world: DemoWorld, pr: PullRequest, commits: readonly Commit[]): void {
  const { random } = world;
  const { author, codeBase, host, change, timeline, at } = pr;
  const session_id = random.hex(32).replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
  const firstAt = commits[0]?.authoredAt ?? timeline.commitTimes[0] ?? at;
  const startedAt = Math.round(firstAt - Math.max(4 * minute, random.skewed(26 * minute, 0.7)));
  const endedAt = Math.max(startedAt, (commits.at(-1)?.authoredAt ?? firstAt) - random.integer(0, 90));
  const attributed = commits.map(({ additions }) => Math.floor(additions * random.between(0.35, 0.95)));
  const committed_lines = attributed.reduce((sum, lines) => sum + lines, 0);
  const generated_lines = Math.round(committed_lines * random.between(1.05, 1.7)) + (commits.length > 0 ? 3 : 0);
  const [email] = author.emails;
  const tool = world.workforce.agentOf(author, pr.day) ?? 'claude-code';
  const read = Math.round(random.skewed(38_000, 0.8));
  const { person_login } = author.accounts[host];
  world.knownFrom = Math.max(at, endedAt);
  world.give('posthook_sessions', {
    ...{ session_id, repo_name: codeBase.repository, branch: change.head_branch, generated_lines, committed_lines },
    ...(email === undefined ? { person_login, source: host } : { engineer_email: email }),
    agent_slug: tool,
    model_slug: random.pick(models[tool] ?? []),
    started_at: isoText(startedAt),
    ended_at: isoText(endedAt),
    input_tokens: read,
    output_tokens: Math.round(random.skewed(6_000, 0.8)),
    cache_read_tokens: read * random.integer(4, 15),
    cache_creation_tokens: Math.round(read * random.between(0.5, 1.5)),
  });
  writeMessages(world, session_id, startedAt, endedAt);
  const files = commits.length > 0 ? change.files.slice(0, random.integer(1, 3)) : [];
  for (const { path: file_path } of files) {
    world.give('posthook_session_files', {
      session_id,
      file_path,
      generated_lines: Math.floor(generated_lines / files.length),
      committed_lines: Math.floor(committed_lines / files.length),
      edits: random.integer(1, 6),
    });
  }
  for (const [index, { sha, authoredAt }] of commits.entries()) {
    world.give('posthook_session_commits', {
      session_id,
      commit_id: sha,
      committed_at: isoText(authoredAt),
      committed_lines: attributed[index] ?? 0,
      commit_url: pr.commitUrl(sha),
    });
  }
  world.knownFrom = at;
}

function writeMessages(world: DemoWorld, session_id: string, startedAt: number, endedAt: number): void {
  const { random } = world;
  const count = random.integer(1, 2) * 2;
  let at = startedAt;
  for (let message_seq = 1; message_seq <= count; message_seq += 1) {
    const isPrompt = message_seq % 2 === 1;
    world.give('posthook_session_messages', {
      message_id: `${session_id}/${message_seq}`,
      session_id,
      message_seq,
      message_ts: isoText(Math.min(at, endedAt)),
      role: isPrompt ? 'user' : 'assistant',
      source: random.chance(0.8) ? 'transcript' : 'hook',
      message_text: random.pick(isPrompt ? phrases.prompt : phrases.answer),
      tool_calls: isPrompt || random.chance(0.4) ? null : random.integer(1, 14),
    });
    // An agent works for some minutes; then somebody reads, and now and then goes for a coffee first.
    at += isPrompt ? random.integer(25, 280) : random.integer(30, 480);
  }
}

/** Writes what people did with their assistants on a day, and whose seats went without use. */
export function writeAssistantDay(world: DemoWorld, day: number): void {
  const { random, calendar, workforce, scale } = world;
  // Where people have few pull requests, they have few days with an assistant too.
  const density = Math.min(0.8, 0.8 * scale ** 0.4);
  const chance = density * (calendar.isWorkingDay(day) ? Math.min(1, calendar.weightOf(day)) : 0.03);
  world.knownFrom = (day + 1) * secondsPerDay + reportingDelay;
  for (const person of workforce.assistantUsers) {
    const { assistant } = person;
    if (!assistant || day < assistant.day || !isThere(person, day)) continue;
    const agent = workforce.agentOf(person, day);
    if (random.chance(chance)) writePersonDay(world, day, person, assistant.tool);
    if (agent !== undefined && agent !== assistant.tool && random.chance(chance)) {
      writePersonDay(world, day, person, agent);
    }
  }
  world.knownFrom = 0;
}

function writePersonDay(world: DemoWorld, day: number, person: Contributor, tool: string): void {
  const { random, workforce } = world;
  const isAgent = tool === 'claude-code' || tool === 'codex';
  const isCursor = tool === 'cursor';
  const isIdle = person.assistant?.isUnused === true || random.chance(0.07);
  const used = isIdle ? 0 : 1;
  const added = used * Math.round(random.skewed(95, 0.9));
  const suggested = used * Math.round(random.skewed(130, 0.9));
  const tokens = used * Math.round(random.skewed(isAgent ? 900_000 : 120_000, 0.8));
  const accepted = Math.floor(suggested * random.between(0.18, 0.45));
  world.give('ai_copilot', {
    // Assistants know people by their address: the logins they have are of other systems.
    person_email: person.emails[0] ?? null,
    date: dayOfNumber(day),
    source: tool,
    tokens,
    suggested_lines: suggested,
    accepted_lines: accepted,
    lines_added: added,
    is_active: isIdle ? false : random.chance(0.5) ? true : null,
    lines_deleted: Math.floor(added * random.between(0.1, 0.6)),
    ai_lines: Math.min(added, Math.floor(accepted * random.between(0.8, 1.2))),
    accepts: Math.ceil(accepted / 4),
    rejects: Math.ceil((suggested - accepted) / 4),
    chat_requests: isAgent ? 0 : used * random.integer(0, 14),
    composer_requests: isCursor ? used * random.integer(0, 9) : 0,
    agent_requests: isAgent ? used * random.integer(1, 25) : 0,
    cmd_k_usages: isCursor ? used * random.integer(0, 12) : 0,
    cost_usd: tool === 'github-copilot' ? null : Math.round(tokens * 0.0004) / 100,
    model: isIdle ? null : random.pick(models[tool] ?? []),
    language: isIdle ? null : random.pick(workforce.codeBases).tree.language,
  });
}
