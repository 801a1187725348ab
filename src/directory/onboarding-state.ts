import type { PersonRow } from '../store/people.ts';

/**
 * How somebody is onboarded, the weakest first. Where two people turn out to be one, the stronger counts: an offboarding
 * is undone by name only, never because somebody arrived once more under another account.
 * - `unsaid`: nothing was ever said, and nobody is onboarded automatically here.
 * - `automatic`: onboarded because they arrived, for as long as they are no bot.
 * - `off`: offboarded, or brought with `onboarded: false`.
 * - `named`: onboarded by name, whatever else is known of them.
 */
const onboardings = ['unsaid', 'automatic', 'off', 'named'] as const;
export type Onboarding = (typeof onboardings)[number];

/** Rows from before this was kept were onboarded by name, or not at all. */
export const onboardingOf = ({ onboarding, onboarded }: Pick<PersonRow, 'onboarding' | 'onboarded'>): Onboarding =>
  (onboarding as Onboarding | null) ?? (onboarded ? 'named' : 'off');

/** Whether somebody who stands so counts. */
export const counts = (onboarding: Onboarding, isBot: boolean): boolean =>
  onboarding === 'named' || (onboarding === 'automatic' && !isBot);

export const strongest = (all: readonly Onboarding[]): Onboarding =>
  all.reduce<Onboarding>((a, b) => (onboardings.indexOf(b) > onboardings.indexOf(a) ? b : a), 'unsaid');

/** The state after a record. Where the record says nothing, a new person is onboarded if the organisation onboards new people. */
export function onboardingAfter(
  before: Onboarding,
  said: boolean | null | undefined,
  isAutomatic: boolean,
): Onboarding {
  if (said === true) return 'named';
  if (said === false) return 'off';
  return before === 'unsaid' && isAutomatic ? 'automatic' : before;
}

/** How a record says it: nothing, where nobody was named. */
export const onboardedAsRecord = (onboarding: Onboarding): boolean | null =>
  onboarding === 'named' ? true : onboarding === 'off' ? false : null;
