import { useEffect, useMemo } from 'react';
import {
  type Exploration,
  earlierQuestion,
  explorationIn,
  exploredQuestion,
  ownOf,
  withFiltersAbove,
} from '../../ask/exploration.ts';
import { changeOwn, changeView, useOwnChoice, useView, type View } from '../../ask/use-view.ts';
import { viewOf } from '../../ask/view.ts';
import { Page } from '../../view/page.tsx';
import { useCatalogue } from './catalogue-answer.ts';
import './explore.css';
import { useExplored } from '../../view/use-explored.ts';
import { Result } from './result.tsx';
import { ExploreSentence } from './sentence.tsx';
import { exploreWords } from './words.ts';

/** The whole catalogue as one sentence: any metric, any filter, any split. */
export default function Explore() {
  const view = useExploredView();
  const catalogue = useCatalogue();
  const { own } = view.state;
  const asked = useMemo(() => explorationIn(own), [own]);
  const [as, setAs] = useOwnChoice('as', 'chart', ['chart', 'table', 'rows']);
  const question = exploredQuestion(view, asked);
  const earlier = earlierQuestion(view, asked);
  const explored = useExplored(question, earlier, asked);
  const change = (next: Exploration) => changeOwn(ownOf(next));
  return (
    <Page title={exploreWords.explore} sentence={exploreWords.askOneQuestionChange}>
      <ExploreSentence view={view} asked={asked} catalogue={catalogue} onChange={change} />
      <Result
        view={view}
        asked={asked}
        question={question}
        earlier={earlier}
        explored={explored}
        as={as}
        onAs={setAs}
      />
    </Page>
  );
}

/** The view of the address. Filters of earlier links that stand above the page now are moved there. */
function useExploredView(): View {
  const view = useView();
  const { state, zone, today, data } = view;
  const moved = useMemo(() => withFiltersAbove(state), [state]);
  useEffect(() => {
    if (moved !== state) changeView(moved, { replace: true });
  }, [moved, state]);
  return useMemo(
    () => (moved === state ? view : viewOf(moved, zone, today, data)),
    [moved, state, view, zone, today, data],
  );
}
