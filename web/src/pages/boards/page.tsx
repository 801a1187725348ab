import { Link } from 'wouter';
import type { BoardDocument } from '../../ask/board-document.ts';
import { type Listed, useDocuments } from '../../ask/stored-documents.ts';
import { useView } from '../../ask/use-view.ts';
import { boardLink } from '../../view/board-link.ts';
import { boardWords } from '../../view/board-words.ts';
import { Table } from '../../view/data-table.tsx';
import { shownTime } from '../../view/format.ts';
import { Page } from '../../view/page.tsx';
import { seenByWords, useIsOwn } from '../../view/seen-by.tsx';
import { Answered } from '../../view/states.tsx';
import { CopyPage } from './copy-page.tsx';
import { NewBoard } from './new-board.tsx';

type ListedBoard = BoardDocument & Listed;

/** Every board that the reader may see, and how to make another. */
export default function Boards() {
  const answer = useDocuments<BoardDocument>('boards');
  const isOwn = useIsOwn();
  const own = (answer.data ?? []).filter(({ owner }) => isOwn(owner));
  const shared = (answer.data ?? []).filter(({ owner }) => !isOwn(owner));
  return (
    <Page
      title={boardWords.boards}
      hasControls={false}
      hasRecords={false}
      sentence={answer.data ? boardWords.listSentence(own.length, shared.length) : ' '}
    >
      <Answered answer={answer} what={boardWords.theList}>
        {(boards) => (
          <div className="stack">
            <BoardList title={boardWords.yours} boards={own} empty={boardWords.noneOfYours} />
            <BoardList title={boardWords.shared} boards={shared} empty={boardWords.noneShared} />
            <div className="columns even">
              <NewBoard known={boards} />
              <CopyPage known={boards} />
            </div>
          </div>
        )}
      </Answered>
    </Page>
  );
}

interface BoardListProps {
  readonly title: string;
  readonly boards: readonly ListedBoard[];
  readonly empty: string;
}

function BoardList({ title, boards, empty }: BoardListProps) {
  const { zone, state } = useView();
  const isOwn = useIsOwn();
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {boards.length === 0 ? (
        <p className="secondary">{empty}</p>
      ) : (
        <Table
          caption={title}
          rows={boards}
          keyOf={({ board }) => board ?? ''}
          columns={[
            {
              name: boardWords.title,
              cell: ({ board = '', title: called }) => <Link href={boardLink(board, state)}>{called}</Link>,
              sortBy: ({ title: called }) => called,
            },
            {
              name: boardWords.panelsHead,
              isNumber: true,
              cell: ({ panels }) => String(panels.length),
              sortBy: ({ panels }) => panels.length,
            },
            { name: boardWords.owner, cell: ({ owner }) => ownerWords(owner, isOwn(owner)) },
            { name: boardWords.seenBy, cell: ({ visible_to, owner }) => seenByWords(visible_to, isOwn(owner)) },
            {
              name: boardWords.changed,
              cell: ({ changed_at }) => shownTime(changed_at, zone),
              sortBy: ({ changed_at }) => changed_at,
            },
          ]}
        />
      )}
    </section>
  );
}

const ownerWords = (owner: Listed['owner'], isOwn: boolean): string =>
  isOwn ? boardWords.you : (owner?.name ?? boardWords.theOwners);
