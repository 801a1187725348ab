export type OnboardingStep = 'onboard' | 'offboard';

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
