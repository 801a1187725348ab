import type { ReactNode } from 'react';
import { bucketBefore } from '../ask/bucket-before.ts';
import { addsUp, measureOf } from '../ask/metric-facts.ts';
import { changeBehind, numberBehind } from '../ask/number-behind.ts';
import { useAnswer } from '../ask/use-answer.ts';
import type { View } from '../ask/use-view.ts';
import type { PanelState } from '../ask/view-state.ts';
import { grouped } from './format.ts';
import { panelNumberWords } from './panel-number-words.ts';
import { RequestText } from './shown-request.tsx';
import { ChangeText, Value } from './value.tsx';

interface PanelNumberProps {
  readonly view: View;
  readonly panel: PanelState;
  /** What the number is of: `pull requests`. */
  readonly of: string;
  readonly isRequestShown: boolean;
  /** Drawn below the number. */
  readonly children: (value: number | null) => ReactNode;
}

/** The number that was opened, how it changed since the bucket before, and the requests with these as their answers. */
export function PanelNumber({ view, panel, of, isRequestShown, children }: PanelNumberProps) {
  const behind = numberBehind(view, panel);
  const before = bucketBefore(view, panel);
  const change = before && changeBehind(view, panel, before);
  const { data, isOld } = useAnswer(behind?.question);
  const buckets = useAnswer(behind?.byBucket);
  const compared = useAnswer(change?.question);
  if (!behind || !data || (behind.byBucket && buckets.isFirst)) return null;
  const { value, n } = behind.pointIn(data.rows, behind.byBucket && buckets.data?.rows);
  const measure = panel.where?.counted ? 'count' : measureOf(panel.metric, panel.aggregation);
  const changed = value === null ? undefined : compared.data && change?.changeIn(compared.data.rows);
  return (
    <div className={isOld || buckets.isOld ? 'is-old' : undefined} data-figure={panel.metric}>
      <p className="row panel-value">
        <span>
          <Value className="panel-number" value={value} measure={measure} />{' '}
          {n !== null && !addsUp(panel.metric, panel.aggregation) && (
            <span className="small secondary">n {grouped(n)}</span>
          )}
        </span>
        {changed && (
          <span className="panel-change">
            <ChangeText change={{ ...changed, measure }} of={of} />{' '}
            <span className="small secondary">{panelNumberWords.sinceBefore(view.level, changed.verdict)}</span>
          </span>
        )}
      </p>
      {children(value)}
      <div hidden={!isRequestShown}>
        <h3>{panelNumberWords.ofNumber}</h3>
        <RequestText question={behind.question} />
        {change && (
          <>
            <h3>{panelNumberWords.ofChange(view.level)}</h3>
            <RequestText question={change.question} />
          </>
        )}
      </div>
    </div>
  );
}
