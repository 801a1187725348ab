import { useState } from 'react';
import { aboutMetric } from '../../ask/metric-facts.ts';
import type { CatalogueAnswer } from './catalogue-answer.ts';
import { type ExploredValues, type FormProps, filtersAbove, whole } from './exploration.ts';

type FilterAbout = CatalogueAnswer['filters'][number];

/** Filters that this metric has besides range, team, repository and person, which stand above. */
export function FilterFields({ asked, filters, onChange }: FormProps & { readonly filters: readonly FilterAbout[] }) {
  // The filter is added and still has no value: the request does not have it yet.
  const [empty, setEmpty] = useState<readonly string[]>([]);
  const has = aboutMetric(asked.metric).filters;
  const choices = filters.filter(({ name }) => has.includes(name) && !filtersAbove.includes(name));
  const shown = choices.filter(({ name }) => name in asked.filters || empty.includes(name));
  const set = (name: string, values: ExploredValues) => {
    const { [name]: _old, ...others } = asked.filters;
    onChange(whole({ ...asked, filters: values.length === 0 ? others : { ...others, [name]: values } }));
  };
  if (choices.length === 0) return null;
  return (
    <>
      <label className="field">
        <span>Filters</span>
        <select className="input" value="" onChange={(event) => setEmpty([...empty, event.target.value])}>
          <option value="">add a filter …</option>
          {choices
            .filter((one) => !shown.includes(one))
            .map(({ name, meaning }) => (
              <option key={name} value={name} title={meaning}>
                {name.replaceAll('_', ' ')}
              </option>
            ))}
        </select>
      </label>
      {shown.map((about) => (
        <FilterField
          key={about.name}
          about={about}
          values={asked.filters[about.name] ?? []}
          onSet={(values) => set(about.name, values)}
          onRemove={() => {
            setEmpty(empty.filter((one) => one !== about.name));
            set(about.name, []);
          }}
        />
      ))}
    </>
  );
}

interface FilterFieldProps {
  readonly about: FilterAbout;
  readonly values: ExploredValues;
  readonly onSet: (values: ExploredValues) => void;
  readonly onRemove: () => void;
}

function FilterField({ about: { name, meaning, form, one_of }, values, onSet, onRemove }: FilterFieldProps) {
  const label = name.replaceAll('_', ' ');
  const read = (text: string): ExploredValues => {
    if (form === 'text') return text.trim() === '' ? [] : [text.trim()];
    const parts = text.split(',').flatMap((part) => (part.trim() === '' ? [] : part.trim()));
    return form === 'integers' ? parts.map(Number).filter(Number.isInteger) : parts;
  };
  return (
    <fieldset className="explore-filter">
      <legend className="row">
        <span title={meaning}>{label}</span>
        <button type="button" className="link small" aria-label={`Remove filter ${label}`} onClick={onRemove}>
          Remove
        </button>
      </legend>
      {one_of ? (
        <div className="row">
          {one_of.map((value) => (
            <button
              key={value}
              type="button"
              className="button"
              aria-pressed={values.includes(value)}
              onClick={() => onSet(values.includes(value) ? values.filter((one) => one !== value) : [...values, value])}
            >
              {value}
            </button>
          ))}
        </div>
      ) : (
        <input
          key={values.join(',')}
          className="input"
          aria-label={label}
          placeholder={form === 'text' ? meaning : 'values, with commas between them'}
          defaultValue={values.join(', ')}
          onBlur={(event) => {
            const next = read(event.target.value);
            if (next.join() !== values.join()) onSet(next);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onSet(read(event.currentTarget.value));
          }}
        />
      )}
    </fieldset>
  );
}
