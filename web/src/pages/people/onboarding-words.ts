import { counted } from '../../view/format.ts';
import type { OnboardingStep, PreviewLine } from './questions.ts';

export const onboardingWords = {
  noneTheseWouldChange: 'None of these would change anything. The table says why.',
  wouldBeNothingChanged: (count: number, done: string) =>
    `${counted(count, 'person', 'people')} would be ${done}. Nothing is changed yet.`,
  includeInMetrics: 'Include in metrics',
  peopleWhoIncludedCount:
    'People who are included count in metrics, in the past as well. Excluded people don’t. Their records stay, and including them again brings everything back.',
  step: 'Step',
  addressesOrLogins: 'Addresses or logins',
  onePerLine: 'One per line, or separated by commas.',
  preview: (identifiers: number) => `Preview ${counted(identifiers, 'identifier', 'identifiers')}`,
  howEachIdentifierMatches: 'How each identifier matches',
  identifier: 'Identifier',
  taken: 'Taken as',
  whatItDoes: 'What it does',
  fromMetrics: (verb: string, who: string) => `${verb} ${who} from metrics?`,
  theirWorkStopsCounting:
    'Their work stops counting in every metric, in the past as well. Their records stay, and including them again brings everything back.',
  previewAlone: 'Preview',
} as const;

export const onboardingVerbs: Readonly<Record<OnboardingStep, { readonly verb: string; readonly done: string }>> = {
  onboard: { verb: 'Include', done: 'included' },
  offboard: { verb: 'Exclude', done: 'excluded' },
};

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
