import type { SeededRandom } from '../seeded-random.ts';

/** What a pull request is for. The last is housekeeping that no signal gives away. */
export type Purpose = 'feature' | 'fix' | 'improvement' | 'unsaid';

/** A few words, also in the form they have in a branch. */
interface Phrase {
  readonly text: string;
  readonly slug: string;
}

const phrases = (...texts: readonly string[]): readonly Phrase[] =>
  texts.map((text) => ({ text, slug: text.toLowerCase().replace(/[^a-z0-9]+/g, '-') }));

const deeds: Readonly<Record<Purpose, readonly Phrase[]>> = {
  feature: phrases('Add', 'Introduce', 'Support', 'Show', 'Allow', 'Offer'),
  fix: phrases('Fix', 'Correct', 'Stop losing', 'Repair', 'Handle missing'),
  improvement: phrases('Refactor', 'Simplify', 'Extract', 'Speed up', 'Tidy', 'Clean up'),
  unsaid: phrases('Rework', 'Change', 'Adjust', 'Update', 'Next step of', 'Revise'),
};

const things = phrases(
  ...['address lookup', 'audit trail', 'batch import', 'bulk edit', 'cache keys', 'calendar view', 'column sorting'],
  ...['currency rounding', 'date parsing', 'dead letter queue', 'deep links', 'empty states', 'error pages'],
  ...['export to CSV', 'feature flags', 'file uploads', 'filter presets', 'health checks', 'idempotency keys'],
  ...['keyboard navigation', 'language switch', 'log fields', 'monthly statement', 'notification digest', 'pagination'],
  ...['password reset', 'permission checks', 'print layout', 'rate limits', 'reminder emails', 'retry policy'],
  ...['saved searches', 'search ranking', 'session timeout', 'status page', 'time zone handling', 'tooltips'],
  ...['undo', 'usage report', 'validation messages', 'webhook signatures', 'weekly summary'],
);

const branchPrefixes: Readonly<Record<Purpose, readonly string[]>> = {
  feature: ['feature', 'feat'],
  fix: ['fix', 'bugfix'],
  improvement: ['chore', 'refactor'],
  unsaid: ['work', 'wip', 'topic'],
};

export const conventionalTypes: Readonly<Record<Purpose, string>> = {
  feature: 'feat',
  fix: 'fix',
  improvement: 'refactor',
  unsaid: '',
};

export interface Wording {
  readonly sentence: string;
  readonly branch: string;
}

/** What a change says it does, and the branch it is made on. */
export function drawWording(purpose: Purpose, subject: string, key: string | undefined, random: SeededRandom): Wording {
  const deed = random.pick(deeds[purpose]);
  const thing = random.pick(things);
  const prefix = random.pick(branchPrefixes[purpose]);
  const ticket = key === undefined ? '' : `${key}-`;
  return {
    sentence: `${deed.text} ${thing.text} in ${subject}`,
    branch: `${prefix}/${ticket}${deed.slug}-${thing.slug}`,
  };
}

const commitSubjects = [
  ...['Start on it', 'Add tests', 'Handle the empty case', 'Rename for clarity', 'Move parsing out', 'Fix lint'],
  ...['Cover the failure path', 'Use the new client', 'Remove dead branch', 'Update fixtures', 'Tighten types'],
  ...['Log what was refused', 'Split the handler', 'Make it idempotent', 'Read settings once', 'Document the flag'],
];
const reworkSubjects = [
  ...[
    'Address review comments',
    'Follow the review',
    'Rename as suggested',
    'Add the missing test',
    'Fix what CI found',
  ],
];
const remarks = [
  ...['Could this be null here?', 'Nice, much easier to read.', 'Should we cover the failure case too?'],
  ...['I would move this next to its caller.', 'Is this safe when two of them run at once?', 'Typo in the name.'],
  ...[
    'Do we still need this branch?',
    'This will be slow for large accounts.',
    'Please add a test for the empty list.',
  ],
  ...['Can we log the identifier as well?', 'Agreed, let us do that in a follow-up.', 'Looks right to me.'],
];
const replies = [
  ...['Done.', 'Good catch, fixed.', 'It cannot be: the caller checks.', 'Added a test for that.', 'Renamed, thanks.'],
  ...['I would rather keep it as it is, see above.', 'Moved.', 'Follow-up ticket written.'],
];
const verdicts = {
  approved: ['Looks good to me.', 'Approved, thank you!', '', '', 'Ship it.'],
  changes_requested: ['A few things before this can go in.', 'Please see the comments.', 'Not yet: tests are missing.'],
  commented: ['Some questions.', '', 'Had a first look.'],
  dismissed: ['Out of date after the latest push.'],
} as const;
const ticketRemarks = [
  ...['Can reproduce this.', 'Waiting for design.', 'Moved to the next sprint.', 'Customer asked again today.'],
  ...['Estimated with the team.', 'Deployed, please verify.', 'Verified, thank you.', 'Needs a decision on scope.'],
];
const prompts = [
  ...['Please add a test for the failing case.', 'Explain what this module does.', 'Rename this across the project.'],
  ...['Why does the retry never stop?', 'Write the migration for this.', 'Make the handler idempotent.'],
];
const answers = [
  ...[
    'I have added the test and it passes.',
    'The retry counter was reset on each call; fixed.',
    'Renamed in 7 files.',
  ],
  ...[
    'Here is the migration with a way back.',
    'Done. I left the public names as they were.',
    'Two tests fail, looking.',
  ],
];

export const drawCommitSubject = (random: SeededRandom): string => random.pick(commitSubjects);
export const drawReworkSubject = (random: SeededRandom): string => random.pick(reworkSubjects);
export const drawRemark = (random: SeededRandom): string => random.pick(remarks);
export const drawReply = (random: SeededRandom): string => random.pick(replies);
export const drawVerdict = (state: keyof typeof verdicts, random: SeededRandom): string =>
  random.pick<string>(verdicts[state]);
export const drawTicketRemark = (random: SeededRandom): string => random.pick(ticketRemarks);
export const drawPrompt = (random: SeededRandom): string => random.pick(prompts);
export const drawAnswer = (random: SeededRandom): string => random.pick(answers);
