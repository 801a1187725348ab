import { useMemo } from 'react';
import { useFigures } from '../../ask/figure.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { useView } from '../../ask/use-view.ts';
import { seesOnlyOwn, useSession } from '../../page-session.ts';
import { FigureChart } from '../../view/figure-chart.tsx';
import { Page } from '../../view/page.tsx';
import { beforeInWords } from '../../view/range-words.ts';
import { Said } from '../../view/said.tsx';
import { Tile } from '../../view/tile.tsx';
import { useFigureTabs } from '../../view/use-figure-tabs.tsx';
import { loads, spreadOf } from './load.ts';
import { ReviewLoad } from './load-chart.tsx';
import { PickupChart } from './pickup-chart.tsx';
import { keyFigures, loadByPerson } from './questions.ts';
import { ReviewHours } from './review-hours.tsx';
import { reviewSentence } from './sentence-words.ts';
import { TeamsInRepositories } from './teams-in-repositories.tsx';
import { reviewsWords } from './words.ts';

/** How long pull requests wait for review, how many rounds they take, and how evenly reviews are spread. */
export default function Reviews() {
  const view = useView();
  const isOwn = seesOnlyOwn(useSession());
  const figures = useFigures(view, keyFigures);
  const load = useAnswer(loadByPerson(view));
  const rows = load.data?.rows;
  const people = useMemo(() => rows && loads(rows), [rows]);
  const spread = useMemo(() => spreadOf(people ?? []), [people]);
  const [pickup, , , changes] = figures;
  const { chosen, tabOf, list, panel } = useFigureTabs(figures);
  const [figure, key] = [figures[chosen], keyFigures[chosen]];
  if (!pickup || !changes || !figure || !key) return null;
  const sentence =
    pickup.isFirst || changes.isFirst
      ? ['\u00a0']
      : reviewSentence({
          pickup,
          changesRequested: changes.now.value,
          spread,
          before: beforeInWords(view),
          isOwn,
        });
  return (
    <Page
      title={reviewsWords.reviews}
      sentence={<Said parts={sentence} />}
      isSentenceOld={load.isOld}
      figures={figures}
    >
      {list}
      <div className="tiles">
        {figures.map((one, at) => (
          <Tile key={one.label} figure={one} tab={tabOf(at)} of={keyFigures[at]?.of ?? ''} />
        ))}
      </div>
      {panel(
        figure === pickup ? (
          <PickupChart view={view} median={pickup} />
        ) : (
          <FigureChart
            key={figure.label}
            view={view}
            figure={figure}
            kind="line"
            title={reviewsWords.per(figure.label, view.level)}
            subtitle={figure.meaning}
            what={key.of}
            of={key.of}
            height={300}
          />
        ),
      )}
      <div className="columns even">
        <ReviewLoad view={view} answer={load} people={people} spread={spread} />
        <ReviewHours view={view} pickup={pickup} />
      </div>
      <TeamsInRepositories view={view} />
    </Page>
  );
}
