import type { ChartDescription, ChartMark } from '../../../src/charts/chart-description.ts';
import { chartTooltipWords } from './chart-card-words.ts';
import { colourClass } from './chart-labels.tsx';
import { markWords, opensRecords, openWords } from './chart-words.ts';
import type { Place } from './draw-chart.ts';

interface TooltipProps {
  readonly chart: ChartDescription;
  readonly mark: ChartMark;
  readonly place: Place;
  readonly width: number;
  readonly canOpen: boolean;
}

/**
 * All series of the bucket, with n. The element is ours: that of the drawing library breaks the content security
 * policy.
 */
export function ChartTooltip({ chart, mark, place, width, canOpen }: TooltipProps) {
  const { title, lines, total, change, notes } = markWords(chart, mark);
  const isRight = place.x > width / 2;
  return (
    <>
      <span className="chart-cursor" style={{ left: place.x, top: place.y }} />
      <div
        className="chart-tooltip"
        aria-hidden="true"
        style={{
          top: Math.max(0, place.y - 24),
          ...(isRight ? { right: width - place.x + 14 } : { left: place.x + 14 }),
        }}
      >
        <b>{title}</b>
        <table>
          <tbody>
            {lines.map(({ name, value, n, series, isActive }) => (
              <tr key={`${series} ${name}`} className={isActive ? 'is-active' : undefined}>
                <td>
                  <span className={`swatch ${colourClass(chart, series)}`} />
                  {name}
                </td>
                <td className="number">{value}</td>
                <td className="number secondary">{n}</td>
              </tr>
            ))}
            {total !== undefined && (
              <tr>
                <td>{chartTooltipWords.total}</td>
                <td className="number">{total}</td>
              </tr>
            )}
          </tbody>
        </table>
        {change && <p className="subtitle">{change}</p>}
        {notes.map((note) => (
          <p key={note} className="subtitle">
            {note}
          </p>
        ))}
        {canOpen && opensRecords(chart, mark) && <p className="subtitle">{openWords(chart, mark)}</p>}
      </div>
    </>
  );
}
