import { useState } from 'react';
import { refresh } from '../../ask/refresh.ts';
import { postJson } from '../../ask/send.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { ConfirmButton } from '../../view/confirm.tsx';
import { Table } from '../../view/data-table.tsx';
import { SelectField, TextField } from '../../view/form.tsx';
import { counted } from '../../view/format.ts';
import { onboardingVerbs, onboardingWords, stateInWords } from './onboarding-words.ts';
import { identifiersIn, identifiersToSend, type OnboardingStep, type PreviewLine, peopleChanged } from './questions.ts';

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
        ? onboardingWords.noneTheseWouldChange
        : onboardingWords.wouldBeNothingChanged(count, onboardingVerbs[step].done);
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
          <h2 id="onboarding">{onboardingWords.includeInMetrics}</h2>
          <p className="subtitle">{onboardingWords.peopleWhoIncludedCount}</p>
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
          label={onboardingWords.step}
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
          label={onboardingWords.addressesOrLogins}
          hint={onboardingWords.onePerLine}
          rows={6}
          value={text}
          onChange={(value) => {
            setText(value);
            setPreview(undefined);
          }}
        />
        <div className="row">
          <button type="submit" className="button primary" disabled={identifiers.length === 0 || action.isBusy}>
            {identifiers.length === 0 ? onboardingWords.previewAlone : onboardingWords.preview(identifiers.length)}
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
        caption={onboardingWords.howEachIdentifierMatches}
        rows={lines}
        keyOf={({ identifier }) => identifier}
        columns={[
          { name: onboardingWords.identifier, cell: ({ identifier }) => identifier },
          { name: onboardingWords.taken, cell: ({ list }) => (list === 'email_addresses' ? 'address' : 'login') },
          { name: onboardingWords.whatItDoes, cell: (line) => stateInWords(line, step) },
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
            title={onboardingWords.fromMetrics(onboardingVerbs[step].verb, who)}
            verb={`${onboardingVerbs[step].verb} ${who}`}
            isDisabled={isBusy}
            onConfirm={onApply}
          >
            {onboardingWords.theirWorkStopsCounting}
          </ConfirmButton>
        </div>
      )}
    </>
  );
}
