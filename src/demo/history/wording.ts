import { list } from '../organisation-profile.ts';
import type { SeededRandom } from '../seeded-random.ts';

/** The purpose of a pull request. The last one is housekeeping that no signal gives away. */
export type Purpose = 'feature' | 'fix' | 'improvement' | 'unsaid';

const verbs: Readonly<Record<Purpose, readonly string[]>> = {
  feature: list('Add, Introduce, Support, Show, Allow, Offer'),
  fix: list('Fix, Correct, Stop losing, Repair, Handle missing'),
  improvement: list('Refactor, Simplify, Extract, Speed up, Tidy, Clean up'),
  unsaid: list('Rework, Change, Adjust, Update, Next step of, Revise'),
};
const objects =
  list(`address lookup, audit trail, batch import, bulk edit, cache keys, column sorting, currency rounding,
  date parsing, dead letter queue, deep links, empty states, error pages, export to CSV, feature flags, file uploads,
  filter presets, health checks, idempotency keys, keyboard navigation, log fields, notification digest, pagination,
  password reset, permission checks, rate limits, reminder emails, retry policy, saved searches, search ranking,
  session timeout, status page, time zone handling, tooltips, usage report, validation messages, webhook signatures`);
const branchPrefixes = {
  feature: 'feature feat',
  fix: 'fix bugfix',
  improvement: 'chore refactor',
  unsaid: 'work wip topic',
};

export function drawWording(purpose: Purpose, subject: string, key: string | undefined, random: SeededRandom) {
  const words = `${random.pick(verbs[purpose])} ${random.pick(objects)}`;
  const ticket = key === undefined ? '' : `${key.toLowerCase().replace('#', '')}-`;
  const branch = `${random.pick(branchPrefixes[purpose].split(' '))}/${ticket}${words.toLowerCase().replaceAll(' ', '-')}`;
  return { sentence: `${words} in ${subject}`, branch };
}

export type IssueStatus = 'triage' | 'backlog' | 'unstarted' | 'started' | 'completed' | 'canceled';
const openNames = { triage: 'New', backlog: 'Backlog', unstarted: 'To Do', started: 'In Progress' };
const statusNames: Readonly<Record<IssueStatus, string>> = { ...openNames, completed: 'Done', canceled: 'Won’t Do' };

/** The status of an issue as its tracker calls it. */
export function statusName(tracker: string, status: IssueStatus): string {
  if (tracker !== 'github') return statusNames[status];
  return status === 'completed' || status === 'canceled' ? 'closed' : 'open';
}

const sentences = (text: string): string[] => text.split('|').map((sentence) => sentence.replace(/\s+/g, ' ').trim());

export const phrases = {
  commit: sentences(`Start on it | Add tests | Handle the empty case | Rename for clarity | Move parsing out
    | Fix lint | Cover the failure path | Use the new client | Remove dead branch | Update fixtures | Tighten types
    | Log what was refused | Split the handler | Make it idempotent | Read settings once | Document the flag`),
  rework: sentences(`Address review comments | Follow the review | Rename as suggested | Add the missing test
    | Fix what CI found`),
  comment: sentences(`Could this be null here? | Nice, much easier to read. | Should we cover the failure case too?
    | I would move this next to its caller. | Is this safe when two of them run at once? | Typo in the name.
    | Do we still need this branch? | This will be slow for large accounts. | Please add a test for the empty list.
    | Can we log the identifier as well? | Agreed, let us do that in a follow-up. | Looks right to me.`),
  reply: sentences(`Done. | Good catch, fixed. | It cannot be: the caller checks. | Added a test for that. | Moved.
    | Renamed, thanks. | I would rather keep it as it is, see above. | Follow-up ticket written.`),
  approved: sentences('Looks good to me. | Approved, thank you! | | | Ship it.'),
  changes_requested: sentences(`A few things before this can go in. | Please see the comments.
    | Not yet: tests are missing.`),
  commented: sentences('Some questions. | | Had a first look.'),
  dismissed: ['Out of date after the latest push.'],
  issueComment: sentences(`Can reproduce this. | Waiting for design. | Moved to the next sprint.
    | Needs a decision on scope. | Customer asked again today. | Estimated with the team. | Deployed, please verify.
    | Verified, thank you.`),
  prompt: sentences(`Please add a test for the failing case. | Explain what this module does.
    | Write the migration for this. | Rename this across the project. | Why does the retry never stop?
    | Make the handler idempotent.`),
  answer: sentences(`I have added the test and it passes. | The retry counter was reset on each call; fixed.
    | Renamed in 7 files. | Here is the migration with a way back. | Done. I left the public names as they were.
    | Two tests fail, looking.`),
  incident: sentences(`Errors on every tenth request | Queue is not drained | Wrong totals shown | Slow answers
    | Sign-in fails for some | Reminders sent twice | Uploads are refused | Search finds nothing`),
};
