import type { SeededRandom } from '../seeded-random.ts';
import { runUrl } from './addresses.ts';
import { isoText } from './clock-text.ts';
import { type CodeBase, hostOn } from './code-bases.ts';
import { drawSkewed, hour, minute } from './delays.ts';
import type { IncidentWriter } from './incidents.ts';
import type { ChangeContext, Merge } from './merges.ts';
import type { RunWriter } from './runs.ts';
import type { World } from './world.ts';

/** Where a code base stands on its way to production. */
interface Line {
  readonly codeBase: CodeBase;
  /** The latest merge, what is live, and what was live before. */
  latest: Merge;
  liveSha: string | null;
  formerSha: string | null;
  /** When the next deployment starts. Merges until then go with it. */
  dueAt: number | null;
  /** When the last one was over: there is one way to production, and on it one after the other. */
  lastAt: number;
  builds: number;
  /** What goes with it, where a source says so. */
  waiting: string[];
}

const failureShare = 0.045;
const cancelledShare = 0.012;
const incidentShare = 0.03;

/** Brings merges to production where that is seen as runs or as deployments. */
export class Deliveries {
  readonly #world: World;
  readonly #runs: RunWriter;
  readonly #incidents: IncidentWriter;
  readonly #changes: (context: ChangeContext) => void;
  readonly #random: SeededRandom;
  readonly #lines = new Map<CodeBase, Line>();
  readonly #due = new Set<Line>();
  #serial: number;

  constructor(
    world: World,
    writers: { readonly runs: RunWriter; readonly incidents: IncidentWriter },
    changes: (context: ChangeContext) => void,
    random: SeededRandom,
  ) {
    this.#world = world;
    this.#runs = writers.runs;
    this.#incidents = writers.incidents;
    this.#changes = changes;
    this.#random = random;
    this.#serial = random.integer(3_000, 90_000);
  }

  /** A merge into the production branch. They come in the order of time. */
  take(merge: Merge): void {
    const { codeBase, at } = merge;
    if (codeBase.delivery !== 'run' && codeBase.delivery !== 'stated') return;
    const line = this.#lineOf(merge);
    // One that fails is due again, and perhaps still before this merge.
    while (line.dueAt !== null && line.dueAt <= at) this.#deploy(line, line.dueAt);
    // A repair may be told a day late: what was merged after it stays the latest.
    if (at >= line.latest.at) line.latest = merge;
    if (codeBase.namesPullRequests) line.waiting.push(merge.prId);
    if (line.dueAt !== null) return;
    const isUrgent = merge.occasion === 'hotfix' || merge.occasion === 'revert';
    const wait = drawSkewed(this.#random, isUrgent ? 8 * minute : 1.6 * hour, 0.9);
    this.#schedule(line, isUrgent ? Math.round(at + wait) : this.#world.calendar.later(at, wait, 0));
  }

  /** Deploys everything that is due before a moment. */
  settle(until: number): void {
    for (const line of [...this.#due]) {
      while (line.dueAt !== null && line.dueAt < until) this.#deploy(line, line.dueAt);
    }
  }

  #lineOf(merge: Merge): Line {
    const known = this.#lines.get(merge.codeBase);
    if (known) return known;
    const line: Line = {
      codeBase: merge.codeBase,
      latest: merge,
      liveSha: null,
      formerSha: null,
      dueAt: null,
      lastAt: 0,
      builds: this.#random.integer(20, 900),
      waiting: [],
    };
    this.#lines.set(merge.codeBase, line);
    return line;
  }

  #schedule(line: Line, at: number): void {
    line.dueAt = Math.max(at, line.lastAt + minute);
    this.#due.add(line);
  }

  #deploy(line: Line, at: number): void {
    line.dueAt = null;
    this.#due.delete(line);
    const random = this.#random;
    const { endAt } = this.#world.calendar;
    if (at >= endAt) return;
    const chance = random.next();
    const outcome =
      chance < failureShare ? 'failure' : chance < failureShare + cancelledShare ? 'cancelled' : 'success';
    const { sha } = line.latest;
    line.builds += 1;
    if (random.chance(0.3) && line.codeBase.delivery === 'stated') {
      this.#state(line, Math.max(line.latest.at, at - 15 * minute), sha, line.builds, 'success', 'staging');
    }
    const done = this.#write(line, at, sha, line.builds, outcome);
    if (done === null) return;
    line.lastAt = done.at;
    if (outcome !== 'success') {
      this.#schedule(line, Math.round(done.at + drawSkewed(random, 35 * minute, 0.6)));
      return;
    }
    if (sha !== line.liveSha) line.formerSha = line.liveSha;
    line.liveSha = sha;
    line.waiting = [];
    if (random.chance(incidentShare)) this.#suffer(line, done);
  }

  /** An incident follows. Sometimes production goes back to what it was before, sometimes a hotfix is made. */
  #suffer(line: Line, { at, id }: { readonly at: number; readonly id: string | null }): void {
    const random = this.#random;
    const openedAt = this.#incidents.write(line.codeBase, at, id);
    if (openedAt === null) return;
    const backAt = openedAt + random.integer(8, 40) * minute;
    if (line.formerSha !== null && (line.dueAt === null || line.dueAt > backAt) && random.chance(0.3)) {
      const back = this.#write(line, backAt, line.formerSha, line.builds - 1, 'success');
      line.lastAt = back?.at ?? line.lastAt;
      line.liveSha = line.formerSha;
      line.formerSha = null;
      return;
    }
    if (random.chance(0.3)) {
      this.#changes({ occasion: 'hotfix', at: openedAt + random.integer(10, 50) * minute, codeBase: line.codeBase });
    }
  }

  #write(
    line: Line,
    at: number,
    sha: string,
    build: number,
    outcome: string,
  ): { readonly at: number; readonly id: string | null } | null {
    if (at >= this.#world.calendar.endAt) return null;
    if (line.codeBase.delivery === 'stated') return this.#state(line, at, sha, build, outcome, 'production');
    const { codeBase, latest } = line;
    const random = this.#random;
    const host = hostOn(codeBase, this.#world.calendar.dayOf(at));
    const [usual, urgent = usual] = codeBase.workflows;
    const { finishedAt } = this.#runs.write(codeBase, host, {
      workflow: latest.occasion === 'hotfix' ? urgent : usual,
      branch: codeBase.production,
      event: random.chance(0.75) ? 'push' : 'workflow_dispatch',
      at,
      sha,
      by: latest.author.accounts[host],
      environment: random.chance(0.7) ? 'production' : null,
      prIds: [],
      conclusion: outcome,
      seconds: Math.round(drawSkewed(random, 7 * minute, 0.6)),
    });
    return finishedAt === null ? null : { at: finishedAt, id: null };
  }

  #state(
    line: Line,
    at: number,
    sha: string,
    build: number,
    outcome: string,
    environment: string,
  ): { readonly at: number; readonly id: string } | null {
    const random = this.#random;
    const { weaver, calendar } = this.#world;
    const { codeBase, latest } = line;
    const finishedAt = Math.round(at + drawSkewed(random, 7 * minute, 0.6));
    if (finishedAt >= calendar.endAt) return null;
    this.#serial += 1;
    const host = hostOn(codeBase, calendar.dayOf(at));
    const { login, email } = latest.author.accounts[host];
    const id = `${host}:${codeBase.repository}/deployments/${this.#serial}`;
    weaver.add('deployments', {
      deployment_id: id,
      repository: codeBase.repository,
      source: host,
      deployed_at: isoText(finishedAt),
      started_at: isoText(at),
      status: outcome,
      environment,
      workflow_name: codeBase.workflows[0],
      version: `build-${build}`,
      sha,
      deployment_source: codeBase.deploymentSource ?? null,
      run_url: runUrl(host, codeBase.repository, this.#serial),
      ...(codeBase.namesPullRequests && environment === 'production' && { pr_ids: [...line.waiting] }),
      person_login: login,
      person_email: email,
    });
    return { at: finishedAt, id };
  }
}
