import { useDeferredValue, useId, useState } from 'react';
import { maxSearchLength } from '../../../src/text-limits.ts';
import { type ListedPerson, type PeoplePage, peoplePath } from '../ask/people-answers.ts';
import { useJson } from '../ask/use-answer.ts';
import './person-picker.css';
import { personPickerWords } from './person-picker-words.ts';

interface PickerProps {
  readonly label: string;
  readonly onPick: (person: ListedPerson) => void;
  /** People who cannot be picked because they are members already. */
  readonly without?: readonly string[];
}

const maxShown = 8;

/** Finds a person by name, address or login. */
export function PersonPicker({ label, onPick, without = [] }: PickerProps) {
  const id = useId();
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const path = search === '' ? undefined : peoplePath({ search, limit: maxShown + without.length });
  const { data, error } = useJson<PeoplePage>(path);
  const found = search === '' ? [] : (data?.people ?? []).filter((person) => !without.includes(person.id));
  return (
    <div className="form-field picker">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        type="search"
        autoComplete="off"
        value={text}
        maxLength={maxSearchLength}
        placeholder={personPickerWords.nameAddressOrLogin}
        onChange={(event) => setText(event.target.value)}
      />
      {search !== '' && (
        <ul className="picker-list">
          {found.slice(0, maxShown).map((person) => (
            <li key={person.id}>
              <button
                type="button"
                className="menu-item"
                onClick={() => {
                  setText('');
                  onPick(person);
                }}
              >
                <span>{person.name}</span>
                <span className="small secondary">
                  {person.email ?? person.teams.map(({ name }) => name).join(', ')}
                </span>
              </button>
            </li>
          ))}
          {data && found.length === 0 && <li className="small secondary">{personPickerWords.noOneMatches}</li>}
          {error && <li className="small">{error.message}</li>}
        </ul>
      )}
    </div>
  );
}
