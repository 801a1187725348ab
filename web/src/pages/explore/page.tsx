import { useEffect, useMemo } from 'react';
import { columnLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { aboutMetric, wordFor } from '../../ask/metric-facts.ts';
import { changeOwn, changeView, useOwnChoice, useView, type View } from '../../ask/use-view.ts';
import { viewOf } from '../../ask/view.ts';
import { Page } from '../../view/page.tsx';
import { useCatalogue } from './catalogue-answer.ts';
import { type Exploration, explorationIn, exploredQuestion, hasDates, ownOf, withFiltersAbove } from './exploration.ts';
import './explore.css';
import { ExploreForm } from './form.tsx';
import { RequestEditor } from './request-editor.tsx';
import { Result } from './result.tsx';
import { useExplored } from './use-explored.ts';

/** The whole catalogue as a form: any metric, any filter, any grouping; and the request beside it. */
export default function Explore() {
  const view = useExploredView();
  const catalogue = useCatalogue();
  const { own } = view.state;
  const asked = useMemo(() => explorationIn(own), [own]);
  const [as, setAs] = useOwnChoice('as', 'chart', ['chart', 'table', 'rows']);
  const change = (next: Exploration) => changeOwn(ownOf(next));
  const question = exploredQuestion(view, asked);
  const explored = useExplored(question, asked);
  return (
    <Page title="Explore" hasComparison={false} sentence={sentenceOf(asked)}>
      <div className="explore">
        <ExploreForm asked={asked} catalogue={catalogue} onChange={change} />
        <div className="stack">
          <Result view={view} asked={asked} question={question} explored={explored} as={as} onAs={setAs} />
          <RequestEditor view={view} question={question} hidden={explored.hidden} />
        </div>
      </div>
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

/** The question in words, and what it means. */
function sentenceOf({ metric, aggregation, level, by }: Exploration): string {
  const { label, meaning } = aboutMetric(metric);
  const parts = [
    aggregation && wordFor(aggregation),
    level && `per ${level}`,
    by.length > 0 && `by ${by.map((column) => columnLabel(column).toLowerCase()).join(' and ')}`,
    !hasDates(metric) && 'as it is now, whatever the range',
  ].filter((part) => part);
  return `${label}${parts.length > 0 ? `, ${parts.join(', ')}` : ''}. ${meaning}`;
}
