import { minSpan } from '../../../src/charts/chart-axes.ts';
import type { Point } from '../ask/figure.ts';

interface SparklineProps {
  readonly points: readonly Point[];
  readonly before: readonly Point[] | undefined;
}

const [width, height, edge] = [160, 36, 4];

/**
 * The course of a figure over whole buckets, without axes: a line, and the window before as a dashed one. The tile has
 * the text.
 */
export function Sparkline({ points, before = [] }: SparklineProps) {
  const values = [...points, ...before].flatMap(({ value }) => (value === null ? [] : value));
  if (values.length < 2) return <svg className="sparkline" aria-hidden="true" />;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const span = Math.max(most - least, Math.abs(mean) * minSpan) || 1;
  // A course that is nearly flat runs through the middle.
  const low = (least + most - span) / 2;
  const x = (at: number): number => edge + (at * (width - 2 * edge)) / Math.max(1, points.length - 1);
  const y = (value: number): number => height - edge - ((value - low) / span) * (height - 2 * edge);
  return (
    <svg className="sparkline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path
        d={pathOf(before, x, y)}
        fill="none"
        stroke="var(--others)"
        strokeWidth="1.25"
        strokeDasharray="3 3"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={pathOf(points, x, y)}
        fill="none"
        stroke="var(--series-1)"
        strokeWidth="1.75"
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

/** Gaps stay gaps. */
function pathOf(points: readonly Point[], x: (at: number) => number, y: (value: number) => number): string {
  return points
    .map(({ value }, at) => {
      if (value === null) return '';
      const isStart = at === 0 || points[at - 1]?.value === null;
      // A point without neighbours is a line without length. Its round ends make it a dot.
      const isAlone = isStart && points[at + 1]?.value == null;
      return `${isStart ? 'M' : 'L'}${x(at).toFixed(1)},${y(value).toFixed(1)}${isAlone ? 'h0' : ''}`;
    })
    .join('');
}
