import { firstState, linkTo, type ViewState } from '../ask/view-state.ts';

/** The address of a board: with the reader's filters, but with the board's own range. */
export const boardLink = (slug: string, state: ViewState): string =>
  linkTo(`/board/${encodeURIComponent(slug)}`, { ...state, range: firstState.range });
