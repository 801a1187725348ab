import { dayOfNumber, isoText } from '../../calendar.ts';
import { writeSessions } from './ai-usage.ts';
import { type CodeBase, takeNumber } from './code-bases.ts';
import {
  drawBump,
  drawHotfix,
  drawOrdinaryChange,
  drawPromotion,
  drawRevert,
  type MergedChange,
} from './code-changes.ts';
import type { DemoWorld } from './demo-world.ts';
import type { Tracker } from './issue-tracker.ts';
import { drawPullRequest, type PlannedPullRequest, type PullRequest } from './pull-request-timeline.ts';
import { isoTextOrNull } from './working-calendar.ts';
import {
  writeCarriedCommits,
  writeComments,
  writeCommits,
  writeEvents,
  writeReviews,
} from './write-pull-request-parts.ts';
import { writeChecks } from './write-workflow-runs.ts';

/** A pull request that follows from another event, at a time of its own. */
export interface FollowUp {
  readonly occasion: 'revert' | 'hotfix' | 'promotion';
  readonly at: number;
  readonly codeBase: CodeBase;
  readonly merges: MergedChange[];
}

const botShare = 0.09;
const ticketShare = 0.5;
/** The share of their pull requests that those who have a coding agent make with it. */
const agentShare = 0.62;
const categories = { feature: 'Feature Work', fix: 'Bug Fixes', improvement: 'Tech Improvements', unsaid: null };

/** Work that a person, or a bot, begins unasked. Returns the merge, if there was one. */
export function openPlanned(world: DemoWorld, tracker: Tracker, day: number, at: number): MergedChange | undefined {
  const { random, workforce } = world;
  const author = workforce.pickAuthor(day);
  const codeBase = workforce.pickCodeBase(author, day);
  const bot = random.chance(botShare) ? workforce.pickBot(codeBase.hostOn(day)) : undefined;
  if (bot) return write(world, { at, day, author: bot, codeBase, change: drawBump(codeBase, random), isAided: false });
  const isAided = world.workforce.agentOf(author, day) !== undefined && random.chance(agentShare);
  const ticket = random.chance(ticketShare) ? tracker.open(author, codeBase) : undefined;
  const change = drawOrdinaryChange(world, codeBase, ticket?.issue_key, isAided);
  const writeIssue = ticket && ((pr: PullRequest) => tracker.writeAnswered(ticket, pr));
  return write(world, { at, day, author, codeBase, change, isAided }, undefined, writeIssue);
}

export function openFollowUp(world: DemoWorld, day: number, followUp: FollowUp): MergedChange | undefined {
  const { occasion, at, codeBase, merges } = followUp;
  const { random, workforce } = world;
  const keeper = workforce.pickKeeper(codeBase, day);
  const planned = { at, day, author: keeper, codeBase, isAided: false };
  const [undone] = merges;
  if (occasion === 'revert' && undone) {
    const author = undone.author.isBot || random.chance(0.4) ? keeper : undone.author;
    return write(world, { ...planned, author, change: drawRevert(undone, random) });
  }
  if (occasion === 'hotfix') return write(world, { ...planned, change: drawHotfix(codeBase, random) });
  return write(world, { ...planned, change: drawPromotion(codeBase, dayOfNumber(day), merges, random) }, merges);
}

/** Writes a pull request and everything that follows from it at once: later events are already decided. */
function write(
  world: DemoWorld,
  planned: PlannedPullRequest,
  carried?: MergedChange[],
  then?: (pr: PullRequest) => void,
) {
  const { codeBase } = planned;
  const pr = drawPullRequest(world, planned, takeNumber(codeBase));
  // What led to it is known no sooner than it is.
  world.knownFrom = pr.at;
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
  then?.(pr);
  world.knownFrom = 0;
  if (mergedAt === null || sha === null) return undefined;
  const { id, number, author, change } = pr;
  const { occasion, pr_title, head_branch, base_branch, additions, deletions } = change;
  const at = mergedAt;
  return { id, number, author, codeBase, at, sha, occasion, pr_title, head_branch, base_branch, additions, deletions };
}

function writeRecord(world: DemoWorld, pr: PullRequest, merge_commit_sha: string | null): void {
  const { random } = world;
  const { id, number, url, host, codeBase, author, timeline, change, at } = pr;
  const { mergedAt, closedAt, readyAt } = timeline;
  const { purpose, pr_title, pr_body, files, additions, deletions, head_branch, base_branch, labels } = change;
  const isOrdinary = change.occasion === 'ordinary';
  world.give('pull_requests', {
    pr_id: id,
    pr_number: number,
    pr_title,
    pr_url: url,
    pr_body,
    pr_summary: isOrdinary && random.chance(0.25) ? `${pr_title}, in ${files.length} files.` : null,
    // Some sources give the kind of work; for the rest it follows from labels, title and branch, or from nothing.
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
    additions,
    deletions,
    changed_files: files.length,
    files,
    base_branch,
    head_branch,
    merge_commit_sha,
    labels,
    ...author.accounts[host],
    person_name: author.isStranger ? author.name : null,
  });
}
