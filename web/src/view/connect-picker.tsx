import { useEffect, useId, useRef, useState } from 'react';
import { activeItems, isEverythingActive, itemsFound } from '../ask/connect-draft.ts';
import type { Choices } from '../ask/sources.ts';
import { connectPickerWords } from './connect-words.ts';
import { TextField } from './form.tsx';
import { shownTime } from './format.ts';

interface PickerProps {
  readonly choices: Choices;
  /** What the items are: `Repositories`. */
  readonly what: string;
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
  readonly zone: string;
}

const firstShown = 10;
const shownMore = 200;

/** Picks what is read, from all that the token sees. */
export function ConnectPicker({ choices, what, chosen, onChange, zone }: PickerProps) {
  const [search, setSearch] = useState('');
  const [isChosenOnly, setChosenOnly] = useState(false);
  const [max, setMax] = useState(firstShown);
  const id = useId();
  const { items, total } = choices;
  const active = activeItems(choices);
  const things = what.toLowerCase();
  const found = itemsFound(items, search).filter(({ value }) => !isChosenOnly || chosen.has(value));
  const shown = found.slice(0, max);
  const all = isEverythingActive(choices, chosen);
  const toggle = (values: Iterable<string>, isOn: boolean) => {
    const next = new Set(chosen);
    for (const value of values) isOn ? next.add(value) : next.delete(value);
    onChange(next);
  };
  return (
    <div className="picker">
      <p className="subtitle" role="status">
        {connectPickerWords.chosenYouCanChange(chosen.size, total, all, items.length)}
      </p>
      <div className="picker-tools">
        <TextField label={connectPickerWords.find(things)} type="search" value={search} onChange={setSearch} />
        <fieldset className="switch" aria-label={connectPickerWords.show}>
          <button type="button" aria-pressed={isChosenOnly} onClick={() => setChosenOnly(true)}>
            {connectPickerWords.chosen(chosen.size)}
          </button>
          <button type="button" aria-pressed={!isChosenOnly} onClick={() => setChosenOnly(false)}>
            {connectPickerWords.all(items.length)}
          </button>
        </fieldset>
      </div>
      <div className="picker-row picker-head">
        <AllBox
          label={connectPickerWords.allActive(things)}
          isOn={all}
          isPartly={!all && chosen.size > 0}
          onChange={(isOn) => onChange(isOn ? active : new Set())}
        />
        <span className="small tertiary">{connectPickerWords.lastChange}</span>
      </div>
      <ul aria-label={what}>
        {shown.map(({ value, label = value, leftOut, changedAt }) => (
          <li key={value} className="picker-row">
            <label htmlFor={`${id}-${value}`}>
              <input
                id={`${id}-${value}`}
                type="checkbox"
                checked={chosen.has(value)}
                onChange={(event) => toggle([value], event.target.checked)}
              />
              <span>{label}</span>
              {leftOut && (
                <span className="pill">
                  {leftOut === 'archived' ? connectPickerWords.archived : connectPickerWords.fork}
                </span>
              )}
            </label>
            <span className="small tertiary">{changedAt ? shownTime(changedAt, zone) : ''}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="secondary picker-row">{connectPickerWords.noMatch(things)}</p>}
      {found.length > shown.length && (
        <button type="button" className="link" onClick={() => setMax(max + shownMore)}>
          {connectPickerWords.show2(Math.min(found.length - shown.length, shownMore))}
        </button>
      )}
    </div>
  );
}

/** A box for all of a list; half ticked where only some are chosen. */
function AllBox(props: {
  readonly label: string;
  readonly isOn: boolean;
  readonly isPartly: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  const { label, isOn, isPartly, onChange } = props;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <label>
      <input ref={box} type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      <span className="secondary">{label}</span>
    </label>
  );
}
