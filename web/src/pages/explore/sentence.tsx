import { Plus } from 'lucide-react';
import { dateLevels } from '../../../../src/calendar.ts';
import { columnLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { aggregations, metrics } from '../../ask/catalogue.ts';
import { type Exploration, type FormProps, hasDates, whole } from '../../ask/exploration.ts';
import { aboutMetric, isMetric, type MetricName, measureOf, wordFor } from '../../ask/metric-facts.ts';
import type { Answer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { ChoiceList, type ListedChoice } from '../../view/choice-list.tsx';
import { Menu, MenuItem } from '../../view/menu.tsx';
import { uncapitalised } from '../../view/record-cells.ts';
import { Failed } from '../../view/states.tsx';
import { type CatalogueAnswer, type ColumnAbout, offered } from './catalogue-answer.ts';
import { Conditions } from './conditions.tsx';
import { MoreFields } from './more-fields.tsx';
import { sentenceWords } from './words.ts';

/** All metrics, those of a domain together, as the catalogue has them. */
const allMetrics: readonly ListedChoice[] = (() => {
  const names = Object.keys(metrics) as MetricName[];
  const domains = [...new Set(names.map((name) => aboutMetric(name).domain))];
  return domains.flatMap((group) =>
    names
      .filter((name) => aboutMetric(name).domain === group)
      .map((name) => ({ id: name, name: aboutMetric(name).label, group })),
  );
})();

interface SentenceProps extends FormProps {
  readonly view: View;
  readonly catalogue: Answer<CatalogueAnswer>;
}

/** The question as one sentence, each part of which is a menu of what the metric has. */
export function ExploreSentence({ view, asked, onChange, catalogue }: SentenceProps) {
  const about = aboutMetric(asked.metric);
  const { columns, dates, defaultDate, filters } = offered(catalogue.data, asked.metric);
  return (
    <section className="card explore-question" aria-label={sentenceWords.whatToAsk}>
      <div className="explore-sentence">
        <span>{sentenceWords.show}</span>
        {about.needsAggregation && <AggregationMenu asked={asked} onChange={onChange} />}
        <MetricMenu asked={asked} onChange={onChange} />
        {hasDates(asked.metric) ? (
          <>
            {asked.level && <span>{sentenceWords.per}</span>}
            <LevelMenu asked={asked} onChange={onChange} />
          </>
        ) : (
          <span>{sentenceWords.asItNow}</span>
        )}
        <span>{sentenceWords.split}</span>
        <SplitMenus asked={asked} columns={columns} onChange={onChange} />
        <span>{sentenceWords.where}</span>
        <Conditions view={view} asked={asked} filters={filters} onChange={onChange} />
      </div>
      {catalogue.error && <Failed error={catalogue.error} retry={catalogue.retry} what={sentenceWords.listColumns} />}
      <MoreFields asked={asked} dates={dates} defaultDate={defaultDate} onChange={onChange} />
    </section>
  );
}

function AggregationMenu({ asked, onChange }: FormProps) {
  const measure = measureOf(asked.metric);
  return (
    <Menu label={<b>{asked.aggregation ? wordFor(asked.aggregation, measure) : ''}</b>}>
      {(close) =>
        aggregations.map((one) => (
          <MenuItem
            key={one}
            isChosen={one === asked.aggregation}
            onPick={() => {
              onChange(whole({ ...asked, aggregation: one }));
              close();
            }}
          >
            {wordFor(one, measure)}
          </MenuItem>
        ))
      }
    </Menu>
  );
}

function MetricMenu({ asked, onChange }: FormProps) {
  const { label, meaning } = aboutMetric(asked.metric);
  return (
    <Menu label={<b title={meaning}>{uncapitalised(label)}</b>}>
      {(close) => (
        <ChoiceList
          many="metrics"
          choices={allMetrics}
          chosen={[asked.metric]}
          onPick={(name) => {
            if (isMetric(name)) onChange(withMetric(asked, name));
            close();
          }}
        />
      )}
    </Menu>
  );
}

/** The question about another metric. Columns of another table are left out. */
function withMetric(asked: Exploration, metric: MetricName): Exploration {
  const isSameTable = aboutMetric(metric).table === aboutMetric(asked.metric).table;
  const { metric: _old, dateField: _date, orderBy: _order, isDescending: _down, ...kept } = asked;
  return whole({ ...kept, metric, by: isSameTable ? asked.by : [] });
}

const wholeRange = sentenceWords.overWholeRange;

function LevelMenu({ asked, onChange }: FormProps) {
  const { level, ...rest } = asked;
  return (
    <Menu label={<b>{level ?? wholeRange}</b>}>
      {(close) =>
        [...dateLevels, undefined].map((one) => (
          <MenuItem
            key={one ?? ''}
            isChosen={one === level}
            onPick={() => {
              onChange(whole({ ...rest, ...(one ? { level: one } : {}) }));
              close();
            }}
          >
            {one ?? wholeRange}
          </MenuItem>
        ))
      }
    </Menu>
  );
}

interface SplitMenusProps extends FormProps {
  readonly columns: readonly ColumnAbout[];
}

/** A menu for each column that the answer is split by, and one for another. */
function SplitMenus({ asked, columns, onChange }: SplitMenusProps) {
  const set = (by: readonly string[]) => onChange(whole({ ...asked, by: [...new Set(by)] }));
  const choices = columnChoices(columns);
  if (asked.by.length === 0)
    return (
      <Menu label={<b>{sentenceWords.nothing}</b>} name={sentenceWords.splitByNothing}>
        {(close) => (
          <ChoiceList
            many="columns"
            choices={choices}
            chosen={[]}
            onPick={(column) => {
              set([column]);
              close();
            }}
          />
        )}
      </Menu>
    );
  return (
    <>
      {asked.by.map((column, at) => (
        <span className="explore-part" key={column}>
          {at > 0 && 'and'}
          <Menu label={<b>{uncapitalised(columnLabel(column))}</b>} name={sentenceWords.splitName(columnLabel(column))}>
            {(close) => (
              <ChoiceList
                many="columns"
                choices={choices}
                chosen={[column]}
                onPick={(other) => {
                  set(other === column ? asked.by : asked.by.with(at, other));
                  close();
                }}
              >
                <MenuItem
                  onPick={() => {
                    set(asked.by.filter((one) => one !== column));
                    close();
                  }}
                >
                  {asked.by.length === 1 ? sentenceWords.nothingElse : sentenceWords.removeThisSplit}
                </MenuItem>
              </ChoiceList>
            )}
          </Menu>
        </span>
      ))}
      <Menu
        label={<Plus className="icon" aria-hidden="true" />}
        isIcon
        name={sentenceWords.splitByAnotherColumn}
        className="button explore-add"
      >
        {(close) => (
          <ChoiceList
            many="columns"
            choices={choices.filter(({ id }) => !asked.by.includes(id))}
            chosen={[]}
            onPick={(column) => {
              set([...asked.by, column]);
              close();
            }}
          />
        )}
      </Menu>
    </>
  );
}

/** What most questions are split by; each metric has some of them. */
const first = ['team_name', 'squad_name', 'department', 'repository_name', 'name', 'manager_name', 'role', 'location'];

/** Columns by their names: the usual ones first, ids last. Two of one name say what they mean. */
export function columnChoices(columns: readonly ColumnAbout[]): readonly ListedChoice[] {
  const placeOf = ({ name }: ColumnAbout): number => {
    const at = first.indexOf(name);
    return at >= 0 ? at : /(^|_)ids?$/.test(name) ? first.length + 1 : first.length;
  };
  const twice = (label: string): boolean => columns.filter((one) => one.label === label).length > 1;
  return columns
    .toSorted((a, b) => placeOf(a) - placeOf(b) || a.label.localeCompare(b.label))
    .map((column) => ({
      id: column.name,
      name: column.label,
      group: placeOf(column) < first.length ? sentenceWords.oftenUsed : sentenceWords.allColumns,
      ...(twice(column.label) ? { more: column.meaning } : {}),
    }));
}
