import type { OwnColour } from '../../../src/charts/chart-description.ts';
import { orderedScale, proportionalScale, type TimelineScale } from './timeline-scale.ts';

/** An event. The main ones are named below the line, the rest are dots. */
export interface TimelineEvent {
  readonly key: string;
  /** Milliseconds. */
  readonly at: number;
  readonly label: string;
  /** The time as text. */
  readonly time: string;
  readonly isMain: boolean;
}

/** A clock: from one event to another. Lane 0 is nearest to the line. */
export interface TimelineClock {
  readonly name: string;
  readonly value: string;
  readonly rule: string;
  readonly from: number;
  readonly until: number;
  readonly lane: number;
  readonly colour?: OwnColour;
}

interface PlacedEvent {
  readonly event: TimelineEvent;
  readonly x: number;
  /** The place of its name; undefined for dots. */
  readonly label?: { readonly left: number; readonly width: number; readonly row: number };
}

interface PlacedClock {
  readonly clock: TimelineClock;
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly label: { readonly left: number; readonly width: number; readonly top: number };
}

/** The places of all events and clocks, in pixels. */
interface TimelineLayout {
  readonly events: readonly PlacedEvent[];
  readonly clocks: readonly PlacedClock[];
  /** Where the line is broken, because what lies there takes far longer than it is drawn. */
  readonly breaks: readonly number[];
  /** Whether distances are times; else events stand by their order. */
  readonly isToScale: boolean;
  /** The vertical place of the line. */
  readonly line: number;
  readonly height: number;
}

const edge = 8;
const characterWidth = 7.2;
const labelHeight = 18;
const bracketHeight = 14;
const laneGap = 8;
const eventLabelHeight = 36;
const belowLine = 14;

const widthOf = (...texts: string[]): number =>
  Math.ceil(Math.max(...texts.map(({ length }) => length)) * characterWidth);

/** Puts events on a line by their time, their names below it and the clocks above it, so that no text covers another. */
export function timelineLayout(
  events: readonly TimelineEvent[],
  clocks: readonly TimelineClock[],
  width: number,
): TimelineLayout {
  // Clocks may begin or end at times that are no events here, such as the entry to a merge queue.
  const times = [...events.map(({ at }) => at), ...clocks.flatMap(({ from, until }) => [from, until])];
  const main = events.filter(({ isMain }) => isMain);
  const namesOn = ({ xOf }: TimelineScale) =>
    placeLabels(
      main.map((event) => ({ x: xOf(event.at), width: widthOf(event.label, event.time) })),
      width,
    );
  const edges = { from: edge, until: width - edge };
  const ordered = orderedScale(
    times,
    main.map(({ at }) => at),
    edges,
  );
  // To scale only where names fit beside each other and no step takes most of the line.
  const toScale = proportionalScale(times, edges);
  const isToScale = !ordered || (ordered.breaks.length === 0 && namesOn(toScale).every(({ row }) => row === 0));
  const scale = isToScale ? toScale : ordered;
  const { xOf, breaks } = scale;

  const { placed, height: above } = placeClocks(clocks, xOf, width);
  const line = above + 12;
  const named = namesOn(scale);
  let next = 0;
  const dots = new Set<number>();
  const placedEvents = events.flatMap((event) => {
    const x = xOf(event.at);
    // A second dot at the same place is invisible, and there may be thousands.
    if (!event.isMain && dots.has(Math.round(x / 2))) return [];
    dots.add(Math.round(x / 2));
    const label = event.isMain ? named[next++] : undefined;
    return { event, x, ...(label ? { label } : {}) };
  });
  const rows = Math.max(0, ...named.map(({ row }) => row + 1));
  return {
    events: placedEvents,
    clocks: placed,
    breaks,
    isToScale,
    line,
    height: line + belowLine + rows * eventLabelHeight,
  };
}

function placeClocks(clocks: readonly TimelineClock[], xOf: (at: number) => number, width: number) {
  const lanes = [...new Set(clocks.map(({ lane }) => lane))].toSorted((a, b) => b - a);
  const placed: PlacedClock[] = [];
  let top = 0;
  for (const lane of lanes) {
    const here = clocks.filter((clock) => clock.lane === lane).toSorted((a, b) => a.from - b.from);
    const spans = here.map(({ from, until }) => ({ left: xOf(from), width: Math.max(2, xOf(until) - xOf(from)) }));
    const labels = placeLabels(
      here.map(({ name, value }, at) => {
        const span = spans[at] ?? { left: 0, width: 0 };
        return { x: span.left + span.width / 2, width: widthOf(`${name} ${value}`) };
      }),
      width,
    );
    const rows = Math.max(0, ...labels.map(({ row }) => row + 1));
    here.forEach((clock, at) => {
      const [span, label] = [spans[at], labels[at]];
      if (!span || !label) return;
      // The first row of names stands right above the brackets, further ones above that.
      const labelTop = top + (rows - 1 - label.row) * labelHeight;
      placed.push({
        clock,
        ...span,
        top: top + rows * labelHeight,
        label: { left: label.left, width: label.width, top: labelTop },
      });
    });
    top += rows * labelHeight + bracketHeight + laneGap;
  }
  return { placed, height: top };
}

/** Texts around their places, within the width, each in the first row where it covers no other. */
function placeLabels(wanted: readonly { readonly x: number; readonly width: number }[], width: number) {
  const order = wanted.map((one, at) => ({ ...one, at })).toSorted((a, b) => a.x - b.x);
  const ends: number[] = [];
  const placed: { left: number; width: number; row: number }[] = [];
  for (const { x, width: wide, at } of order) {
    const left = Math.max(0, Math.min(width - wide, x - wide / 2));
    const free = ends.findIndex((end) => end + 8 <= left);
    const row = free < 0 ? ends.length : free;
    ends[row] = left + wide;
    placed[at] = { left, width: wide, row };
  }
  return placed;
}
