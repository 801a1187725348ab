import { columnLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { type Exploration, type FormProps, isAboutPeople, whole } from '../../ask/exploration.ts';
import { aboutMetric, valueColumn } from '../../ask/metric-facts.ts';
import { capitalised } from '../../view/format.ts';
import { moreFieldsWords } from './words.ts';

interface MoreFieldsProps extends FormProps {
  readonly dates: readonly string[];
  readonly defaultDate: string | undefined;
}

/** Rarely needed fields: the date that counts, the smallest value, the order, the number of rows. */
export function MoreFields({ asked, dates, defaultDate, onChange }: MoreFieldsProps) {
  const { least, orderBy, isDescending, limit, dateField } = asked;
  const set = (part: Partial<Exploration>) => onChange(whole({ ...asked, ...part }));
  const isSet = [least, orderBy, limit, dateField].some((one) => one !== undefined);
  return (
    <details className="explore-more" open={isSet}>
      <summary>{moreFieldsWords.moreOptions}</summary>
      <div className="explore-options">
        {dates.length > 1 && (
          <label className="field">
            <span>{moreFieldsWords.counted}</span>
            <select
              className="input"
              value={dateField ?? defaultDate}
              onChange={(event) =>
                event.target.value === defaultDate
                  ? onChange(whole(without(asked, 'dateField')))
                  : set({ dateField: event.target.value })
              }
            >
              {dates.map((one) => (
                <option key={one} value={one}>
                  {columnLabel(one)}
                </option>
              ))}
            </select>
          </label>
        )}
        <NumberField
          label={moreFieldsWords.smallestValue}
          value={least}
          onSet={(value) =>
            onChange(whole({ ...without(asked, 'least'), ...(value === undefined ? {} : { least: value }) }))
          }
        />
        {isAboutPeople(asked) ? (
          <p className="small secondary explore-note">{moreFieldsWords.peopleListedByName}</p>
        ) : (
          <label className="field">
            <span>{moreFieldsWords.sorted}</span>
            <select
              className="input"
              value={orderBy === undefined ? '' : `${orderBy} ${isDescending ? 'down' : 'up'}`}
              onChange={(event) => {
                const [column, way] = event.target.value.split(' ');
                const rest = without(without(asked, 'orderBy'), 'isDescending');
                onChange(
                  whole({
                    ...rest,
                    ...(column ? { orderBy: column } : {}),
                    ...(column && way === 'down' ? { isDescending: true } : {}),
                  }),
                );
              }}
            >
              <option value="">{moreFieldsWords.timeThenGroups}</option>
              {sortColumns(asked).flatMap(({ column, name }) => [
                <option key={`${column} up`} value={`${column} up`}>
                  {moreFieldsWords.smallestFirst(name)}
                </option>,
                <option key={`${column} down`} value={`${column} down`}>
                  {moreFieldsWords.largestFirst(name)}
                </option>,
              ])}
            </select>
          </label>
        )}
        <NumberField
          label={moreFieldsWords.rowsUpTo200}
          value={limit}
          onSet={(value) =>
            onChange(
              whole({
                ...without(asked, 'limit'),
                ...(value === undefined ? {} : { limit: Math.min(200, Math.max(1, Math.round(value))) }),
              }),
            )
          }
        />
      </div>
    </details>
  );
}

/** The columns of the answer, by their names for people. */
const sortColumns = ({ metric, aggregation, by, level }: Exploration) => [
  { column: valueColumn(metric, aggregation), name: aboutMetric(metric).label },
  ...by.map((column) => ({ column, name: columnLabel(column) })),
  ...(level ? [{ column: `${level}_date`, name: capitalised(level) }] : []),
];

function without(asked: Exploration, name: 'least' | 'limit' | 'dateField' | 'orderBy' | 'isDescending'): Exploration {
  const { [name]: _old, ...others } = asked;
  return others;
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly onSet: (value: number | undefined) => void;
}

function NumberField({ label, value, onSet }: NumberFieldProps) {
  const read = (text: string) => {
    const next = text.trim() === '' ? undefined : Number(text);
    if (next !== value && (next === undefined || Number.isFinite(next))) onSet(next);
  };
  return (
    <label className="field">
      <span>{label}</span>
      <input
        key={value}
        className="input"
        type="number"
        step="any"
        defaultValue={value}
        onBlur={(event) => read(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') read(event.currentTarget.value);
        }}
      />
    </label>
  );
}
