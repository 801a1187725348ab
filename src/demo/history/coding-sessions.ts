import type { SeededRandom } from '../seeded-random.ts';
import { commitUrl } from './addresses.ts';
import { isoText } from './clock-text.ts';
import type { Contributor } from './contributors.ts';
import { drawSkewed, hour, minute } from './delays.ts';
import { drawUuid } from './hashes.ts';
import type { Commit, PullRequest } from './pull-request.ts';
import type { Weaver } from './weaver.ts';
import { drawAnswer, drawPrompt } from './wording.ts';

/** The share of their pull requests that those who have a coding agent make with it. */
const habit = 0.62;

const models: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['claude-sonnet-4', 'claude-sonnet-4', 'claude-opus-4'],
  cursor: ['claude-sonnet-4', 'gpt-5', 'cursor-small'],
  codex: ['gpt-5-codex'],
};

/** Whether somebody makes the next pull request with a coding agent. */
export const isAided = ({ agent }: Contributor, day: number, random: SeededRandom): boolean =>
  agent !== undefined && day >= agent.day && random.chance(habit);

/** Writes the sessions of coding agents, with the commits they went into. */
export class SessionWriter {
  readonly #weaver: Weaver;
  readonly #random: SeededRandom;

  constructor(weaver: Weaver, random: SeededRandom) {
    this.#weaver = weaver;
    this.#random = random;
  }

  /** The sessions in which a pull request was made: commits within a few hours of each other come from one. */
  write(pr: PullRequest, commits: readonly Commit[]): void {
    let together: Commit[] = [];
    for (const commit of commits) {
      const before = together.at(-1);
      if (before && (together.length === 2 || commit.authoredAt - before.authoredAt > 3 * hour)) {
        this.#session(pr, together);
        together = [];
      }
      // Some commits are made by hand, in between.
      if (this.#random.chance(0.8)) together.push(commit);
    }
    if (together.length > 0) this.#session(pr, together);
    // A question about the code, of which nothing was kept.
    if (this.#random.chance(0.2)) this.#session(pr, []);
  }

  #session(pr: PullRequest, commits: readonly Commit[]): void {
    const random = this.#random;
    const { author, codeBase, host, change, life } = pr;
    const session = drawUuid(random);
    const firstAt = commits[0]?.authoredAt ?? life.commitTimes[0] ?? life.createdAt;
    const startedAt = Math.round(firstAt - Math.max(4 * minute, drawSkewed(random, 26 * minute, 0.7)));
    const endedAt = (commits.at(-1)?.authoredAt ?? firstAt) - random.integer(0, 90);
    const tool = author.agent?.tool ?? 'claude-code';
    const attributed = commits.map(({ additions }) => Math.floor(additions * random.between(0.35, 0.95)));
    const committed = attributed.reduce((sum, lines) => sum + lines, 0);
    const generated = Math.round(committed * random.between(1.05, 1.7)) + (commits.length > 0 ? 3 : 0);
    const [email] = author.emails;
    const read = Math.round(drawSkewed(random, 38_000, 0.8));
    this.#weaver.add('posthook_sessions', {
      session_id: session,
      engineer_email: email ?? null,
      person_login: email === undefined ? author.accounts[host].login : null,
      source: email === undefined ? host : null,
      agent_slug: tool,
      model_slug: random.pick(models[tool] ?? ['unknown']),
      repo_name: codeBase.repository,
      branch: change.branch,
      started_at: isoText(startedAt),
      ended_at: isoText(Math.max(startedAt, endedAt)),
      input_tokens: read,
      output_tokens: Math.round(drawSkewed(random, 6_000, 0.8)),
      cache_read_tokens: read * random.integer(4, 15),
      cache_creation_tokens: Math.round(read * random.between(0.5, 1.5)),
      generated_lines: generated,
      committed_lines: committed,
    });
    this.#messages(session, startedAt, Math.max(startedAt, endedAt));
    if (commits.length > 0) this.#files(session, change.files.slice(0, random.integer(1, 3)), generated, committed);
    for (const [index, { sha, authoredAt }] of commits.entries()) {
      this.#weaver.add('posthook_session_commits', {
        session_id: session,
        commit_id: sha,
        committed_at: isoText(authoredAt),
        committed_lines: attributed[index] ?? 0,
        commit_url: commitUrl(host, codeBase.repository, sha),
      });
    }
  }

  #messages(session: string, startedAt: number, endedAt: number): void {
    const random = this.#random;
    const count = random.integer(1, 3) * 2;
    let at = startedAt;
    for (let sequence = 1; sequence <= count; sequence += 1) {
      const isPrompt = sequence % 2 === 1;
      this.#weaver.add('posthook_session_messages', {
        message_id: `${session}/${sequence}`,
        session_id: session,
        message_seq: sequence,
        message_ts: isoText(Math.min(at, endedAt)),
        role: isPrompt ? 'user' : 'assistant',
        source: random.chance(0.8) ? 'transcript' : 'hook',
        message_text: isPrompt ? drawPrompt(random) : drawAnswer(random),
        tool_calls: isPrompt || random.chance(0.4) ? null : random.integer(1, 14),
      });
      // An agent works for some minutes; then somebody reads, and now and then goes for a coffee first.
      at += isPrompt ? random.integer(25, 280) : random.integer(30, 480);
    }
  }

  #files(session: string, files: PullRequest['change']['files'], generated: number, committed: number): void {
    const { length } = files;
    for (const { path } of files) {
      this.#weaver.add('posthook_session_files', {
        session_id: session,
        file_path: path,
        generated_lines: Math.floor(generated / length),
        committed_lines: Math.floor(committed / length),
        edits: this.#random.integer(1, 6),
      });
    }
  }
}
