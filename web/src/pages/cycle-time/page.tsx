import { useFigures } from '../../ask/figure.ts';
import { useView } from '../../ask/use-view.ts';
import { Page } from '../../view/page.tsx';
import { PhaseChart } from '../../view/phase-chart.tsx';
import { Tile } from '../../view/tile.tsx';
import { CourseChart } from './course-chart.tsx';
import { CycleSentence } from './cycle-sentence.tsx';
import { keyFigures } from './questions.ts';
import { Slowest } from './slowest.tsx';
import { Spread } from './spread-charts.tsx';

/** How long a change takes from its first commit to its merge, and which phase takes the time. */
export default function CycleTime() {
  const view = useView();
  const figures = useFigures(view, keyFigures);
  const [median, p90, coding, pickup, review] = figures;
  if (!median || !p90 || !coding || !pickup || !review) return null;
  const phases = [
    { name: 'coding', figure: coding },
    { name: 'pickup', figure: pickup },
    { name: 'review', figure: review },
  ];
  return (
    <Page title="Cycle time" sentence={<CycleSentence view={view} median={median} phases={phases} />} figures={figures}>
      <div className="tiles">
        {figures.map((figure) => (
          <Tile key={figure.label} figure={figure} of="pull requests" />
        ))}
      </div>
      <div className="columns even">
        <CourseChart view={view} median={median} slowest={p90} />
        <PhaseChart view={view} title="Where the time goes" until="merge" whole={median} called="cycle time" />
      </div>
      <Spread view={view} median={median} p90={p90} />
      <Slowest view={view} />
    </Page>
  );
}
