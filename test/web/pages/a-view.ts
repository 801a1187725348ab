import { type View, viewOf } from '../../../web/src/ask/view.ts';
import { firstState, type ViewState } from '../../../web/src/ask/view-state.ts';

/** What a reader looks at, in London in the middle of November. */
export const aView = (state: Partial<ViewState> = {}): View =>
  viewOf({ ...firstState, ...state }, 'Europe/London', '2026-11-16');
