import { type KeyboardEvent, type ReactNode, useId } from 'react';
import type { Figure } from '../ask/figure.ts';
import { useOwnChoice } from '../ask/use-view.ts';
import { figureTabsWords } from './figure-tabs-words.ts';

/** What makes a tile a tab of the main chart. */
export interface TileTab {
  readonly id: string;
  readonly panelId: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

interface FigureTabs {
  /** The place of the figure that the main chart shows. */
  readonly chosen: number;
  readonly tabOf: (at: number) => TileTab;
  /** For screen readers the tabs are a list of their own: a tile has a number besides, which opens its records. */
  readonly list: ReactNode;
  /** The main chart goes in here. */
  readonly panel: (chart: ReactNode) => ReactNode;
}

const nameOf = ({ spec: { metric, aggregation } }: Figure): string =>
  aggregation ? `${metric}-${aggregation.toLowerCase()}` : metric;

/** The tiles of a page as the tabs of its main chart. The address keeps which one is chosen. */
export function useFigureTabs(figures: readonly Figure[]): FigureTabs {
  const names = figures.map(nameOf);
  const [name, choose] = useOwnChoice('show', names[0] ?? '', names);
  const prefix = useId();
  const chosen = Math.max(0, names.indexOf(name));
  const idOf = (at: number): string => `${prefix}tab-${at}`;
  const panelId = `${prefix}panel`;
  const show = (at: number) => choose(names[at] ?? '');
  const onKeyDown = (event: KeyboardEvent) => {
    const to = placeAfter(chosen, names.length, event.key);
    if (to === undefined) return;
    event.preventDefault();
    show(to);
    document.getElementById(idOf(to))?.focus();
  };
  return {
    chosen,
    tabOf: (at) => ({ id: idOf(at), panelId, isChosen: at === chosen, onChoose: () => show(at), onKeyDown }),
    list: (
      <div role="tablist" aria-label={figureTabsWords.mainChart} aria-owns={names.map((_, at) => idOf(at)).join(' ')} />
    ),
    panel: (chart) => (
      <div role="tabpanel" id={panelId} aria-labelledby={idOf(chosen)}>
        {chart}
      </div>
    ),
  };
}

/** Where a key leads from a tab: around the ends, as tabs do everywhere. */
function placeAfter(at: number, count: number, key: string): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key];
  return step === undefined ? undefined : (at + step + count) % count;
}
