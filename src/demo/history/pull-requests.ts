import { drawBump, drawHotfix, drawOrdinaryChange, drawPromotion, drawRevert } from './changes.ts';
import { isoText, isoTextOrNull } from './clock-text.ts';
import { type CodeBase, takeNumber } from './code-bases.ts';
import { writeSessions } from './coding-sessions.ts';
import type { Tracker } from './issues.ts';
import type { Merge, PlannedPullRequest } from './pull-request.ts';
import { writeCarriedCommits, writeComments, writeCommits, writeEvents, writeReviews } from './pull-request-parts.ts';
import { drawPullRequest, type PullRequest } from './pull-request-timeline.ts';
import { writeChecks } from './workflow-runs.ts';
import type { World } from './world.ts';

/** A pull request that something else brings about, at a time of its own. */
export interface FollowUp {
  readonly occasion: 'revert' | 'hotfix' | 'promotion';
  readonly at: number;
  readonly codeBase: CodeBase;
  /** The one that is taken back, or those that are promoted. */
  readonly merges: readonly Merge[];
}

const botShare = 0.09;
const ticketShare = 0.5;
/** The share of their pull requests that those who have a coding agent make with it. */
const agentShare = 0.62;
const categories = { feature: 'Feature Work', fix: 'Bug Fixes', improvement: 'Tech Improvements', unsaid: null };

/** Work that somebody, or a bot, begins of their own accord. Returns the merge, if it was merged. */
export function openPlanned(world: World, tracker: Tracker, day: number, at: number): Merge | undefined {
  const { random, workforce } = world;
  const author = workforce.pickAuthor(day);
  const codeBase = workforce.pickCodeBase(author, day);
  const bot = random.chance(botShare) ? workforce.pickBot(codeBase.hostOn(day)) : undefined;
  if (bot) return write(world, { at, day, author: bot, codeBase, change: drawBump(codeBase, random), isAided: false });
  const isAided = author.agent !== undefined && day >= author.agent.day && random.chance(agentShare);
  const ticket = random.chance(ticketShare) ? tracker.open(author, codeBase) : undefined;
  const change = drawOrdinaryChange(world, codeBase, ticket?.issue_key, isAided);
  return write(world, { at, day, author, codeBase, change, isAided }, undefined, (pr) => {
    if (ticket) tracker.writeAnswered(ticket, pr);
  });
}

export function openFollowUp(
  world: World,
  day: number,
  { occasion, at, codeBase, merges }: FollowUp,
): Merge | undefined {
  const { random, workforce, calendar } = world;
  const keeper = workforce.pickKeeper(codeBase, day);
  const planned = { at, day, author: keeper, codeBase, isAided: false };
  const [undone] = merges;
  if (occasion === 'revert' && undone) {
    const author = undone.author.isBot || random.chance(0.4) ? keeper : undone.author;
    return write(world, { ...planned, author, change: drawRevert(undone, random) });
  }
  if (occasion === 'hotfix') return write(world, { ...planned, change: drawHotfix(codeBase, random) });
  return write(world, { ...planned, change: drawPromotion(codeBase, calendar.dateOf(day), merges, random) }, merges);
}

/** Writes a pull request and all that comes of it at once: what happens later is already known. */
function write(
  world: World,
  planned: PlannedPullRequest,
  carried?: readonly Merge[],
  writeIssue?: (pr: PullRequest) => void,
): Merge | undefined {
  const { codeBase, change, author } = planned;
  const pr = drawPullRequest(world, planned, takeNumber(codeBase));
  const { mergedAt } = pr.timeline;
  const sha = mergedAt === null ? null : world.random.hex(40);
  writeRecord(world, pr, sha);
  const commits = carried ? [] : writeCommits(world, pr);
  if (carried) writeCarriedCommits(world, pr, carried);
  writeReviews(world, pr);
  writeComments(world, pr);
  writeEvents(world, pr);
  writeChecks(world, pr, commits, sha);
  if (planned.isAided) writeSessions(world, pr, commits);
  writeIssue?.(pr);
  if (mergedAt === null || sha === null) return undefined;
  const { files: _, labels: __, pr_body: ___, ...known } = change;
  return { ...known, id: pr.id, number: pr.number, author, codeBase, at: mergedAt, sha };
}

function writeRecord(world: World, pr: PullRequest, merge_commit_sha: string | null): void {
  const { random } = world;
  const { id, number, url, host, codeBase, author, timeline, at } = pr;
  const { occasion, purpose, ...told } = pr.change;
  const { mergedAt, closedAt, readyAt } = timeline;
  const isOrdinary = occasion === 'ordinary';
  world.add('pull_requests', {
    ...told,
    pr_id: id,
    pr_number: number,
    pr_url: url,
    pr_summary: isOrdinary && random.chance(0.25) ? `${told.pr_title}, in ${told.files.length} files.` : null,
    // Some sources say what kind of work it was; for the rest labels, title and branch say it, or nothing does.
    pr_category: isOrdinary && random.chance(0.4) ? categories[purpose] : null,
    source: host,
    repository: codeBase.repository,
    pr_state: mergedAt !== null ? 'merged' : closedAt !== null ? 'closed' : 'open',
    is_draft: timeline.isDraftAtFirst && readyAt === null,
    pr_created_at: isoText(at),
    ready_at: isoTextOrNull(readyAt),
    pr_merged_at: isoTextOrNull(mergedAt),
    pr_closed_at: isoTextOrNull(closedAt),
    merge_queue_entered_at: isoTextOrNull(timeline.queuedAt),
    changed_files: told.files.length,
    merge_commit_sha,
    ...author.accounts[host],
    // A name helps where nothing else says who it is.
    person_name: author.isStranger ? author.name : null,
  });
}
