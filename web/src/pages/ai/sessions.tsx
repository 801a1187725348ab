import { Link } from 'wouter';
import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { linkTo } from '../../ask/view-state.ts';
import { Table } from '../../view/data-table.tsx';
import { shown, shownTime } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { sessionsQuestion, sessionsShown } from './questions.ts';
import { sessionsWords } from './words.ts';

/** The newest coding sessions. Each opens to its messages, files and commits. */
export function Sessions({ view }: { readonly view: View }) {
  const question = sessionsQuestion(view);
  const answer = useAnswer(question);
  const total = answer.data?.total ?? 0;
  return (
    <TableCard
      title={sessionsWords.codingSessions}
      subtitle={
        total > sessionsShown ? sessionsWords.newestThoseWithoutCode(sessionsShown, total) : sessionsWords.newestFirst
      }
      question={question}
      answer={answer}
    >
      {({ rows }) =>
        rows.length === 0 ? (
          <NothingInWindow what={sessionsWords.codingSessionsWhat} window={view.window} question={question} />
        ) : (
          <Table
            caption={sessionsWords.codingSessionsNewestFirst}
            rows={rows}
            keyOf={(row) => String(row.session_id)}
            columns={[
              { name: sessionsWords.started, cell: (row) => <SessionLink row={row} view={view} /> },
              { name: sessionsWords.person, cell: ({ name }) => textOf(name) ?? sessionsWords.notKnown },
              {
                name: sessionsWords.agent,
                cell: (row) => (
                  <span className="ai-when">
                    {(['agent_slug', 'model_slug'] as const)
                      .flatMap((column) => {
                        const text = textOf(row[column]);
                        return text === null ? [] : valueLabel(column, text);
                      })
                      .join(' · ')}
                  </span>
                ),
              },
              { name: sessionsWords.repository, cell: ({ repo_name }) => <RepositoryName name={textOf(repo_name)} /> },
              { name: sessionsWords.active, isNumber: true, cell: ({ active_minutes }) => minutes(active_minutes) },
              { name: sessionsWords.tokens, isNumber: true, cell: ({ total_tokens }) => number(total_tokens) },
              { name: sessionsWords.linesMade, isNumber: true, cell: ({ generated_lines }) => number(generated_lines) },
              { name: sessionsWords.committed, isNumber: true, cell: ({ committed_lines }) => number(committed_lines) },
            ]}
          />
        )
      }
    </TableCard>
  );
}

function SessionLink({ row, view }: { readonly row: Row; readonly view: View }) {
  const href = linkTo(`/ai-sessions/${encodeURIComponent(String(row.session_id))}`, view.state);
  return (
    <Link href={href} className="ai-when">
      {shownTime(textOf(row.started_at), view.zone)}
    </Link>
  );
}

/** The repository without its owner, who is mostly the same. */
function RepositoryName({ name }: { readonly name: string | null }) {
  if (name === null) return '–';
  return (
    <span className="ai-when" title={name}>
      {name.slice(name.lastIndexOf('/') + 1)}
    </span>
  );
}

const number = (cell: Row[string] | undefined): string => (typeof cell === 'number' ? shown(cell, 'count') : '–');
const minutes = (cell: Row[string] | undefined): string =>
  typeof cell === 'number' ? shown(cell * 60, 'duration') : '–';
