import type { StoredVisibleTo } from '../documents/visible-to.ts';

/** A board as it is stored: teams by identifier. What was not written is not there. */
export interface Board {
  readonly title: string;
  readonly visible_to?: StoredVisibleTo | undefined;
  readonly range?: BoardRange | undefined;
  /** Laid over every panel whose metric takes such a filter. */
  readonly filters?: BoardFilters | undefined;
  readonly panels: readonly BoardPanel[];
}

/** So many whole days, weeks or months that end where the data end (`90d`, `12w`, `6m`), or days of its own. */
export type BoardRange = string | BoardDays;

export interface BoardDays {
  readonly start_date: string;
  readonly end_date: string;
}

export type BoardFilters = Readonly<Record<string, unknown>>;

export interface BoardPanel {
  readonly title?: string | undefined;
  readonly metric: string;
  /** The body of the question, without its days. */
  readonly request?: PanelRequest | undefined;
  readonly view: PanelView;
  /** Whether every value stands beside the one of the period before. */
  readonly compare?: boolean | undefined;
  /** Whether it takes the whole width of the page. */
  readonly wide?: boolean | undefined;
}

export interface PanelRequest {
  readonly filters?: BoardFilters;
  readonly [field: string]: unknown;
}

export const panelViews = ['number', 'line', 'bar', 'stacked', 'table', 'heat', 'share'] as const;
export type PanelView = (typeof panelViews)[number];

export const maxPanels = 40;
