import { dateLevels } from '../../../../src/calendar.ts';
import { columnLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { aggregations, metrics } from '../../ask/catalogue.ts';
import { type Aggregation, aboutMetric, isMetric, type MetricName, wordFor } from '../../ask/metric-facts.ts';
import type { Answer } from '../../ask/use-answer.ts';
import { Failed } from '../../view/states.tsx';
import { type CatalogueAnswer, offered } from './catalogue-answer.ts';
import { type Exploration, type FormProps, hasDates, whole } from './exploration.ts';
import { FilterFields } from './filter-fields.tsx';
import { MoreFields } from './more-fields.tsx';

/** Metrics by domain, as the catalogue has them. */
const domains: ReadonlyMap<string, readonly MetricName[]> = (() => {
  const all = new Map<string, MetricName[]>();
  for (const name of Object.keys(metrics) as MetricName[]) {
    const { domain } = aboutMetric(name);
    all.set(domain, [...(all.get(domain) ?? []), name]);
  }
  return all;
})();

/** The form offers only what the metric has. */
export function ExploreForm({
  asked,
  onChange,
  catalogue,
}: FormProps & { readonly catalogue: Answer<CatalogueAnswer> }) {
  const about = aboutMetric(asked.metric);
  const { columns, dates, defaultDate, filters } = offered(catalogue.data, asked.metric);
  const set = (part: Partial<Exploration>) => onChange(whole({ ...asked, ...part }));
  const pickMetric = (name: string) => {
    if (!isMetric(name)) return;
    const isSameTable = aboutMetric(name).table === about.table;
    const { metric: _old, dateField: _date, orderBy: _order, isDescending: _down, ...kept } = asked;
    onChange(whole({ ...kept, metric: name, by: isSameTable ? asked.by : [] }));
  };
  return (
    <form className="card explore-form" aria-label="What to ask" onSubmit={(event) => event.preventDefault()}>
      <label className="field">
        <span>Metric</span>
        <select className="input" value={asked.metric} onChange={(event) => pickMetric(event.target.value)}>
          {[...domains].map(([domain, names]) => (
            <optgroup key={domain} label={domain}>
              {names.map((name) => (
                <option key={name} value={name}>
                  {aboutMetric(name).label}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      {about.needsAggregation && (
        <label className="field">
          <span>Aggregation</span>
          <select
            className="input"
            value={asked.aggregation}
            onChange={(event) => set({ aggregation: event.target.value as Aggregation })}
          >
            {aggregations.map((one) => (
              <option key={one} value={one}>
                {wordFor(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      {hasDates(asked.metric) && (
        <label className="field">
          <span>By time</span>
          <select
            className="input"
            value={asked.level ?? ''}
            onChange={(event) => {
              const { level: _old, ...rest } = asked;
              const level = dateLevels.find((one) => one === event.target.value);
              onChange(whole({ ...rest, ...(level ? { level } : {}) }));
            }}
          >
            <option value="">the whole range</option>
            {dateLevels.map((one) => (
              <option key={one} value={one}>
                per {one}
              </option>
            ))}
          </select>
        </label>
      )}
      {dates.length > 1 && (
        <label className="field">
          <span>Date</span>
          <select
            className="input"
            value={asked.dateField ?? defaultDate}
            onChange={(event) => set({ dateField: event.target.value })}
          >
            {dates.map((one) => (
              <option key={one} value={one}>
                {columnLabel(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      {catalogue.error && <Failed error={catalogue.error} retry={catalogue.retry} what="The list of columns" />}
      <GroupFields asked={asked} columns={columns} onChange={onChange} />
      <FilterFields asked={asked} filters={filters} onChange={onChange} />
      <MoreFields asked={asked} onChange={onChange} />
    </form>
  );
}

interface GroupFieldsProps extends FormProps {
  readonly columns: readonly { readonly name: string; readonly meaning: string }[];
}

function GroupFields({ asked, columns, onChange }: GroupFieldsProps) {
  const set = (by: readonly string[]) => onChange(whole({ ...asked, by }));
  return (
    <div className="field">
      <label className="field">
        <span>Group by</span>
        <select className="input" value="" onChange={(event) => set([...asked.by, event.target.value])}>
          <option value="">Split by…</option>
          {columns
            .filter(({ name }) => !asked.by.includes(name))
            .map(({ name, meaning }) => (
              <option key={name} value={name} title={meaning}>
                {columnLabel(name)}
              </option>
            ))}
        </select>
      </label>
      {asked.by.length > 0 && (
        <ul className="row" aria-label="Grouped by">
          {asked.by.map((column) => (
            <li key={column}>
              <button
                type="button"
                className="button"
                aria-label={`Remove ${columnLabel(column)}`}
                onClick={() => set(asked.by.filter((one) => one !== column))}
              >
                {columnLabel(column)} <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
