import type { Principal } from '../access/principal.ts';
import { isDay, TimeZone } from '../calendar.ts';
import { filters as allFilters } from '../catalogue/filters.ts';
import type { Metric } from '../catalogue/metric.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import {
  booleanIn,
  fieldsIn,
  given,
  isFields,
  naming,
  requiredTitle,
  shortened,
  titleIn,
  type WrittenFields,
  wordIn,
} from '../documents/document-fields.ts';
import type { WritingContext } from '../documents/document-kind.ts';
import { slugIn } from '../documents/slug.ts';
import { filtersByTeamId, teamIdsIn } from '../documents/teams-of-reader.ts';
import { readVisibleTo } from '../documents/visible-to.ts';
import { findMetric, readSingle } from '../query/reading/metric-request.ts';
import { filterNamesOf, readFilters } from '../query/reading/read-filters.ts';
import { windowBetween } from '../query/request-window.ts';
import { Refusal } from '../refusal.ts';
import {
  type Board,
  type BoardFilters,
  type BoardPanel,
  type BoardRange,
  maxPanels,
  type PanelRequest,
  panelViews,
} from './board.ts';
import { panelQuestion, unitsIn } from './board-questions.ts';

const boardFields = ['board', 'title', 'visible_to', 'range', 'filters', 'panels'];
const panelFields = ['title', 'metric', 'request', 'view', 'compare', 'wide'];

interface BoardReading extends Pick<WritingContext<Board>, 'principal' | 'teams' | 'now'> {
  readonly knownTeams: ReadonlySet<string>;
}

/** Reads a board. Every panel has to be a question that the catalogue knows, with the filters of the board over it. */
export function readBoard(written: unknown, context: WritingContext<Board>): Board {
  const { principal, teams, now, slug, before } = context;
  const fields = fieldsIn(written, boardFields, 'The board');
  slugIn(fields, 'board', slug);
  const reading: BoardReading = { principal, teams, now, knownTeams: teamIdsIn(before?.document) };
  const filters = fields.filters === undefined ? undefined : readBoardFilters(fields.filters, reading);
  const visibleTo = fields.visible_to;
  return given({
    title: requiredTitle(fields),
    visible_to: visibleTo === undefined ? undefined : readVisibleTo(visibleTo, teams, reading.knownTeams),
    range: fields.range === undefined ? undefined : readRange(fields.range, reading),
    filters,
    panels: readPanels(fields.panels, filters ?? {}, reading),
  });
}

function readRange(range: unknown, { principal, now }: BoardReading): BoardRange {
  if (typeof range === 'string' && unitsIn(range)) return range;
  const { start_date: start, end_date: end, ...others } = isFields(range) ? range : {};
  if (!isDayText(start) || !isDayText(end) || Object.keys(others).length > 0) {
    throw new Refusal(
      'bad-input',
      'range must be days, weeks or months such as 90d, 12w or 6m, ten years at most, or {start_date, end_date}.',
    );
  }
  naming('range', () => windowBetween({ start, end }, TimeZone.named(principal.timeZone), now));
  return { start_date: start, end_date: end };
}

const isDayText = (value: unknown): value is string => typeof value === 'string' && isDay(value);

function readPanels(written: unknown, filters: BoardFilters, reading: BoardReading): BoardPanel[] {
  if (!Array.isArray(written)) throw new Refusal('bad-input', 'panels must be a list.');
  if (written.length > maxPanels) {
    throw new Refusal('bad-input', `A board has at most ${maxPanels} panels, not ${written.length}.`);
  }
  return written.map((panel, i) => naming(panelName(panel, i), () => readPanel(panel, filters, reading)));
}

/** As people find it: by its place, and by its title where it has one. */
function panelName(panel: unknown, index: number): string {
  const title = isFields(panel) && typeof panel.title === 'string' ? ` (${shortened(panel.title)})` : '';
  return `Panel ${index + 1}${title}`;
}

function readPanel(written: unknown, boardFilters: BoardFilters, reading: BoardReading): BoardPanel {
  const fields = fieldsIn(written, panelFields, 'It');
  const { metric: name } = fields;
  if (typeof name !== 'string') throw new Refusal('bad-input', 'metric must be the name of a metric.');
  const view = wordIn(fields, 'view', panelViews);
  if (view === undefined) throw new Refusal('bad-input', `view is missing: one of ${panelViews.join(', ')}.`);
  const panel: BoardPanel = given({
    title: titleIn(fields, 'title'),
    metric: name,
    request: fields.request === undefined ? undefined : readRequest(fields.request, reading),
    view,
    compare: booleanIn(fields, 'compare'),
    wide: booleanIn(fields, 'wide'),
  });
  checkQuestion(panel, boardFilters, reading);
  return panel;
}

/** Fields of a body that other parts of a board say. */
const saidElsewhere: Readonly<Record<string, string>> = {
  include_previous_period: 'compare: true in the panel',
  previous_start_date: 'compare: true in the panel',
  previous_end_date: 'compare: true in the panel',
  time_series_data: 'view in the panel',
};

function readRequest(request: unknown, { teams, knownTeams }: BoardReading): PanelRequest {
  if (!isFields(request)) throw new Refusal('bad-input', 'request must be the body of a question, without its days.');
  for (const [field, where] of Object.entries(saidElsewhere)) {
    if (field in request) throw new Refusal('bad-input', `request has ${field}: write ${where} instead.`);
  }
  const { filters } = request;
  if (filters === undefined) return request;
  if (!isFields(filters)) throw new Refusal('bad-input', 'request.filters must be an object.');
  refuseDays(filters);
  return { ...request, filters: filtersByTeamId(filters, teams, knownTeams) };
}

function refuseDays(filters: WrittenFields): void {
  const day = ['start_date', 'end_date'].find((name) => name in filters);
  if (day) throw new Refusal('bad-input', `filters has ${day}: the range of the board says which days.`);
}

/** Days that every question may be checked with. */
const someDays = { start_date: '2024-01-01', end_date: '2024-01-31' };

/** Asks as somebody who may ask everything: gates and rows are those of the reader, not of the writer. */
function checkQuestion(panel: BoardPanel, filters: BoardFilters, { principal, now }: BoardReading): void {
  const writer: Principal = {
    ...principal,
    role: 'Owner',
    permissions: ['can-view-salaries'],
    salaryVisibility: true,
  };
  const context = { principal: writer, now };
  const metric = findMetric(panel.metric, context);
  const takes = takenBy(metric);
  const body = panelQuestion(panel, { days: someDays, filters, takes });
  readSingle(metric, body, context);
  // A filter of the panel that one of the board is laid over is a filter of the metric all the same.
  readFilters(panel.request?.filters ?? {}, [metric]);
}

/** Whether a metric takes a filter, under any of its names. */
export const takenBy = (metric: Metric): ((filter: string) => boolean) => {
  const known = new Set(filterNamesOf(metric).flatMap((name) => [name, ...(allFilters[name]?.aliases ?? [])]));
  return (filter) => known.has(filter);
};

function readBoardFilters(written: unknown, { teams, knownTeams }: BoardReading): BoardFilters {
  if (!isFields(written)) throw new Refusal('bad-input', 'filters must be an object such as {team: [Checkout]}.');
  refuseDays(written);
  const filters = filtersByTeamId(written, teams, knownTeams);
  for (const [name, value] of Object.entries(filters)) {
    // Any metric that takes the filter knows how its values are written; one that does not says which filters there are.
    const [some] = metrics.values();
    const metric = [...metrics.values()].find((one) => takenBy(one)(name)) ?? some;
    if (metric) naming('filters', () => readFilters({ [name]: value }, [metric]));
  }
  return filters;
}
