import { type ReactNode, useId } from 'react';
import './form.css';
import { formWords } from './form-words.ts';

interface LabelProps {
  readonly label: string;
  /** The meaning of the field in a few words under it. */
  readonly hint?: ReactNode;
  readonly isRequired?: boolean;
}

interface TextFieldProps extends LabelProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'number' | 'search' | 'url';
  readonly placeholder?: string;
  readonly autoComplete?: string;
  readonly choices?: readonly string[];
  /** More than one line. */
  readonly rows?: number;
  readonly isDisabled?: boolean;
  readonly least?: number;
  readonly most?: number;
  /** In characters. */
  readonly maxLength?: number;
}

/** A field for a line, or some lines, of text with a label above and its meaning below. */
export function TextField({ label, hint, isRequired, value, onChange, rows, choices, ...more }: TextFieldProps) {
  const id = useId();
  const { type = 'text', placeholder, autoComplete = 'off', isDisabled, least, most, maxLength } = more;
  const shared = {
    id,
    value,
    placeholder,
    autoComplete,
    disabled: isDisabled,
    required: isRequired,
    maxLength,
    className: 'input',
    ...(hint ? { 'aria-describedby': `${id}-hint` } : {}),
  };
  return (
    <div className="form-field">
      <Label id={id} label={label} isRequired={isRequired} />
      {rows ? (
        <textarea {...shared} rows={rows} onChange={(event) => onChange(event.target.value)} spellCheck={false} />
      ) : (
        <input
          {...shared}
          type={type}
          min={least}
          max={most}
          list={choices ? `${id}-choices` : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {choices && (
        <datalist id={`${id}-choices`}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      <Hint id={id} hint={hint} />
    </div>
  );
}

interface SelectFieldProps extends LabelProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The value of a choice, and its name for people. */
  readonly choices: readonly (readonly [value: string, name: string])[];
  readonly isDisabled?: boolean;
}

export function SelectField({ label, hint, value, onChange, choices, isDisabled }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="form-field">
      <Label id={id} label={label} isRequired={undefined} />
      <select
        id={id}
        className="input"
        value={value}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.value)}
        {...(hint ? { 'aria-describedby': `${id}-hint` } : {})}
      >
        {choices.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
      <Hint id={id} hint={hint} />
    </div>
  );
}

interface CheckFieldProps extends LabelProps {
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  readonly isDisabled?: boolean;
}

export function CheckField({ label, hint, value, onChange, isDisabled }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="form-field">
      <label className="form-check">
        <input
          type="checkbox"
          checked={value}
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.checked)}
          {...(hint ? { 'aria-describedby': `${id}-hint` } : {})}
        />
        {label}
      </label>
      <Hint id={id} hint={hint} />
    </div>
  );
}

const Label = ({ id, label, isRequired }: { id: string; label: string; isRequired: boolean | undefined }) => (
  <label htmlFor={id}>
    {label}
    {isRequired && <span className="secondary"> {formWords.needed}</span>}
  </label>
);

const Hint = ({ id, hint }: { id: string; hint: ReactNode }) =>
  hint ? (
    <p id={`${id}-hint`} className="small secondary">
      {hint}
    </p>
  ) : null;
