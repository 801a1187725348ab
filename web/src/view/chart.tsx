import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import {
  answeredValues,
  type ChartDescription,
  type ChartMark,
  extentOf,
} from '../../../src/charts/chart-description.ts';
import { drawnChart, fewNote } from '../../../src/charts/drawn-chart.ts';
import { goalGutter } from '../../../src/charts/mark-lines.ts';
import { litMark, type PanelOfMark } from '../ask/lit-mark.ts';
import { openPanel, useOpenPanel } from '../ask/use-view.ts';
import { onPrintChange } from '../theme/printing.ts';
import { onThemeChange } from '../theme/theme.ts';
import './chart.css';
import { chartWords } from './chart-card-words.ts';
import { ChartEvents, ChartLabels, ChartLegend, HeatScale } from './chart-labels.tsx';
import { ChartTooltip } from './chart-tooltip.tsx';
import { chartSentence, markSentence, opensRecords, seriesToName } from './chart-words.ts';
import type { Drawing, Place } from './draw-chart.ts';
import { scrollFree } from './scrolled-free.ts';

interface ChartProps {
  readonly chart: ChartDescription;
  readonly height?: number;
  /** The records behind a mark, which a click opens. */
  readonly panelOf?: PanelOfMark;
  /** Passes on the drawing, for copying it as a picture. */
  readonly onDrawn?: (drawing: Drawing) => void;
}

/** From this width on, the names of many lines stand beside their ends. */
const roomForNames = 640;
/** So many lines are not told apart by a legend. */
const manyLines = 6;

/** The parts of the drawing library that a kind of chart needs. */
const loadDrawing = async (isOther: boolean) => {
  const [drawing] = await Promise.all([
    import('./draw-chart.ts'),
    isOther ? import('./draw-other-kinds.ts') : undefined,
  ]);
  return drawing;
};

/** A chart: drawn on a canvas, walked along with arrow keys, opened with a click or Enter. */
export function Chart({ chart: described, height = 280, panelOf: panelOfDescribed, onDrawn }: ChartProps) {
  const { chart, skipped } = useMemo(() => drawnChart(described), [described]);
  const panelOf: PanelOfMark | undefined =
    panelOfDescribed &&
    ((mark) =>
      opensRecords(chart, mark) ? panelOfDescribed({ ...mark, category: mark.category + skipped }) : undefined);
  const onOpen =
    panelOf &&
    ((mark: ChartMark) => {
      const panel = panelOf(mark);
      if (panel) openPanel(panel);
    });
  const { series: litSeries, category: litCategory } = litMark(chart, panelOf, useOpenPanel()) ?? {};
  // The same mark is the same object, so that the chart is drawn once for it.
  const lit = useMemo(
    () =>
      litSeries === undefined || litCategory === undefined ? undefined : { series: litSeries, category: litCategory },
    [litSeries, litCategory],
  );
  const isOther = chart.kind === 'heat-map' || chart.kind === 'scatter';
  const host = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(undefined);
  const [drawn, setDrawn] = useState(0);
  const [width, setWidth] = useState(0);
  const [mark, setMark] = useState<ChartMark>();
  const [litPlace, setLitPlace] = useState<Place>();
  const [failure, setFailure] = useState<unknown>();
  const sentence = useId();
  const note = fewNote(chart);
  const hasNamesBeside = width >= roomForNames && chart.kind === 'line' && seriesToName(chart).length >= manyLines;
  const right = hasNamesBeside ? 128 : Math.max(12, goalGutter(chart));

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let isGone = false;
    const stops: (() => void)[] = [];
    const whenLoaded = ({ drawingOn }: typeof import('./draw-chart.ts')) => {
      if (isGone) return;
      const made = drawingOn(element);
      drawing.current = made;
      onDrawn?.(made);
      stops.push(
        () => made.dispose(),
        onThemeChange(() => setDrawn((count) => count + 1)),
      );
      const observer = new ResizeObserver(() => {
        made.resize();
        setWidth(element.clientWidth);
      });
      observer.observe(element);
      // At once: the browser prints what is there when its event has been told.
      const redraw = () => {
        made.resize();
        flushSync(() => {
          setWidth(element.clientWidth);
          setDrawn((count) => count + 1);
        });
        made.drawNow();
      };
      stops.push(() => observer.disconnect(), onPrintChange(redraw));
      setWidth(element.clientWidth);
      // Also where the width has not changed: the new drawing is still empty.
      setDrawn((count) => count + 1);
    };
    loadDrawing(isOther).then(whenLoaded, setFailure);
    return () => {
      isGone = true;
      drawing.current = undefined;
      for (const stop of stops) stop();
    };
  }, [onDrawn, isOther]);

  // `drawn` counts new drawings and changes of the theme, which redraw it. Each redraw places the names again.
  useLayoutEffect(() => {
    if (width > 0) drawing.current?.draw(chart, { width, right, lit });
    setMark(undefined);
  }, [chart, width, right, drawn, lit]);

  // The panel would cover what stands on the right.
  useEffect(() => {
    const at = lit && width > 0 ? drawing.current?.placeOf(lit) : undefined;
    setLitPlace(at);
    if (at && host.current) scrollFree(host.current.getBoundingClientRect().left + at.x);
  }, [lit, width, drawn]);

  // A failure is shown like any other of the page, with a button to try again.
  if (failure) throw failure;

  const placeIn = (event: PointerEvent): Place => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = markAfter(chart, mark, event.key);
    if (next) {
      event.preventDefault();
      setMark(next);
    } else if (event.key === 'Enter' && mark && onOpen) {
      event.preventDefault();
      onOpen(mark);
    } else if (event.key === 'Escape') setMark(undefined);
  };
  const place = mark && drawing.current?.placeOf(mark);

  return (
    <div className="chart">
      {!hasNamesBeside && <ChartLegend chart={chart} />}
      {note && <p className="subtitle">{note}</p>}
      <div className="chart-plot">
        <div
          ref={host}
          className="chart-canvas"
          style={{ height }}
          role="application"
          aria-roledescription="chart"
          aria-label={chart.title}
          data-values={JSON.stringify(answeredValues(chart))}
          aria-describedby={sentence}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys and Enter work on it.
          tabIndex={0}
          onKeyDown={onKeyDown}
          onBlur={() => setMark(undefined)}
          onPointerMove={(event) => setMark(drawing.current?.markAt(placeIn(event)))}
          onPointerLeave={() => setMark(undefined)}
          onClick={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            const at = drawing.current?.markAt({ x: event.clientX - box.left, y: event.clientY - box.top });
            if (at) onOpen?.(at);
          }}
        />
        {hasNamesBeside && drawing.current && (
          <ChartLabels chart={chart} drawing={drawing.current} left={width - right + 8} />
        )}
        {litPlace && chart.kind === 'scatter' && (
          <span className="chart-cursor" style={{ left: litPlace.x, top: litPlace.y }} />
        )}
        {mark && place && (
          <ChartTooltip chart={chart} mark={mark} place={place} width={width} canOpen={onOpen !== undefined} />
        )}
      </div>
      <ChartEvents chart={chart} />
      {chart.kind === 'heat-map' && <HeatScale chart={chart} />}
      <p id={sentence} className="unseen">
        {chartWords.arrowKeysWalkAlong(chartSentence(chart), onOpen !== undefined)}
      </p>
      <p className="unseen" aria-live="polite">
        {mark ? markSentence(chart, mark) : ''}
      </p>
    </div>
  );
}

/** Left and right walk along a series, up and down change it. */
function markAfter(chart: ChartDescription, mark: ChartMark | undefined, key: string): ChartMark | undefined {
  const { series, categories } = extentOf(chart);
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key];
  if (key === 'Home') return { series: mark?.series ?? 0, category: 0 };
  if (key === 'End') return { series: mark?.series ?? 0, category: categories - 1 };
  if (!step || categories === 0) return undefined;
  if (!mark) return { series: 0, category: key === 'ArrowLeft' ? categories - 1 : 0 };
  const [down = 0, along = 0] = step;
  return {
    series: Math.min(series - 1, Math.max(0, mark.series + down)),
    category: Math.min(categories - 1, Math.max(0, mark.category + along)),
  };
}
