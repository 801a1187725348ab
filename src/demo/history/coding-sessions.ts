import { hour, isoText, minute } from './clock-text.ts';
import type { Commit } from './pull-request.ts';
import type { PullRequest } from './pull-request-timeline.ts';
import { phrases } from './wording.ts';
import type { World } from './world.ts';

export const models: Readonly<Record<string, readonly string[]>> = {
  'github-copilot': ['gpt-4o', 'gpt-4.1', 'gpt-5', 'claude-sonnet-4'],
  'claude-code': ['claude-sonnet-4', 'claude-sonnet-4', 'claude-opus-4'],
  cursor: ['claude-sonnet-4', 'claude-sonnet-4', 'gpt-5', 'cursor-small'],
  codex: ['gpt-5-codex'],
};

/** The sessions in which a pull request was made: commits within a few hours of each other come from one. */
export function writeSessions(world: World, pr: PullRequest, commits: readonly Commit[]): void {
  const { random } = world;
  let together: Commit[] = [];
  for (const commit of commits) {
    const before = together.at(-1);
    if (before && (together.length === 2 || commit.authoredAt - before.authoredAt > 3 * hour)) {
      writeSession(world, pr, together);
      together = [];
    }
    // Some commits are made by hand, in between.
    if (random.chance(0.8)) together.push(commit);
  }
  if (together.length > 0) writeSession(world, pr, together);
  // A question about the code, after which nothing was committed.
  if (random.chance(0.2)) writeSession(world, pr, []);
}

function writeSession(world: World, pr: PullRequest, commits: readonly Commit[]): void {
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
  const tool = author.agent?.tool ?? 'claude-code';
  const read = Math.round(random.skewed(38_000, 0.8));
  world.add('posthook_sessions', {
    session_id,
    engineer_email: email ?? null,
    person_login: email === undefined ? author.accounts[host].person_login : null,
    source: email === undefined ? host : null,
    agent_slug: tool,
    model_slug: random.pick(models[tool] ?? []),
    repo_name: codeBase.repository,
    branch: change.head_branch,
    started_at: isoText(startedAt),
    ended_at: isoText(endedAt),
    input_tokens: read,
    output_tokens: Math.round(random.skewed(6_000, 0.8)),
    cache_read_tokens: read * random.integer(4, 15),
    cache_creation_tokens: Math.round(read * random.between(0.5, 1.5)),
    generated_lines,
    committed_lines,
  });
  writeMessages(world, session_id, startedAt, endedAt);
  const files = commits.length > 0 ? change.files.slice(0, random.integer(1, 3)) : [];
  for (const { path } of files) {
    world.add('posthook_session_files', {
      session_id,
      file_path: path,
      generated_lines: Math.floor(generated_lines / files.length),
      committed_lines: Math.floor(committed_lines / files.length),
      edits: random.integer(1, 6),
    });
  }
  for (const [index, { sha, authoredAt }] of commits.entries()) {
    world.add('posthook_session_commits', {
      session_id,
      commit_id: sha,
      committed_at: isoText(authoredAt),
      committed_lines: attributed[index] ?? 0,
      commit_url: pr.commitUrl(sha),
    });
  }
}

function writeMessages(world: World, session_id: string, startedAt: number, endedAt: number): void {
  const { random } = world;
  const count = random.integer(1, 3) * 2;
  let at = startedAt;
  for (let message_seq = 1; message_seq <= count; message_seq += 1) {
    const isPrompt = message_seq % 2 === 1;
    world.add('posthook_session_messages', {
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
