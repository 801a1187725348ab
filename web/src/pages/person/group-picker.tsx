import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { maxNameLength } from '../../../../src/text-limits.ts';
import type { NamedOne } from '../../ask/people-answers.ts';
import '../../view/person-picker.css';
import './group-picker.css';
import { matchingGroups, newGroupName } from './picked-groups.ts';
import { groupPickerWords } from './words.ts';

interface GroupPickerProps {
  readonly label: string;
  /** `team` or `squad`. */
  readonly one: string;
  readonly known: readonly NamedOne[] | undefined;
  /** The names of the chosen ones, one a line. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Teams or squads of a person: the chosen ones, and a field that finds further ones or adds one with a new name. */
export function GroupPicker({ label, one, known = [], value, onChange }: GroupPickerProps) {
  const id = useId();
  const [text, setText] = useState('');
  const chosen = value.split('\n').filter((name) => name !== '');
  const found = matchingGroups(known, text, chosen);
  const added = newGroupName(known, text, chosen);
  const add = (name: string) => {
    onChange([...chosen, name].join('\n'));
    setText('');
  };
  return (
    <div className="form-field picker">
      <label htmlFor={id}>{label}</label>
      {chosen.length > 0 && (
        <ul className="group-chips" aria-label={groupPickerWords.chosen(label)}>
          {chosen.map((name) => (
            <li key={name}>
              {name}
              <button
                type="button"
                aria-label={groupPickerWords.take(name)}
                onClick={() => onChange(chosen.filter((other) => other !== name).join('\n'))}
              >
                <X className="icon" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        className="input"
        type="search"
        autoComplete="off"
        value={text}
        maxLength={maxNameLength}
        placeholder={groupPickerWords.findOrNameNew(one)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text.trim() === '') return;
          // Enter picks what is found, and sends the form only from elsewhere.
          event.preventDefault();
          const first = found[0]?.name ?? added;
          if (first !== undefined) add(first);
        }}
      />
      {text.trim() !== '' && (
        <ul className="picker-list">
          {found.map(({ id: key, name }) => (
            <li key={key}>
              <button type="button" className="menu-item" onClick={() => add(name)}>
                {name}
              </button>
            </li>
          ))}
          {added !== undefined && (
            <li>
              <button type="button" className="menu-item" onClick={() => add(added)}>
                <Plus className="icon" aria-hidden="true" /> {groupPickerWords.addAsNew(added, one)}
              </button>
            </li>
          )}
          {found.length === 0 && added === undefined && (
            <li className="small secondary">{groupPickerWords.theyreInItAlready}</li>
          )}
        </ul>
      )}
    </div>
  );
}
