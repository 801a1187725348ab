import type { CodeHost } from '../blueprint.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { runUrl } from './addresses.ts';
import { isoText, isoTextOrNull } from './clock-text.ts';
import type { CodeBase } from './code-bases.ts';
import type { Account } from './contributors.ts';
import { drawSkewed, minute } from './delays.ts';
import type { Commit, PullRequest } from './pull-request.ts';
import type { Weaver } from './weaver.ts';

/** A run of any workflow, as far as its kind decides it. */
export interface Run {
  readonly workflow: string;
  readonly branch: string;
  readonly event: string;
  readonly at: number;
  readonly sha: string;
  readonly by: Account | undefined;
  readonly environment: string | null;
  readonly prIds: readonly string[];
  readonly conclusion: string;
  readonly seconds: number;
}

const checkNames: Readonly<Record<CodeHost, string>> = { github: 'CI', gitlab: 'pipeline', bitbucket: 'Pipelines' };

/** Writes runs. There are many more of them than anything else, so of the checks only a sample is told. */
export class RunWriter {
  readonly #weaver: Weaver;
  readonly #random: SeededRandom;
  readonly #endAt: number;
  readonly #counts = new Map<string, number>();
  #serial: number;

  constructor(weaver: Weaver, random: SeededRandom, endAt: number) {
    this.#weaver = weaver;
    this.#random = random;
    this.#endAt = endAt;
    this.#serial = random.integer(7_000_000_000, 7_900_000_000);
  }

  /** The checks of a pull request, and of what it became. */
  writeChecks(pr: PullRequest, commits: readonly Commit[], mergeSha: string | null): void {
    const random = this.#random;
    const { codeBase, author, host, life, change, id } = pr;
    const workflow = checkNames[host];
    const by = author.accounts[host];
    const last = commits.at(-1);
    if (last && random.chance(0.38)) {
      const at = Math.max(life.createdAt, last.authoredAt) + random.integer(3, 40);
      if (at < this.#endAt)
        this.#check(codeBase, host, {
          workflow,
          branch: change.branch,
          event: 'pull_request',
          at,
          sha: last.sha,
          by,
          prIds: [id],
        });
    }
    if (mergeSha !== null && life.mergedAt !== null && random.chance(0.14)) {
      const at = life.mergedAt + random.integer(3, 20);
      if (at < this.#endAt)
        this.#check(codeBase, host, { workflow, branch: change.base, event: 'push', at, sha: mergeSha, by, prIds: [] });
    }
  }

  #check(codeBase: CodeBase, host: CodeHost, run: Omit<Run, 'environment' | 'conclusion' | 'seconds'>): void {
    const random = this.#random;
    const chance = random.next();
    const conclusion =
      chance < 0.83
        ? 'success'
        : chance < 0.955
          ? 'failure'
          : chance < 0.985
            ? 'cancelled'
            : chance < 0.995
              ? 'timed_out'
              : 'skipped';
    const seconds = conclusion === 'timed_out' ? 3_600 : Math.round(drawSkewed(random, 6 * minute, 0.6));
    this.write(codeBase, host, { ...run, environment: null, conclusion, seconds });
  }

  /** Returns the identifier, and when the run was over, or null if it still goes on as the history ends. */
  write(codeBase: CodeBase, host: CodeHost, run: Run): { readonly id: string; readonly finishedAt: number | null } {
    const random = this.#random;
    this.#serial += 1;
    const count = (this.#counts.get(codeBase.repository) ?? 0) + 1;
    this.#counts.set(codeBase.repository, count);
    const startedAt = run.at + random.integer(2, 45);
    const finishedAt = startedAt + run.seconds;
    const isOver = finishedAt < this.#endAt;
    const id = `${host}:run/${this.#serial}`;
    const milliseconds = run.seconds * 1_000;
    this.#weaver.add('workflow_runs', {
      workflow_run_id: id,
      workflow_name: run.workflow,
      source: host,
      repository: codeBase.repository,
      branch: run.branch,
      event: run.event,
      run_status: isOver ? 'completed' : 'in_progress',
      run_conclusion: isOver ? run.conclusion : null,
      run_number: count,
      run_attempt: random.chance(0.04) ? 2 : 1,
      run_created_at: isoText(run.at),
      run_started_at: isoText(Math.min(startedAt, this.#endAt - 1)),
      run_updated_at: isoTextOrNull(isOver ? finishedAt : null),
      head_sha: run.sha,
      environment: run.environment,
      associated_pr_ids: run.prIds,
      artifact_bytes: run.conclusion === 'success' ? Math.round(drawSkewed(random, 9_000_000, 0.9)) : null,
      billable_ms:
        codeBase.language.name === 'rust' && random.chance(0.3)
          ? { ubuntu: milliseconds, macos: Math.round(milliseconds * 1.3) }
          : { ubuntu: milliseconds },
      run_url: runUrl(host, codeBase.repository, this.#serial),
      person_login: run.by?.login ?? null,
      person_email: run.by?.email ?? null,
    });
    return { id, finishedAt: isOver ? finishedAt : null };
  }
}
