import type { Groups } from '../../ask/people-answers.ts';
import { counted, grouped } from '../../view/format.ts';

/** `220 people, 214 of them in metrics, in 18 teams and 24 squads.` */
export function peopleSentence(
  total: number | undefined,
  onboarded: number | undefined,
  groups: Groups | undefined,
): string {
  if (total === undefined || onboarded === undefined) return ' ';
  if (total === 0) return 'No people yet.';
  const counting = onboarded === total ? 'all in metrics' : `${grouped(onboarded)} of them in metrics`;
  const where = groups
    ? `, in ${counted(groups.teams.length, 'team', 'teams')} and ${counted(groups.squads.length, 'squad', 'squads')}`
    : '';
  return `${counted(total, 'person', 'people')}, ${counting}${where}.`;
}

export const rosterStates = {
  all: 'Everyone',
  onboarded: 'In metrics',
  'not-onboarded': 'Not in metrics',
  bots: 'Bots',
} as const;

export type OnboardingStep = 'onboard' | 'offboard';

export const onboardingVerbs: Readonly<Record<OnboardingStep, { readonly verb: string; readonly done: string }>> = {
  onboard: { verb: 'Include', done: 'included' },
  offboard: { verb: 'Exclude', done: 'excluded' },
};

/** How one identifier would match the directory. */
export interface PreviewLine {
  readonly identifier: string;
  readonly list: 'email_addresses' | 'github_usernames';
  readonly state: 'matched' | 'already' | 'ambiguous' | 'unknown';
  readonly people: readonly { readonly id: string; readonly name: string; readonly onboarded: boolean }[];
}

/** Identifiers as people paste them: one a line, or with commas, semicolons or spaces between; each once. */
export const identifiersIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .map((one) => one.trim().replace(/^@/, ''))
      .filter((one) => one !== ''),
  ),
];

/** The request: only identifiers that would change something, each in the list of its form. */
export function identifiersToSend(
  preview: readonly PreviewLine[],
): Readonly<Record<PreviewLine['list'], readonly string[]>> {
  const changing = preview.filter(({ state }) => state === 'matched' || state === 'ambiguous');
  const of = (list: PreviewLine['list']) =>
    changing.filter((line) => line.list === list).map(({ identifier }) => identifier);
  return { email_addresses: of('email_addresses'), github_usernames: of('github_usernames') };
}

/** How many people a step would change, each counted once however many identifiers name them. */
export function peopleChanged(preview: readonly PreviewLine[], step: OnboardingStep): number {
  const isChanged = ({ onboarded }: { onboarded: boolean }) => onboarded === (step === 'offboard');
  return new Set(preview.flatMap(({ people }) => people.filter(isChanged).map(({ id }) => id))).size;
}

export function stateInWords({ state, people }: PreviewLine, step: OnboardingStep): string {
  const names = people.map(({ name }) => name).join(', ');
  switch (state) {
    case 'matched':
      return `${names}: will be ${onboardingVerbs[step].done}`;
    case 'already':
      return `${names}: ${step === 'onboard' ? 'in metrics already' : 'not in metrics'}`;
    case 'ambiguous':
      return `matches several people, all of them: ${names}`;
    case 'unknown':
      return 'no one matches';
  }
}
