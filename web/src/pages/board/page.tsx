import { lazy, Suspense, useLayoutEffect, useState } from 'react';
import { Link } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';
import { type BoardDocument, rangeOf } from '../../ask/board-document.ts';
import type { GoalDocument, GoalStanding } from '../../ask/goal-standing.ts';
import { useIdInPath } from '../../ask/id-in-path.ts';
import { setPageRange, usePageRange } from '../../ask/page-range.ts';
import { type Tagged, useDocument, useDocuments } from '../../ask/stored-documents.ts';
import { useView } from '../../ask/use-view.ts';
import { boardWords } from '../../view/board-words.ts';
import { aggregationIn, goalsSentence } from '../../view/goal-values.ts';
import { goalWords } from '../../view/goal-words.ts';
import { Page } from '../../view/page.tsx';
import { windowName } from '../../view/range-words.ts';
import { seenByWords, useIsOwn } from '../../view/seen-by.tsx';
import { Answered, State } from '../../view/states.tsx';
import './board.css';
import { BoardMenu } from './board-menu.tsx';
import { PanelCard } from './panel-card.tsx';
import { inStrips } from './strips.ts';

const BoardEditor = lazy(() => import('./board-editor.tsx'));

/** One board. Its figures are asked in the rights of its reader. */
export default function BoardPage() {
  const slug = useIdInPath();
  const read = useDocument<BoardDocument>('boards', slug);
  const path = usePathname();
  const tagged = read.isOld ? undefined : read.data;
  useLayoutEffect(() => {
    if (tagged) setPageRange(path, rangeOf(tagged.document));
  }, [tagged, path]);
  // The days of the board are known once it is read: nothing is asked for others.
  const hasRange = usePageRange(path) !== undefined;
  if (read.error?.status === 404 || read.error?.status === 400) return <NoSuchBoard />;
  if (!tagged || !hasRange)
    return (
      <Page title={boardWords.board} sentence=" ">
        <Answered answer={{ ...read, data: undefined }} height={420} what={boardWords.theBoard}>
          {() => null}
        </Answered>
      </Page>
    );
  return <ShownBoard key={slug} slug={slug} tagged={tagged} />;
}

const NoSuchBoard = () => (
  <Page title={boardWords.board} hasControls={false} hasRecords={false}>
    <section className="card">
      <State
        kind="empty"
        title={boardWords.noSuchBoard}
        actions={
          <Link href="/board" className="button primary">
            {boardWords.allBoards}
          </Link>
        }
      >
        <p>{boardWords.noSuchBoardMore}</p>
      </State>
    </section>
  </Page>
);

interface ShownBoardProps {
  readonly slug: string;
  readonly tagged: Tagged<BoardDocument>;
}

function ShownBoard({ slug, tagged }: ShownBoardProps) {
  const view = useView();
  const [edited, setEdited] = useState<Tagged<BoardDocument>>();
  const { document: board } = tagged;
  const contents = boardWords.sentence(boardWords.panels(board.panels.length), windowName(view));
  const goals = useGoalsOf(board);
  return (
    <Page title={board.title} sentence={goals.length > 0 ? goalsOfBoard(goals) : contents}>
      {edited ? (
        <Suspense fallback={<div className="skeleton" style={{ height: 420 }} />}>
          <BoardEditor slug={slug} view={view} read={edited} onDone={() => setEdited(undefined)} />
        </Suspense>
      ) : (
        <>
          <BoardHead slug={slug} tagged={tagged} onEdit={() => setEdited(tagged)} />
          {board.panels.length === 0 ? <EmptyBoard /> : <Panels board={board} />}
        </>
      )}
    </Page>
  );
}

/** The goals about what the board shows: of the same metric and statistic. */
function useGoalsOf({ panels }: BoardDocument): readonly (GoalDocument & GoalStanding)[] {
  const goals = useDocuments<GoalDocument & GoalStanding>('goals').data ?? [];
  return goals.filter((goal) =>
    panels.some(
      ({ metric, request }) =>
        metric === goal.metric && aggregationIn(String(request?.aggregation ?? '')) === aggregationIn(goal.aggregation),
    ),
  );
}

/** How many goals are where, and which of them are not on their way. */
function goalsOfBoard(goals: readonly (GoalDocument & GoalStanding)[]): string {
  const behind = goals.filter(({ state }) => state === 'off_track' || state === 'missed');
  return [goalsSentence(goals), ...behind.slice(0, 2).map((goal) => goalWords.isBehind(goal.title, goal.state))].join(
    ' ',
  );
}

function BoardHead({ slug, tagged, onEdit }: ShownBoardProps & { readonly onEdit: () => void }) {
  const list = useDocuments<BoardDocument>('boards');
  const isOwn = useIsOwn();
  const listed = list.data?.find(({ board }) => board === slug);
  const own = isOwn(listed?.owner ?? null);
  const seenBy = seenByWords(tagged.document.visible_to, own);
  return (
    <div className="board-head">
      <p className="small secondary">
        {listed &&
          (own ? boardWords.yourBoard(seenBy) : boardWords.ownedBy(listed.owner?.name ?? boardWords.theOwners, seenBy))}
      </p>
      <div className="row">
        {listed?.may_change && (
          <button type="button" className="button" onClick={onEdit}>
            {boardWords.edit}
          </button>
        )}
        <BoardMenu slug={slug} tagged={tagged} mayChange={listed?.may_change ?? false} />
      </div>
    </div>
  );
}

function Panels({ board }: { readonly board: BoardDocument }) {
  const view = useView();
  return (
    <div className="board-panels">
      {inStrips(board.panels).map(({ first, isStrip, panels }) => {
        const cards = panels.map((panel, at) => <PanelCard key={first + at} view={view} board={board} panel={panel} />);
        return isStrip ? (
          <div key={first} className="tiles board-strip">
            {cards}
          </div>
        ) : (
          cards
        );
      })}
    </div>
  );
}

const EmptyBoard = () => (
  <section className="card">
    <State
      kind="empty"
      title={boardWords.emptyTitle}
      actions={
        <Link href="/explore" className="button primary">
          {boardWords.openExplore}
        </Link>
      }
    >
      <p>{boardWords.empty}</p>
    </State>
  </section>
);
