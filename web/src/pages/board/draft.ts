import type { BoardDocument } from '../../ask/board-document.ts';
import type { Panel } from '../../ask/panel-of.ts';

/** A panel under a key of its own, so that it stays the same wherever it is moved. */
export interface KeyedPanel {
  readonly key: string;
  readonly panel: Panel;
}

/** A board while it is edited. */
export interface Draft {
  readonly board: Omit<BoardDocument, 'panels'>;
  readonly panels: readonly KeyedPanel[];
}

export function draftOf({ panels, ...board }: BoardDocument): Draft {
  return { board, panels: panels.map((panel, at) => ({ key: String(at), panel })) };
}

export const documentOf = ({ board, panels }: Draft): BoardDocument => ({
  ...board,
  panels: panels.map(({ panel }) => panel),
});

/** The panel moves to another place; those between move up or down by one. */
export function moved(panels: readonly KeyedPanel[], key: string, place: number): readonly KeyedPanel[] {
  const from = panels.findIndex((one) => one.key === key);
  const panel = panels[from];
  const to = Math.min(Math.max(place, 0), panels.length - 1);
  return panel === undefined || from === to ? panels : panels.toSpliced(from, 1).toSpliced(to, 0, panel);
}

/** A field that is switched off is left out, as people write boards. */
export function changed(panels: readonly KeyedPanel[], key: string, change: Partial<Panel>): readonly KeyedPanel[] {
  return panels.map((one) => {
    if (one.key !== key) return one;
    const { title, metric, request, view, compare, wide } = { ...one.panel, ...change };
    return {
      key,
      panel: {
        ...(title ? { title } : {}),
        metric,
        ...(request ? { request } : {}),
        view,
        ...(compare ? { compare } : {}),
        ...(wide ? { wide } : {}),
      },
    };
  });
}

/** Where an arrow key takes the panel at a place; undefined for any other key. */
export function placeByKey(key: string, place: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowUp':
    case 'ArrowLeft':
      return place - 1;
    case 'ArrowDown':
    case 'ArrowRight':
      return place + 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
