import { useState } from 'react';
import { refresh } from '../../ask/refresh.ts';
import { postJson } from '../../ask/send.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { ConfirmButton } from '../../view/confirm.tsx';
import { Table } from '../../view/data-table.tsx';
import { SelectField, TextField } from '../../view/form.tsx';
import { counted } from '../../view/format.ts';
import {
  identifiersIn,
  identifiersToSend,
  type OnboardingStep,
  onboardingVerbs,
  type PreviewLine,
  peopleChanged,
  stateInWords,
} from './questions.ts';

interface Preview {
  readonly step: OnboardingStep;
  readonly lines: readonly PreviewLine[];
}

/** Takes addresses and logins, shows which people they match, and only then onboards or offboards them. */
export default function Onboarding() {
  const [text, setText] = useState('');
  const [step, setStep] = useState<OnboardingStep>('onboard');
  const [preview, setPreview] = useState<Preview>();
  const action = useAction();
  const identifiers = identifiersIn(text);
  const look = () =>
    void action.run(async () => {
      const { identifiers: lines } = await postJson<{ identifiers: readonly PreviewLine[] }>('/app/people/preview', {
        identifiers,
        step,
      });
      setPreview({ step, lines });
      const count = peopleChanged(lines, step);
      return count === 0
        ? 'None of these would change anything. The table says why.'
        : `${counted(count, 'person', 'people')} would be ${onboardingVerbs[step].done}. Nothing is changed yet.`;
    });
  const apply = ({ lines, step: chosen }: Preview) =>
    void action.run(async () => {
      const path =
        chosen === 'onboard' ? '/users/onboarded-users-by-attributes' : '/users/offboarded-users-by-attributes';
      const lists = Object.entries(identifiersToSend(lines)).filter(([, some]) => some.length > 0);
      const done = await postJson<{ message: string }>(path, Object.fromEntries(lists));
      setPreview(undefined);
      setText('');
      await refresh('/app/people', '/app/groups', '/teams', '/data-quality');
      return done.message;
    });
  return (
    <section className="card" aria-labelledby="onboarding">
      <header>
        <div>
          <h2 id="onboarding">Include in metrics</h2>
          <p className="subtitle">
            People who are included count in metrics, in the past as well. Excluded people don’t. Their records stay,
            and including them again brings everything back.
          </p>
        </div>
      </header>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          look();
        }}
      >
        <SelectField
          label="Step"
          value={step}
          onChange={(value) => {
            setStep(value as OnboardingStep);
            setPreview(undefined);
          }}
          choices={[
            ['onboard', onboardingVerbs.onboard.verb],
            ['offboard', onboardingVerbs.offboard.verb],
          ]}
        />
        <TextField
          label="Addresses or logins"
          hint="One per line, or separated by commas."
          rows={6}
          value={text}
          onChange={(value) => {
            setText(value);
            setPreview(undefined);
          }}
        />
        <div className="row">
          <button type="submit" className="button primary" disabled={identifiers.length === 0 || action.isBusy}>
            {identifiers.length === 0
              ? 'Preview'
              : `Preview ${counted(identifiers.length, 'identifier', 'identifiers')}`}
          </button>
        </div>
      </form>
      <div className="stack">
        <ActionOutcome action={action} />
        {preview && <PreviewTable preview={preview} isBusy={action.isBusy} onApply={() => apply(preview)} />}
      </div>
    </section>
  );
}

interface PreviewTableProps {
  readonly preview: Preview;
  readonly isBusy: boolean;
  readonly onApply: () => void;
}

function PreviewTable({ preview: { lines, step }, isBusy, onApply }: PreviewTableProps) {
  const count = peopleChanged(lines, step);
  const who = counted(count, 'person', 'people');
  return (
    <>
      <Table
        isOfPeople
        caption="How each identifier matches"
        rows={lines}
        keyOf={({ identifier }) => identifier}
        columns={[
          { name: 'Identifier', cell: ({ identifier }) => identifier },
          { name: 'Taken as', cell: ({ list }) => (list === 'email_addresses' ? 'address' : 'login') },
          { name: 'What it does', cell: (line) => stateInWords(line, step) },
        ]}
      />
      {count > 0 && step === 'onboard' && (
        <div className="row">
          <button type="button" className="button primary" disabled={isBusy} onClick={onApply}>
            {onboardingVerbs[step].verb} {who}
          </button>
        </div>
      )}
      {count > 0 && step === 'offboard' && (
        <div className="row">
          <ConfirmButton
            label={`${onboardingVerbs[step].verb} ${who}`}
            title={`${onboardingVerbs[step].verb} ${who} from metrics?`}
            verb={`${onboardingVerbs[step].verb} ${who}`}
            isDisabled={isBusy}
            onConfirm={onApply}
          >
            Their work stops counting in every metric, in the past as well. Their records stay, and including them again
            brings everything back.
          </ConfirmButton>
        </div>
      )}
    </>
  );
}
