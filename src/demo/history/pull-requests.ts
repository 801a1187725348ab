import type { CodeHost } from '../blueprint.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { pullRequestUrl } from './addresses.ts';
import {
  type Change,
  drawBump,
  drawHotfix,
  drawOrdinaryChange,
  drawPromotion,
  drawPurpose,
  drawRevert,
} from './changes.ts';
import { isoText, isoTextOrNull } from './clock-text.ts';
import { type CodeBase, hostOn, takeNumber } from './code-bases.ts';
import { isAided, SessionWriter } from './coding-sessions.ts';
import { CommentWriter } from './comments.ts';
import { CommitWriter } from './commits.ts';
import type { Contributor } from './contributors.ts';
import { EventWriter } from './events.ts';
import { drawSha } from './hashes.ts';
import type { IssueWriter } from './issues.ts';
import { LifeDrawer } from './life.ts';
import type { ChangeContext, Merge } from './merges.ts';
import type { Commit, PullRequest } from './pull-request.ts';
import { ReviewWriter } from './reviews.ts';
import type { RunWriter } from './runs.ts';
import type { Ticket, Tracker } from './tracker.ts';
import type { Purpose } from './wording.ts';
import type { World } from './world.ts';

const botShare = 0.09;
const ticketShare = 0.5;
const categories: Readonly<Record<Purpose, string | null>> = {
  feature: 'Feature Work',
  fix: 'Bug Fixes',
  improvement: 'Tech Improvements',
  unsaid: null,
};

/** What decides a pull request before its life is drawn. */
interface Draft {
  readonly at: number;
  readonly day: number;
  readonly author: Contributor;
  readonly codeBase: CodeBase;
  readonly change: Change;
  readonly isAided: boolean;
  readonly ticket?: Ticket;
  readonly carried?: readonly Merge[];
}

/** Opens pull requests and writes all that comes of them, at once: what happens later is already known. */
export class PullRequests {
  readonly #world: World;
  readonly #tracker: Tracker;
  readonly #issues: IssueWriter;
  readonly #runs: RunWriter;
  readonly #random: SeededRandom;
  readonly #lives: LifeDrawer;
  readonly #commits: CommitWriter;
  readonly #reviews: ReviewWriter;
  readonly #comments: CommentWriter;
  readonly #events: EventWriter;
  readonly #sessions: SessionWriter;
  readonly #builder: Contributor | undefined;

  constructor(world: World, tracker: Tracker, writers: { readonly issues: IssueWriter; readonly runs: RunWriter }) {
    const { calendar, workforce, weaver, character, streamOf } = world;
    this.#world = world;
    this.#tracker = tracker;
    this.#issues = writers.issues;
    this.#runs = writers.runs;
    this.#random = streamOf('pull requests');
    this.#lives = new LifeDrawer(calendar, workforce, character.pace, streamOf('lives'));
    this.#commits = new CommitWriter(weaver, streamOf('commits'));
    this.#reviews = new ReviewWriter(weaver, streamOf('reviews'), calendar.endAt, calendar.days);
    // The last of the bots in the directory is the one that builds.
    this.#builder = workforce.bots.at(-1);
    this.#comments = new CommentWriter(weaver, streamOf('comments'), calendar.endAt, this.#builder);
    this.#events = new EventWriter(weaver, streamOf('events'));
    this.#sessions = new SessionWriter(weaver, streamOf('sessions'));
  }

  /** Work that somebody, or a bot, begins of their own accord. Returns what was merged, if it was. */
  openPlanned(day: number, at: number): Merge | undefined {
    const random = this.#random;
    const { workforce, character } = this.#world;
    const author = workforce.pickAuthor(day, random);
    const codeBase = workforce.pickCodeBase(author, day, random);
    if (random.chance(botShare)) {
      const bot = this.#raiserOn(hostOn(codeBase, day));
      if (bot)
        return this.#write({ at, day, author: bot, codeBase, change: drawBump(codeBase, random), isAided: false });
    }
    const withAgent = isAided(author, day, random);
    const ticket = random.chance(ticketShare)
      ? this.#tracker.open(this.#tracker.projectFor(author, codeBase, random))
      : undefined;
    const options = { style: character.titles, purpose: drawPurpose(random), ticket, isAided: withAgent };
    const change = drawOrdinaryChange(codeBase, options, random);
    return this.#write({ at, day, author, codeBase, change, isAided: withAgent, ...(ticket && { ticket }) });
  }

  /** What something else brought about. */
  openChange(day: number, context: ChangeContext): Merge | undefined {
    const random = this.#random;
    const { workforce, calendar } = this.#world;
    const { at } = context;
    switch (context.occasion) {
      case 'revert': {
        const { codeBase, author: culprit } = context.merge;
        const author = culprit.isBot || random.chance(0.4) ? workforce.pickKeeper(codeBase, day, random) : culprit;
        return this.#write({ at, day, author, codeBase, change: drawRevert(context.merge, random), isAided: false });
      }
      case 'hotfix': {
        const { codeBase } = context;
        const author = workforce.pickKeeper(codeBase, day, random);
        return this.#write({ at, day, author, codeBase, change: drawHotfix(codeBase, random), isAided: false });
      }
      case 'promotion': {
        const { codeBase, merges } = context;
        const author = workforce.pickKeeper(codeBase, day, random);
        const change = drawPromotion(codeBase, calendar.dateOf(day), merges, random);
        return this.#write({ at, day, author, codeBase, change, isAided: false, carried: merges });
      }
    }
  }

  #raiserOn(host: CodeHost): Contributor | undefined {
    const there = this.#world.workforce.bots.filter(({ logins }) => host in logins);
    // The one that builds raises dependencies only where no other does.
    const raisers = there.filter((bot) => bot !== this.#builder);
    return raisers.length > 0 ? this.#random.pick(raisers) : there[0];
  }

  #write({ at, day, author, codeBase, change, ticket, carried, isAided: withAgent }: Draft): Merge | undefined {
    const random = this.#random;
    const host = hostOn(codeBase, day);
    const number = takeNumber(codeBase);
    const { occasion } = change;
    const pr: PullRequest = {
      id: `${host}:${codeBase.repository}#${number}`,
      number,
      url: pullRequestUrl(host, codeBase.repository, number),
      host,
      day,
      codeBase,
      author,
      change,
      life: this.#lives.draw({ at, day, author, codeBase, occasion, isAided: withAgent }),
    };
    const { mergedAt } = pr.life;
    const sha = mergedAt === null ? null : drawSha(random);
    this.#put(pr, sha);
    const commits: readonly Commit[] = carried ? [] : this.#commits.write(pr);
    if (carried) this.#commits.writeCarried(pr, carried);
    this.#reviews.write(pr);
    this.#comments.write(pr);
    this.#events.write(pr);
    this.#runs.writeChecks(pr, commits, sha);
    if (withAgent) this.#sessions.write(pr, commits);
    if (ticket) this.#issues.writeAnswered(ticket, pr);
    if (mergedAt === null || sha === null) return undefined;
    const { title, branch, base, additions, deletions } = change;
    return {
      at: mergedAt,
      codeBase,
      author,
      occasion,
      prId: pr.id,
      number,
      title,
      branch,
      base,
      sha,
      additions,
      deletions,
    };
  }

  #put({ id, number, url, host, codeBase, author, change, life }: PullRequest, sha: string | null): void {
    const random = this.#random;
    const { login, email } = author.accounts[host];
    this.#world.weaver.add('pull_requests', {
      pr_id: id,
      pr_number: number,
      pr_title: change.title,
      pr_url: url,
      pr_body: change.body,
      pr_summary:
        change.occasion === 'ordinary' && random.chance(0.25)
          ? `${change.title}, in ${change.files.length} files.`
          : null,
      // Half the sources say what kind of work it was; the rest is told by labels, title and branch, or by nothing.
      pr_category: change.occasion === 'ordinary' && random.chance(0.4) ? categories[change.purpose] : null,
      source: host,
      repository: codeBase.repository,
      pr_state: life.mergedAt !== null ? 'merged' : life.closedAt !== null ? 'closed' : 'open',
      is_draft: life.isDraftAtFirst && life.readyAt === null,
      pr_created_at: isoText(life.createdAt),
      ready_at: isoTextOrNull(life.readyAt),
      pr_merged_at: isoTextOrNull(life.mergedAt),
      pr_closed_at: isoTextOrNull(life.closedAt),
      merge_queue_entered_at: isoTextOrNull(life.queuedAt),
      additions: change.additions,
      deletions: change.deletions,
      changed_files: change.files.length,
      files: change.files as unknown as readonly { [name: string]: string | number }[],
      base_branch: change.base,
      head_branch: change.branch,
      merge_commit_sha: sha,
      labels: change.labels,
      person_login: login,
      person_email: email,
      // A name is worth telling where nothing else says who it is.
      person_name: author.isStranger ? author.name : null,
    });
  }
}
