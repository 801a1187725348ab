import { useParams } from 'wouter';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { useAnswer, useAnswers } from '../../ask/use-answer.ts';
import { useView } from '../../ask/use-view.ts';
import { Table } from '../../view/data-table.tsx';
import { counted, shown, shownTime } from '../../view/format.ts';
import { Page } from '../../view/page.tsx';
import { PageLink } from '../../view/page-link.tsx';
import { RequestDetails } from '../../view/request-details.tsx';
import { Answered, State } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import '../../view/tile.css';
import { Value } from '../../view/value.tsx';
import './ai-session.css';
import { Messages } from './messages.tsx';
import {
  commitsQuestion,
  filesQuestion,
  isWebAddress,
  keptShare,
  messagesQuestion,
  sessionInWords,
  sessionQuestion,
} from './questions.ts';
import { aiSessionWords } from './words.ts';

/** One coding session: what was asked, which files it touched, what was committed of it. */
export default function AiSession() {
  const view = useView();
  const { id = '' } = useParams<{ id: string }>();
  const question = sessionQuestion(decoded(id), view.today);
  const answer = useAnswer(question);
  const session = answer.data?.rows[0];
  return (
    <Page
      title={aiSessionWords.codingSession}
      hasControls={false}
      actions={<PageLink to="/ai">{aiSessionWords.allSessions}</PageLink>}
      sentence={session ? sentenceOf(session, view.zone) : '\u00a0'}
    >
      <Answered answer={answer} what={aiSessionWords.session}>
        {({ rows: [found] }) =>
          found ? (
            <div className="stack">
              <Facts session={found} />
              <Parts session={found} zone={view.zone} />
              <RequestDetails summary={aiSessionWords.apiRequest} question={question} />
            </div>
          ) : (
            <State kind="empty" title={aiSessionWords.noSuchSession}>
              {aiSessionWords.thereNoSession} <PageLink to="/ai">{aiSessionWords.showNewestSessions}</PageLink>
            </State>
          )
        }
      </Answered>
    </Page>
  );
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function sentenceOf(session: Row, zone: string): string {
  const person = textOf(session.name) ?? aiSessionWords.unknownPerson;
  const from = shownTime(textOf(session.started_at), zone);
  const to = textOf(session.ended_at);
  return aiSessionWords.worked(person, to, from, shownTime(to, zone), zone, sessionInWords(session));
}

const facts: readonly { label: string; column: string; measure: 'count' | 'duration'; factor?: number }[] = [
  { label: aiSessionWords.activeTime, column: 'active_minutes', measure: 'duration', factor: 60 },
  { label: aiSessionWords.tokens, column: 'total_tokens', measure: 'count' },
  { label: aiSessionWords.linesMade, column: 'generated_lines', measure: 'count' },
  { label: aiSessionWords.linesCommitted, column: 'committed_lines', measure: 'count' },
];

function Facts({ session }: { readonly session: Row }) {
  const numberOf = (column: string): number | null => {
    const cell = session[column];
    return typeof cell === 'number' ? cell : null;
  };
  return (
    <dl className="tiles session-figures">
      {facts.map(({ label, column, measure, factor = 1 }) => {
        const value = numberOf(column);
        return (
          <div key={column} className="tile">
            <dt className="tile-label">{label}</dt>
            <dd className="tile-value tile-plain">
              <Value value={value === null ? null : value * factor} measure={measure} />
            </dd>
            {column === 'total_tokens' && (
              <dd className="small secondary">
                {aiSessionWords.inOutRead(
                  shown(numberOf('input_tokens'), 'count'),
                  shown(numberOf('output_tokens'), 'count'),
                  shown(numberOf('cache_read_tokens'), 'count'),
                  shown(numberOf('cache_creation_tokens'), 'count'),
                )}
              </dd>
            )}
            {column === 'committed_lines' && keptShare(session) !== null && (
              <dd className="small secondary">{aiSessionWords.thoseMade(shown(keptShare(session), 'percent'))}</dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

function Parts({ session, zone }: { readonly session: Row; readonly zone: string }) {
  const questions = {
    messages: messagesQuestion(session),
    files: filesQuestion(session),
    commits: commitsQuestion(session),
  };
  const [messages, files, commits] = useAnswers([questions.messages, questions.files, questions.commits]);
  if (!messages || !files || !commits) return null;
  return (
    <>
      <TableCard
        title={aiSessionWords.messages}
        subtitle={messages.data && counted(messages.data.rows.length, 'message', 'messages')}
        question={questions.messages}
        answer={messages}
      >
        {({ rows }) => <Messages rows={rows} zone={zone} />}
      </TableCard>
      <div className="columns even">
        <TableCard
          title={aiSessionWords.files}
          subtitle={files.data && counted(files.data.rows.length, 'file', 'files')}
          question={questions.files}
          answer={files}
        >
          {({ rows }) =>
            rows.length === 0 ? (
              <State kind="empty" title={aiSessionWords.noFiles}>
                {aiSessionWords.thisSessionEditedNone}
              </State>
            ) : (
              <Table
                caption={aiSessionWords.filesThisSession}
                rows={rows}
                keyOf={({ file_path }) => String(file_path)}
                columns={[
                  {
                    name: aiSessionWords.file,
                    cell: ({ file_path }) => <code className="session-path">{textOf(file_path)}</code>,
                  },
                  { name: aiSessionWords.edits, isNumber: true, cell: ({ edits }) => countIn(edits) },
                  {
                    name: aiSessionWords.linesMade,
                    isNumber: true,
                    cell: ({ generated_lines }) => countIn(generated_lines),
                  },
                  {
                    name: aiSessionWords.committed,
                    isNumber: true,
                    cell: ({ committed_lines }) => countIn(committed_lines),
                  },
                ]}
              />
            )
          }
        </TableCard>
        <TableCard
          title={aiSessionWords.commits}
          subtitle={commits.data && counted(commits.data.rows.length, 'commit', 'commits')}
          question={questions.commits}
          answer={commits}
        >
          {({ rows }) =>
            rows.length === 0 ? (
              <State kind="empty" title={aiSessionWords.noCommits}>
                {aiSessionWords.nothingThisSession}
              </State>
            ) : (
              <Table
                caption={aiSessionWords.commitsThisSession}
                rows={rows}
                keyOf={({ commit_id }) => String(commit_id)}
                columns={[
                  { name: aiSessionWords.commit, cell: (row) => <CommitName row={row} /> },
                  {
                    name: aiSessionWords.committed,
                    cell: ({ committed_at }) => shownTime(textOf(committed_at), zone),
                    sortBy: ({ committed_at }) => textOf(committed_at),
                  },
                  {
                    name: aiSessionWords.lines,
                    isNumber: true,
                    cell: ({ committed_lines }) => countIn(committed_lines),
                  },
                ]}
              />
            )
          }
        </TableCard>
      </div>
    </>
  );
}

const countIn = (cell: Row[string] | undefined): string => (typeof cell === 'number' ? shown(cell, 'count') : '–');

function CommitName({ row }: { readonly row: Row }) {
  const [id, url] = [textOf(row.commit_id) ?? '', textOf(row.commit_url)];
  const name = <code>{id.length > 12 ? id.slice(0, 12) : id}</code>;
  return isWebAddress(url) ? (
    <a href={url} rel="noreferrer" title={id}>
      {name}
    </a>
  ) : (
    <span title={id}>{name}</span>
  );
}
