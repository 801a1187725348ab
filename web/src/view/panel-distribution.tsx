import { binsOf } from './distribution-bins.ts';
import { shown } from './format.ts';
import { panelDistributionWords } from './panel-words.ts';

interface PanelDistributionProps {
  readonly values: readonly number[];
  /** The number that the panel is about: its bar is dark. */
  readonly at: number | null;
  readonly measure: Parameters<typeof shown>[1];
  /** What the bars count, such as `158 pull requests`. */
  readonly of: string;
}

const [width, height, gap] = [100, 40, 1];

/** How the values behind a number are spread, small: the list below has them all. */
export function PanelDistribution({ values, at, measure, of }: PanelDistributionProps) {
  const bins = binsOf(values, at);
  if (!bins) return null;
  const most = Math.max(...bins.counts);
  const step = width / bins.counts.length;
  return (
    <figure className="panel-distribution">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {bins.counts.map((count, place) => {
          const tall = count === 0 ? 0.5 : Math.max(1.5, (count / most) * height);
          return (
            <rect
              key={place}
              className={place === bins.marked ? 'is-marked' : undefined}
              x={place * step}
              y={height - tall}
              width={step - gap}
              height={tall}
            />
          );
        })}
      </svg>
      <figcaption className="small tertiary">
        <span>{shown(bins.from, measure)}</span>
        <span>{of}</span>
        <span>
          {shown(bins.to, measure)}
          {bins.isCut && panelDistributionWords.orMore}
        </span>
      </figcaption>
    </figure>
  );
}
