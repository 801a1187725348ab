import type { Panel } from '../../ask/panel-of.ts';

/** Panels that stand together on a board: numbers in one strip, or one panel by itself. */
interface PlacedPanels {
  /** The place of the first of them on the board. */
  readonly first: number;
  readonly isStrip: boolean;
  readonly panels: readonly Panel[];
}

/** Numbers that follow one another share a strip. One that takes the whole width stands by itself. */
export function inStrips(panels: readonly Panel[]): readonly PlacedPanels[] {
  const placed: PlacedPanels[] = [];
  for (const [at, panel] of panels.entries()) {
    const isStrip = panel.view === 'number' && !panel.wide;
    const last = placed.at(-1);
    if (last?.isStrip && isStrip) placed[placed.length - 1] = { ...last, panels: [...last.panels, panel] };
    else placed.push({ first: at, isStrip, panels: [panel] });
  }
  return placed;
}
