import { aggregations } from './catalogue.ts';
import { type Aggregation, isMetric, type MetricName } from './metric-facts.ts';
import { type Compare, comparisons, type DayWindow, isUnitRange, presets, type Range } from './windows.ts';

/** Values of the filters that every page has: ids of teams, people and squads, names of repositories and departments. */
export interface ViewFilters {
  readonly team: readonly string[];
  readonly repository: readonly string[];
  readonly person: readonly string[];
  readonly department: readonly string[];
  readonly squad: readonly string[];
}

/** The records behind one mark, bar, cell or number. */
export interface PanelState {
  readonly metric: MetricName;
  readonly aggregation?: Aggregation;
  /** The bucket that was clicked; without it the whole window. */
  readonly window?: DayWindow;
  /** Columns with the value that the rows must have. null is a value: nobody, none. */
  readonly where?: Readonly<Record<string, string | null>>;
}

/** The state that Back, reload and a pasted link restore. */
export interface ViewState {
  readonly range: Range;
  /** Chosen by the reader, where the page has a range of its own that would be shown otherwise. */
  readonly isRangeChosen?: true;
  readonly compare: Compare;
  readonly filters: ViewFilters;
  readonly panel?: PanelState;
  /** Choices of a single page by short name, such as the shown tab. */
  readonly own: Readonly<Record<string, string>>;
}

export const noFilters: ViewFilters = { team: [], repository: [], person: [], department: [], squad: [] };
export const firstState: ViewState = { range: '90d', compare: 'previous', filters: noFilters, own: {} };

/** Longer links are cut by mail programs and proxies. */
export const maxSearchLength = 2_000;

const filterKeys = {
  team: 'team',
  repository: 'repo',
  person: 'person',
  department: 'dept',
  squad: 'squad',
} as const satisfies Readonly<Record<keyof ViewFilters, string>>;
const taken = ['r', 'c', 'panel', ...Object.values(filterKeys)];

/** The state as the query of an address; empty for the state that every page starts with. */
export function toSearch(state: ViewState): string {
  const search = new URLSearchParams();
  const { range, isRangeChosen, compare, filters, panel, own } = state;
  if (isRangeChosen || range !== firstState.range) {
    search.set('r', typeof range === 'string' ? range : `${range.start}.${range.end}`);
  }
  if (compare !== firstState.compare) search.set('c', compare);
  for (const [filter, key] of Object.entries(filterKeys)) {
    const values = filters[filter as keyof ViewFilters];
    if (values.length > 0) search.set(key, join(values));
  }
  for (const [key, value] of Object.entries(own)) if (isOwnKey(key)) search.set(key, value);
  if (panel) search.set('panel', panelText(panel));
  return search.toString();
}

export function addressOf(path: string, state: ViewState): string {
  const search = toSearch(state);
  return search === '' ? path : `${path}?${search}`;
}

/**
 * The address of another page with the same range, comparison and filters. The panel and the page's choices start over.
 */
export function linkTo(path: string, { range, compare, filters }: ViewState, own: ViewState['own'] = {}): string {
  return addressOf(path, { range, compare, filters, own });
}

export const fits = (state: ViewState): boolean => toSearch(state).length <= maxSearchLength;

/** Parts of an address that are not understood are left out: a link from elsewhere must not break the page. */
export function fromSearch(text: string): ViewState {
  const search = new URLSearchParams(text);
  const range = readRange(search.get('r'));
  const compare = comparisons.find((one) => one === search.get('c')) ?? firstState.compare;
  const valuesOf = (key: string): string[] => split(search.get(key) ?? '').filter((value) => value !== '');
  const panel = readPanel(search.get('panel'));
  return {
    range,
    // Without this, the range that other pages begin with could not be chosen where a page begins with its own.
    ...(search.get('r') === firstState.range ? { isRangeChosen: true as const } : {}),
    compare,
    filters: Object.fromEntries(
      Object.entries(filterKeys).map(([filter, key]) => [filter, valuesOf(key)]),
    ) as unknown as ViewFilters,
    own: Object.fromEntries([...search].filter(([key]) => isOwnKey(key))),
    ...(panel ? { panel } : {}),
  };
}

/**
 * The names in an address that the page does not understand: those that neither all pages nor this one has, and those of
 * all pages with a value that says nothing.
 */
export function unreadParameters(text: string, choices: readonly string[]): readonly string[] {
  const search = new URLSearchParams(text);
  const isRead = (name: string): boolean => {
    const value = search.get(name) ?? '';
    if (name === 'r') return rangeIn(value) !== undefined;
    if (name === 'c') return comparisons.some((one) => one === value);
    if (name === 'panel') return readPanel(value) !== undefined;
    return taken.includes(name) || choices.includes(name);
  };
  return [...new Set(search.keys())].filter((name) => !isRead(name));
}

const isOwnKey = (key: string): boolean => !taken.includes(key) && /^[a-z][a-z0-9-]{0,19}$/.test(key);

function readRange(text: string | null): Range {
  return rangeIn(text ?? '') ?? firstState.range;
}

const rangeIn = (text: string): Range | undefined =>
  presets.find((one) => one === text) ?? (isUnitRange(text) ? text : readWindow(text));

function readWindow(text: string): DayWindow | undefined {
  const [start, end, ...others] = text.split('.');
  return start && end && others.length === 0 && isDay(start) && isDay(end) && start <= end ? { start, end } : undefined;
}

function isDay(text: string): boolean {
  const time = /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}

/** Metric, aggregation, window, then columns with their values, in one list. A letter before each value tells null from text. */
export function panelText({ metric, aggregation, window, where = {} }: PanelState): string {
  const cells = Object.entries(where).flatMap(([column, value]) => [column, value === null ? 'n' : `v${value}`]);
  return join([metric, aggregation ?? '', window ? `${window.start}.${window.end}` : '', ...cells]);
}

function readPanel(text: string | null): PanelState | undefined {
  if (text === null) return undefined;
  const [metric = '', aggregation, window = '', ...cells] = split(text);
  if (!isMetric(metric)) return undefined;
  const known = aggregations.find((one) => one === aggregation);
  const days = readWindow(window);
  const where: [string, string | null][] = [];
  for (let at = 0; at + 1 < cells.length; at += 2) {
    const [column = '', value = ''] = [cells[at], cells[at + 1]];
    if (/^[a-z_]{1,60}$/.test(column)) where.push([column, value === 'n' ? null : value.slice(1)]);
  }
  return {
    metric,
    ...(known ? { aggregation: known } : {}),
    ...(days ? { window: days } : {}),
    ...(where.length > 0 ? { where: Object.fromEntries(where) } : {}),
  };
}

/** Commas separate values; a comma or tilde within a value is written as a tilde and a letter. */
const join = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll('~', '~t').replaceAll(',', '~c')).join(',');
const split = (text: string): string[] =>
  text === '' ? [] : text.split(',').map((value) => value.replaceAll('~c', ',').replaceAll('~t', '~'));
