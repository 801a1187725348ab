import { type ReactNode, useState } from 'react';
import { choiceText, savedChoice } from '../ask/connect-draft.ts';
import { getJson } from '../ask/send.ts';
import { type Choices, type Connection, type SettingLine, sourcesPath } from '../ask/sources.ts';
import { useView } from '../ask/use-view.ts';
import { ActionOutcome, useAction } from './action.tsx';
import { ConnectPicker } from './connect-picker.tsx';
import { savedChoiceWords } from './connect-words.ts';

interface SavedChoiceProps {
  readonly connection: Connection;
  readonly line: SettingLine;
  /** The names, with commas between them; empty for all that are active. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Stands there where the connection cannot list anything: a field for the names. */
  readonly children: ReactNode;
}

const firstNamed = 5;

/** What a saved connection reads, and the list to pick it from, which is asked for when the reader wants it. */
export function SavedChoice({ connection, line, value, onChange, children }: SavedChoiceProps) {
  const { zone } = useView();
  const action = useAction();
  const [choices, setChoices] = useState<Choices | null>();
  const [isNothing, setNothing] = useState(false);
  const things = line.label.toLowerCase();
  const names = value.split(',').filter((one) => one !== '');
  if (choices === null || (action.error && choices === undefined)) {
    return (
      <>
        {action.error ? (
          <ActionOutcome action={action} />
        ) : (
          <p className="small secondary">{savedChoiceWords.noList(line.label)}</p>
        )}
        {children}
      </>
    );
  }
  return (
    <section className="stack saved-choice" aria-label={line.label}>
      <h3>{line.label}</h3>
      {choices ? (
        <>
          <ConnectPicker
            choices={choices}
            what={line.label}
            chosen={isNothing ? new Set() : savedChoice(choices, value)}
            onChange={(chosen) => {
              setNothing(chosen.size === 0);
              // A setting without names reads everything: nothing at all is no choice.
              if (chosen.size > 0) onChange(choiceText(line, choices, chosen));
            }}
            zone={zone}
          />
          {isNothing && <p className="small bad">{savedChoiceWords.chooseOne}</p>}
        </>
      ) : (
        <>
          <p className="small secondary">
            {names.length === 0
              ? savedChoiceWords.everything(things)
              : savedChoiceWords.chosen(names.slice(0, firstNamed), names.length - firstNamed)}
          </p>
          <div className="row">
            <button
              type="button"
              className="button"
              disabled={action.isBusy}
              onClick={() =>
                void action.run(async () => {
                  const path = `${sourcesPath}/${encodeURIComponent(connection.id)}/choices`;
                  setChoices((await getJson<{ choices: Choices | null }>(path)).choices);
                  return '';
                })
              }
            >
              {action.isBusy ? savedChoiceWords.looking : savedChoiceWords.choose(things)}
            </button>
          </div>
        </>
      )}
    </section>
  );
}
