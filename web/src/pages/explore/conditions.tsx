import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { type Exploration, type ExploredValues, type FormProps, whole } from '../../ask/exploration.ts';
import { aboutMetric } from '../../ask/metric-facts.ts';
import { pageFilterNames, pageFilterOf, pageFilters } from '../../ask/page-filters.ts';
import { useNames } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { ChoiceList } from '../../view/choice-list.tsx';
import { setFilter, useFilterLabel } from '../../view/chosen-filter.ts';
import { FilterChoices } from '../../view/filter-menu.tsx';
import { Menu, MenuItem } from '../../view/menu.tsx';
import { uncapitalised } from '../../view/record-cells.ts';
import type { FilterAbout } from './catalogue-answer.ts';
import { choicesIn, closedChoices, isSearchedByServer, lookupOf, lookupQuestion } from './value-lookup.ts';
import { conditionsWords } from './words.ts';

interface ConditionsProps extends FormProps {
  readonly view: View;
  readonly filters: readonly FilterAbout[];
}

/** What each set filter lets through, and a menu that adds one. Those above the page are the same ones here. */
export function Conditions({ view, asked, filters, onChange }: ConditionsProps) {
  const has = aboutMetric(asked.metric).filters;
  const offered = filters.filter(({ name }) => has.includes(name) && !/_date$/.test(name) && name !== 'manager_email');
  const above = pageFilterNames.filter(
    (name) => view.state.filters[name].length > 0 && has.includes(pageFilters[name].request),
  );
  const set = (name: string, values: ExploredValues) => {
    const { [name]: _old, ...others } = asked.filters;
    onChange(whole({ ...asked, filters: values.length === 0 ? others : { ...others, [name]: values } }));
  };
  const own = Object.entries(asked.filters);
  const labelOf = (name: string): string => filters.find((one) => one.name === name)?.label ?? name;
  return (
    <>
      {above.map((name, at) => (
        <span className="explore-part" key={name}>
          {at > 0 && 'and'}
          <span className="filter-chip is-set">
            <Menu label={<AboveLabel view={view} filter={name} />}>
              {() => <FilterChoices view={view} filter={name} />}
            </Menu>
            <Remove name={pageFilters[name].one} onRemove={() => setFilter(view, name, [])} />
          </span>
        </span>
      ))}
      {own.map(([name, values], at) => {
        const about = filters.find((one) => one.name === name);
        const label = (
          <OwnLabel view={view} asked={asked} name={name} label={labelOf(name)} about={about} values={values} />
        );
        return (
          <span className="explore-part" key={name}>
            {above.length + at > 0 && 'and'}
            <span className="filter-chip is-set">
              <Menu label={label}>
                {() =>
                  about && (
                    <FilterValues
                      view={view}
                      asked={asked}
                      about={about}
                      values={values}
                      onSet={(next) => set(name, next)}
                    />
                  )
                }
              </Menu>
              <Remove name={labelOf(name)} onRemove={() => set(name, [])} />
            </span>
          </span>
        );
      })}
      <Menu
        label={
          <>
            <Plus className="icon" aria-hidden="true" />
            {above.length + own.length === 0 ? (
              'Add a condition'
            ) : (
              <span className="unseen">{conditionsWords.addCondition}</span>
            )}
          </>
        }
        className="button explore-add"
        hasMark={false}
      >
        {() => <AddCondition view={view} asked={asked} offered={offered} onSet={set} />}
      </Menu>
    </>
  );
}

const Remove = ({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) => (
  <button
    type="button"
    className="filter-clear"
    aria-label={conditionsWords.removeCondition(name)}
    title={conditionsWords.remove}
    onClick={onRemove}
  >
    <X className="icon" aria-hidden="true" />
  </button>
);

interface AddConditionProps {
  readonly view: View;
  readonly asked: Exploration;
  readonly offered: readonly FilterAbout[];
  readonly onSet: (name: string, values: ExploredValues) => void;
}

/** First what to filter by, then its values in the same place. */
function AddCondition({ view, asked, offered, onSet }: AddConditionProps) {
  const [picked, setPicked] = useState<string>();
  const about = offered.find(({ name }) => name === picked);
  if (!about) {
    return (
      <ChoiceList
        many="conditions"
        choices={offered.map(({ name, label }) => ({ id: name, name: label }))}
        chosen={[...Object.keys(asked.filters)]}
        onPick={setPicked}
      />
    );
  }
  const above = pageFilterOf(about.name);
  if (above) return <FilterChoices view={view} filter={above} />;
  return (
    <FilterValues
      view={view}
      asked={asked}
      about={about}
      values={asked.filters[about.name] ?? []}
      onSet={(values) => onSet(about.name, values)}
    />
  );
}

interface FilterValuesProps {
  readonly view: View;
  readonly asked: Exploration;
  readonly about: FilterAbout;
  readonly values: ExploredValues;
  readonly onSet: (values: ExploredValues) => void;
}

/** The values of one filter: a closed list, or what the data has. */
function FilterValues({ view, asked, about, values, onSet }: FilterValuesProps) {
  const [search, setSearch] = useState('');
  const lookup = about.one_of ? undefined : lookupOf(about.name, asked);
  const { data, isFirst, error } = useNames(lookup && lookupQuestion(view, lookup, { search }));
  if (about.name === 'pull_requests_search_term') return <SearchTerm values={values} onSet={onSet} />;
  const chosen = values.map(String);
  const read = (id: string): string | number => (about.form === 'integers' ? Number(id) : id);
  const toggle = (id: string) => {
    if (about.form === 'text') return onSet(chosen.includes(id) ? [] : [id]);
    onSet(chosen.includes(id) ? values.filter((one) => String(one) !== id) : [...values, read(id)]);
  };
  const isLocal = lookup === undefined || !isSearchedByServer(lookup);
  return (
    <ChoiceList
      key={about.name}
      many={uncapitalised(about.label)}
      choices={lookup ? choicesIn(data?.rows ?? [], lookup) : closedChoices(about)}
      chosen={chosen}
      onPick={toggle}
      isWaiting={lookup !== undefined && isFirst && !error}
      {...(isLocal ? {} : { onSearch: setSearch })}
      {...(about.one_of || about.form === 'integers' ? {} : { onTyped: toggle })}
    >
      {error && <p className="menu-part small">{error.message}</p>}
      {values.length > 0 && <MenuItem onPick={() => onSet([])}>{conditionsWords.any}</MenuItem>}
    </ChoiceList>
  );
}

/** Words are not picked but typed. */
function SearchTerm({ values, onSet }: Pick<FilterValuesProps, 'values' | 'onSet'>) {
  return (
    <form
      className="menu-part row"
      onSubmit={(event) => {
        event.preventDefault();
        const text = String(new FormData(event.currentTarget).get('words') ?? '').trim();
        onSet(text === '' ? [] : [text]);
      }}
    >
      <input
        className="input"
        name="words"
        type="search"
        maxLength={200}
        aria-label={conditionsWords.wordsInPullRequest}
        placeholder={conditionsWords.wordsThatAllOccur}
        defaultValue={values.map(String).join(' ')}
      />
      <button type="submit" className="button primary">
        {conditionsWords.search}
      </button>
    </form>
  );
}

function AboveLabel({ view, filter }: { readonly view: View; readonly filter: (typeof pageFilterNames)[number] }) {
  const label = useFilterLabel(view, filter);
  return (
    <span className="menu-label">
      {conditionsWords.is(pageFilters[filter].one)} <b>{label}</b>
    </span>
  );
}

interface OwnLabelProps {
  readonly view: View;
  readonly asked: Exploration;
  readonly name: string;
  readonly label: string;
  readonly about: FilterAbout | undefined;
  readonly values: ExploredValues;
}

/** `state is Merged or Open`. Names of records are asked for by their ids. */
function OwnLabel({ view, asked, name, label, about, values }: OwnLabelProps) {
  const lookup = about?.one_of ? undefined : lookupOf(name, asked);
  const hasNames = lookup?.name !== undefined && values.length <= maxNamed;
  const filterThere = lookup && aboutMetric(lookup.metric).filters.includes(name) ? name : undefined;
  const question =
    hasNames && lookup
      ? lookupQuestion(view, lookup, filterThere ? { named: { [filterThere]: textOrList(name, values) } } : {})
      : undefined;
  const { data } = useNames(question);
  const choices = lookup ? choicesIn(data?.rows ?? [], lookup) : about ? closedChoices(about) : [];
  const nameOf = (value: string | number): string =>
    choices.find(({ id }) => id === String(value))?.name ??
    (lookup
      ? (choicesIn([{ [lookup.column]: value }], { ...lookup, more: [] })[0]?.name ?? String(value))
      : String(value));
  const text = values.length > maxNamed ? conditionsWords.one(values.length) : values.map(nameOf).join(' or ');
  return (
    <span className="menu-label">
      {uncapitalised(label)} {name === 'pull_requests_search_term' ? 'include' : 'is'} <b data-record>{text}</b>
    </span>
  );
}

/** More values than this are counted. */
const maxNamed = 2;

const textOrList = (name: string, values: ExploredValues): ExploredValues | string =>
  name === 'session_id' ? String(values[0] ?? '') : values;
