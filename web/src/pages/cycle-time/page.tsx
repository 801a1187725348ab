import { useFigures } from '../../ask/figure.ts';
import { useView } from '../../ask/use-view.ts';
import { FigureChart } from '../../view/figure-chart.tsx';
import { Page } from '../../view/page.tsx';
import { PhaseChart } from '../../view/phase-chart.tsx';
import { Tile } from '../../view/tile.tsx';
import { useFigureTabs } from '../../view/use-figure-tabs.tsx';
import { CourseChart } from './course-chart.tsx';
import { CycleSentence } from './cycle-sentence.tsx';
import { keyFigures } from './questions.ts';
import { Slowest } from './slowest.tsx';
import { Spread } from './spread-charts.tsx';
import { cycleTimeWords } from './words.ts';

/** How long a change takes from its first commit to its merge, and which phase takes the time. */
export default function CycleTime() {
  const view = useView();
  const figures = useFigures(view, keyFigures);
  const [median, p90, coding, pickup, review] = figures;
  const { chosen, tabOf, list, panel } = useFigureTabs(figures);
  const figure = figures[chosen];
  if (!median || !p90 || !coding || !pickup || !review || !figure) return null;
  const phases = [
    { name: 'coding', figure: coding },
    { name: cycleTimeWords.firstReviewWait, figure: pickup },
    { name: 'review', figure: review },
  ];
  return (
    <Page
      title={cycleTimeWords.cycleTime}
      sentence={<CycleSentence view={view} median={median} phases={phases} />}
      figures={figures}
    >
      {list}
      <div className="tiles">
        {figures.map((one, at) => (
          <Tile key={one.label} figure={one} tab={tabOf(at)} of={cycleTimeWords.pullRequests} />
        ))}
      </div>
      <div className="columns even">
        {panel(
          figure === median ? (
            <CourseChart view={view} median={median} slowest={p90} />
          ) : (
            <FigureChart
              key={figure.label}
              view={view}
              figure={figure}
              kind="line"
              title={cycleTimeWords.per(figure.label, view.level)}
              subtitle={figure.meaning}
              what={cycleTimeWords.mergedPullRequests}
              of={cycleTimeWords.pullRequests}
              height={340}
            />
          ),
        )}
        <PhaseChart
          view={view}
          title={cycleTimeWords.whereTimeGoes}
          until="merge"
          whole={median}
          called={cycleTimeWords.cycleTimeCalled}
        />
      </div>
      <Spread view={view} median={median} p90={p90} />
      <Slowest view={view} />
    </Page>
  );
}
