import { useState } from 'react';
import {
  activeItems,
  chosenSetting,
  guideOf,
  type HistoryChoice,
  historyFrom,
  missingForCheck,
  settingsOfStep,
  settingsToCheck,
  waysIn,
} from '../ask/connect-draft.ts';
import { draftOfSettings } from '../ask/connection-settings.ts';
import { refresh } from '../ask/refresh.ts';
import { postJson } from '../ask/send.ts';
import { type ConnectionKind, type SettingsCheck, sourcesPath } from '../ask/sources.ts';
import { useView } from '../ask/use-view.ts';
import { ActionOutcome, useAction } from './action.tsx';
import { CheckList, CheckPill } from './check-list.tsx';
import { ConnectPicker } from './connect-picker.tsx';
import { ConnectSteps } from './connect-steps.tsx';
import { historyChoices } from './connect-words.ts';
import { type MadeConnection, SettingFields } from './connection-form.tsx';
import { SelectField, TextField } from './form.tsx';
import './connect-flow.css';
import { connectFlowWords } from './connect-words.ts';

interface FlowProps {
  readonly kind: ConnectionKind;
  readonly onMade: (made: MadeConnection) => void;
}

/** Sign in, check, choose, start. Nothing is saved before the start. */
export default function ConnectFlow({ kind, onMade }: FlowProps) {
  const { zone, today } = useView();
  const [draft, setDraft] = useState(() => draftOfSettings(kind));
  const [name, setName] = useState(kind.label);
  const [way, setWay] = useState(0);
  const [check, setCheck] = useState<SettingsCheck>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [history, setHistory] = useState<HistoryChoice>('24');
  const [day, setDay] = useState('');
  const trial = useAction();
  const start = useAction();

  const ways = waysIn(kind);
  const advanced = settingsOfStep(kind, 'advanced', way);
  const historyLine = kind.settings.find(({ step }) => step === 'history');
  const missing = missingForCheck(kind, draft, way);
  const isReady = check?.ok === true;
  const choices = isReady ? check.choices : null;
  const what = choices && kind.settings.find((line) => line.name === choices.setting)?.label;
  // What was checked is what is saved: another token needs another check.
  const change = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      set(value);
      setCheck(undefined);
    };
  };
  const since = historyLine && historyFrom(history, today, day);
  const settings = {
    ...settingsToCheck(kind, draft, way),
    ...chosenSetting(kind, choices, chosen),
    ...(historyLine && since !== undefined ? { [historyLine.name]: since } : {}),
  };
  const isStartable = isReady && name.trim() !== '' && (choices === null || chosen.size > 0);

  return (
    <div className="connect stack">
      <ConnectSteps
        steps={[
          connectFlowWords.sign,
          connectFlowWords.check,
          ...(what ? [connectFlowWords.choose(what.toLowerCase())] : []),
          connectFlowWords.start,
        ]}
        at={isReady ? 2 : trial.isBusy ? 1 : 0}
      />
      <div className={isReady ? 'columns even' : 'connect-narrow'}>
        <div className="stack">
          <section className="card" aria-label={connectFlowWords.sign}>
            {ways.length > 0 && (
              <fieldset className="switch" aria-label={connectFlowWords.sign2}>
                {ways.map((lines, at) => (
                  <button
                    key={lines[0]?.name}
                    type="button"
                    aria-pressed={at === way}
                    onClick={() => change(setWay)(at)}
                  >
                    {lines.map(({ label }) => label).join(', ')}
                  </button>
                ))}
              </fieldset>
            )}
            <form
              className="form"
              onSubmit={(event) => {
                event.preventDefault();
                setCheck(undefined);
                void trial.run(async () => {
                  const body = { kind: kind.kind, settings: settingsToCheck(kind, draft, way) };
                  const found = await postJson<SettingsCheck>(`${sourcesPath}/check`, body);
                  setCheck(found);
                  setChosen(found.choices ? activeItems(found.choices) : new Set());
                  return '';
                });
              }}
            >
              <SettingFields settings={settingsOfStep(kind, 'access', way)} draft={draft} onChange={change(setDraft)} />
              <p className="small secondary">
                {connectFlowWords.readOnlyEnoughStored}{' '}
                <a href={guideOf(kind)} target="_blank" rel="noreferrer">
                  {connectFlowWords.whichPermissions}
                </a>
              </p>
              <details>
                <summary>{connectFlowWords.advanced}</summary>
                <div className="form after">
                  <TextField
                    label={connectFlowWords.name}
                    hint={connectFlowWords.whatYouCall}
                    value={name}
                    onChange={setName}
                  />
                  <SettingFields settings={advanced} draft={draft} onChange={change(setDraft)} />
                </div>
              </details>
              <div className="row">
                <button
                  type="submit"
                  className={isReady ? 'button' : 'button primary'}
                  disabled={missing.length > 0 || trial.isBusy}
                >
                  {trial.isBusy ? 'Checking…' : check ? connectFlowWords.checkAgain : connectFlowWords.check}
                </button>
                {missing.length > 0 && (
                  <span className="small secondary">
                    {connectFlowWords.addToContinue(missing.join(' and ').toLowerCase())}
                  </span>
                )}
              </div>
              <ActionOutcome action={trial} />
            </form>
          </section>
          {check && (
            <section className="card" aria-labelledby="check-outcome">
              <header>
                <h2 id="check-outcome">{connectFlowWords.check}</h2>
                <CheckPill check={check} />
              </header>
              <CheckList check={check} />
            </section>
          )}
        </div>
        {isReady && (
          <section className="card connect-start" aria-labelledby="connect-start">
            <header>
              <h2 id="connect-start">{what ?? connectFlowWords.start}</h2>
            </header>
            {choices && what && (
              <ConnectPicker choices={choices} what={what} chosen={chosen} onChange={setChosen} zone={zone} />
            )}
            <form
              className="connect-foot"
              onSubmit={(event) => {
                event.preventDefault();
                void start.run(async () => {
                  const made = await postJson<MadeConnection>(sourcesPath, {
                    kind: kind.kind,
                    name: name.trim(),
                    settings,
                  });
                  await refresh(sourcesPath, '/app/status');
                  onMade(made);
                  return '';
                });
              }}
            >
              {historyLine && (
                <SelectField
                  label={connectFlowWords.readHistory}
                  value={history}
                  onChange={(value) => setHistory(value as HistoryChoice)}
                  choices={historyChoices}
                />
              )}
              {history === 'day' && historyLine && (
                <TextField label={connectFlowWords.firstDay} type="date" value={day} onChange={setDay} isRequired />
              )}
              <button type="submit" className="button primary" disabled={!isStartable || start.isBusy}>
                {start.isBusy
                  ? 'Starting…'
                  : what && choices
                    ? connectFlowWords.startReading(chosen.size, oneOf(what), what.toLowerCase())
                    : connectFlowWords.startReading2}
              </button>
            </form>
            <ActionOutcome action={start} />
          </section>
        )}
      </div>
    </div>
  );
}

/** One of what a setting lists: `Repositories` are each a repository. */
const oneOf = (what: string): string => what.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
