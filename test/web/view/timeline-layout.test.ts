import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type TimelineClock, type TimelineEvent, timelineLayout } from '../../../web/src/view/timeline-layout.ts';

const event = (at: number, label: string, isMain = true): TimelineEvent => ({
  key: `${label} ${at}`,
  at,
  label,
  time: '1 Sept, 09:00',
  isMain,
});
const clock = (name: string, from: number, until: number, lane: number): TimelineClock => ({
  name,
  value: '1d',
  rule: '',
  from,
  until,
  lane,
});

interface Box {
  readonly left: number;
  readonly right: number;
  readonly row: number;
}
const overlap = (a: Box, b: Box): boolean => a.row === b.row && a.left < b.right && b.left < a.right;

describe('the layout of a timeline', () => {
  test('The layout of a timeline stands from the first to the last event, in proportion', () => {
    const { events } = timelineLayout([event(0, 'a'), event(25, 'b', false), event(100, 'c')], [], 1_016);
    expect(events.map(({ x }) => x)).toEqual([8, 258, 1_008]);
  });

  test('A clock that begins before or ends after every event stays within as well', () => {
    const { clocks } = timelineLayout([event(10, 'a'), event(20, 'b')], [clock('queue', 0, 40, 0)], 1_016);
    expect([clocks[0]?.left, clocks[0]?.width]).toEqual([8, 1_000]);
  });

  test('Where one step takes over 60 % of the time, steps stand by their order and the long one is broken', () => {
    const close = [event(0, 'a'), event(2, 'b'), event(3, 'c'), event(4, 'd'), event(1_000, 'e')];
    const { events, breaks } = timelineLayout([...close, event(1, 'x', false)], [], 1_016);
    expect(events.map(({ x }) => x)).toEqual([8, 258, 508, 758, 1_008, 133]);
    expect(breaks).toEqual([883]);
    const rows = events.flatMap(({ label }) => label?.row ?? []);
    expect(rows).toEqual([0, 0, 0, 0, 0]);
    const even = timelineLayout([event(0, 'a'), event(60, 'b'), event(100, 'c')], [], 1_016);
    expect([even.events.map(({ x }) => x), even.breaks]).toEqual([[8, 608, 1_008], []]);
  });

  test('Where names would pile up, steps stand by their order although none is long', () => {
    const close = [event(0, 'a'), event(2, 'b'), event(50, 'c'), event(100, 'd')];
    const { events, breaks, isToScale } = timelineLayout(close, [], 1_016);
    expect([events.map(({ x }) => Math.round(x)), breaks, isToScale]).toEqual([[8, 341, 675, 1_008], [], false]);
    expect(events.map(({ label }) => label?.row)).toEqual([0, 0, 0, 0]);
  });

  test('A clock across a broken step still reaches from its first to its last event', () => {
    const { clocks } = timelineLayout(
      [event(0, 'a'), event(10, 'b'), event(1_000, 'c')],
      [clock('whole', 0, 1_000, 1), clock('long', 10, 1_000, 0)],
      1_016,
    );
    expect(clocks.map(({ left, width }) => [left, width])).toEqual([
      [8, 1_000],
      [508, 500],
    ]);
  });

  test('A single moment is in the middle', () => {
    expect(timelineLayout([event(5, 'a')], [], 1_000).events[0]?.x).toBe(500);
  });

  test('The nearest lane is right above the line, and brackets span their events', () => {
    const { clocks, line } = timelineLayout(
      [event(0, 'a'), event(100, 'b')],
      [clock('whole', 0, 100, 1), clock('part', 0, 50, 0)],
      1_016,
    );
    const [whole, part] = ['whole', 'part'].map((name) => clocks.find((one) => one.clock.name === name));
    expect([whole?.left, whole?.width]).toEqual([8, 1_000]);
    expect(part?.width).toBe(500);
    expect(whole?.top).toBeLessThan(part?.top ?? 0);
    expect(part?.top).toBeLessThan(line);
  });

  test('No name covers another or leaves the picture, however close events are', () => {
    const times = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(times, fc.integer({ min: 560, max: 1_900 }), (all, width) => {
        const events = all.map((at, index) => event(at, `event ${index}`));
        const clocks = all
          .slice(1)
          .map((at, index) => clock(`clock ${index}`, Math.min(at, all[0] ?? 0), Math.max(at, all[0] ?? 0), index % 2));
        const layout = timelineLayout(events, clocks, width);
        const below = layout.events.flatMap(({ label }) =>
          label ? [{ left: label.left, right: label.left + label.width, row: label.row }] : [],
        );
        const above = layout.clocks.map(({ label }) => ({
          left: label.left,
          right: label.left + label.width,
          row: label.top,
        }));
        for (const boxes of [below, above]) {
          expect(boxes.every(({ left, right }) => left >= 0 && right <= width)).toBe(true);
          boxes.forEach((a, at) => {
            for (const b of boxes.slice(at + 1)) expect(overlap(a, b)).toBe(false);
          });
        }
      }),
    );
  });
});
