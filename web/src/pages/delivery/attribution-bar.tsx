import { useAnswer } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { grouped, shown } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { type AttributionPart, attributionParts } from './attribution.ts';
import './delivery.css';
import { attribution } from './questions.ts';
import { attributionBarWords } from './words.ts';

/**
 * Which of the merged pull requests have a lead time, and why the others have none, as one bar with every part
 * explained.
 */
export function Attribution({ view }: { readonly view: View }) {
  const question = attribution(view);
  const answer = useAnswer(question);
  const parts = answer.data && attributionParts(answer.data.rows);
  return (
    <TableCard
      title={attributionBarWords.fromMergeToProduction}
      subtitle={attributionBarWords.byDayMergeOnly}
      question={question}
      answer={{ ...answer, data: parts }}
      height={160}
    >
      {(shownParts) =>
        shownParts.length === 0 ? (
          <NothingInWindow what={attributionBarWords.mergedPullRequests} window={view.window} question={question} />
        ) : (
          <>
            <div className="attribution-bar" aria-hidden="true">
              {shownParts.map((part, at) => (
                <span
                  key={part.name}
                  className={`attribution-part ${colourFor(part, at)}`}
                  style={{ flexGrow: part.share }}
                  title={`${part.name}: ${grouped(part.count)}`}
                />
              ))}
            </div>
            <ul className="attribution-list">
              {shownParts.map((part, at) => (
                <li key={part.name}>
                  <span className={`swatch ${colourFor(part, at)}`} />
                  <div>
                    <button type="button" className="link" onClick={() => open(part)}>
                      {part.name}
                    </button>{' '}
                    <Value value={part.count} measure="count" />{' '}
                    <span className="secondary">({shown(part.share, 'percent')})</span>
                    <p className="small secondary">{part.meaning}</p>
                  </div>
                </li>
              ))}
            </ul>
          </>
        )
      }
    </TableCard>
  );
}

const open = ({ status }: AttributionPart) =>
  openPanel({
    metric: 'pull-requests-count',
    where: { date_field: 'pr_merged_at', deployment_attribution_status: status },
  });

/** Deployed is the main series; the rest in the colours that follow. */
const colourFor = ({ status }: AttributionPart, at: number): string =>
  status === 'deployed' ? 'colour-1' : status === 'ignored' ? 'colour-others' : `colour-${(at % 5) + 2}`;
