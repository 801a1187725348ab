import { valueColumn } from '../../ask/metric-facts.ts';
import { type Exploration, type FormProps, isAboutPeople, whole } from './exploration.ts';

/** Rarely needed fields: the smallest value, the order, the number of rows. */
export function MoreFields({ asked, onChange }: FormProps) {
  const { least, orderBy, isDescending, limit, ...rest } = asked;
  const set = (part: Partial<Exploration>) => onChange(whole({ ...asked, ...part }));
  const bucket = asked.level ? [`${asked.level}_date`] : [];
  const columns = [valueColumn(asked.metric, asked.aggregation), ...asked.by, ...bucket];
  const isPeople = isAboutPeople(asked);
  return (
    <details open={least !== undefined || orderBy !== undefined || limit !== undefined}>
      <summary>More options</summary>
      <div className="stack explore-more">
        <NumberField
          label="At least"
          value={least}
          onSet={(value) =>
            onChange(whole({ ...without(asked, 'least'), ...(value === undefined ? {} : { least: value }) }))
          }
        />
        {isPeople ? (
          <p className="small secondary">People are listed by name, not by a number.</p>
        ) : (
          <label className="field">
            <span>Order by</span>
            <select
              className="input"
              value={orderBy === undefined ? '' : `${orderBy} ${isDescending ? 'down' : 'up'}`}
              onChange={(event) => {
                const [column, way] = event.target.value.split(' ');
                if (!column)
                  onChange(
                    whole({
                      ...rest,
                      ...(least === undefined ? {} : { least }),
                      ...(limit === undefined ? {} : { limit }),
                    }),
                  );
                else set({ orderBy: column, isDescending: way === 'down' });
              }}
            >
              <option value="">time, then groups</option>
              {columns.flatMap((column) =>
                ['up', 'down'].map((way) => (
                  <option key={`${column} ${way}`} value={`${column} ${way}`}>
                    {column.replaceAll('_', ' ')}, {way === 'up' ? 'smallest first' : 'largest first'}
                  </option>
                )),
              )}
            </select>
          </label>
        )}
        <NumberField
          label="Rows, up to 200"
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

function without(asked: Exploration, name: 'least' | 'limit'): Exploration {
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
