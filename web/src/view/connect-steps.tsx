import { Check } from 'lucide-react';
import { connectStepsWords } from './connect-words.ts';

/** The steps of connecting, of which those before `at` are done. */
export function ConnectSteps({ steps, at }: { readonly steps: readonly string[]; readonly at: number }) {
  return (
    <ol className="connect-steps" aria-label={connectStepsWords.steps}>
      {steps.map((step, place) => (
        <li key={step} {...(place === at ? { 'aria-current': 'step' as const } : {})}>
          <span className={place < at ? 'connect-number is-done' : 'connect-number'} aria-hidden="true">
            {place < at ? <Check className="icon" /> : place + 1}
          </span>
          <span>
            {step}
            {place < at && <span className="unseen"> {connectStepsWords.done}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
