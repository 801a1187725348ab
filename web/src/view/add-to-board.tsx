import { useEffect, useId, useRef, useState } from 'react';
import { maxPanels } from '../../../src/boards/board.ts';
import type { BoardDocument } from '../ask/board-document.ts';
import type { Panel } from '../ask/panel-of.ts';
import { makeDocument, putDocument, readDocument, useDocuments } from '../ask/stored-documents.ts';
import { useView } from '../ask/use-view.ts';
import { ActionOutcome, useAction } from './action.tsx';
import { addToBoardWords, boardWords } from './board-words.ts';
import { SelectField, TextField } from './form.tsx';
import { Answered } from './states.tsx';
import { showToast } from './toast.tsx';

interface AddToBoardProps {
  readonly panel: Panel;
  readonly onClose: () => void;
}

/** Puts a panel on a board that the reader may change, or on a new one. */
export default function AddToBoard({ panel, onClose }: AddToBoardProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const answer = useDocuments<BoardDocument>('boards');
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby={heading} onClose={onClose}>
      <div>
        <h2 id={heading}>{addToBoardWords.title}</h2>
        <Answered answer={answer} height={120} what={boardWords.theList}>
          {(boards) => (
            <AddForm
              panel={panel}
              known={boards.map(({ board = '' }) => board)}
              boards={boards.filter(({ may_change }) => may_change)}
              onClose={close}
            />
          )}
        </Answered>
      </div>
    </dialog>
  );
}

const newBoard = '';

interface AddFormProps {
  readonly panel: Panel;
  /** Names in addresses that are taken. */
  readonly known: readonly string[];
  readonly boards: readonly BoardDocument[];
  readonly onClose: () => void;
}

function AddForm({ panel, known, boards, onClose }: AddFormProps) {
  const { own } = useView().state;
  const wanted = boards.some(({ board }) => board === own.board) ? own.board : boards[0]?.board;
  const [slug, setSlug] = useState(wanted ?? newBoard);
  const [title, setTitle] = useState(panel.title ?? '');
  const [boardTitle, setBoardTitle] = useState('');
  const action = useAction();
  const isNew = slug === newBoard;
  const add = () =>
    action.run(async () => {
      const titled: Panel = title.trim() === '' ? panel : { ...panel, title: title.trim() };
      if (isNew) {
        const board: BoardDocument = { title: boardTitle.trim(), visible_to: 'me', range: '90d', panels: [titled] };
        await makeDocument('boards', board.title, board, known);
        showToast({ text: addToBoardWords.added(titled.title ?? '', board.title) });
      } else {
        const { title: called } = await append(slug, titled);
        const undo = async () => {
          await takeBack(slug, titled);
          return addToBoardWords.takenBack(titled.title ?? '', called);
        };
        showToast({ text: addToBoardWords.added(titled.title ?? '', called), undo });
      }
      onClose();
      return '';
    });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <SelectField
        label={addToBoardWords.board}
        value={slug}
        onChange={setSlug}
        choices={[
          ...boards.map(({ board = '', title: called }) => [board, called] as const),
          [newBoard, addToBoardWords.aNewBoard] as const,
        ]}
      />
      {isNew && (
        <TextField
          label={addToBoardWords.newTitle}
          value={boardTitle}
          onChange={setBoardTitle}
          maxLength={200}
          isRequired
        />
      )}
      <TextField label={addToBoardWords.panelTitle} value={title} onChange={setTitle} maxLength={200} />
      <ActionOutcome action={action} />
      <div className="row">
        <button type="button" className="button" onClick={onClose}>
          {addToBoardWords.cancel}
        </button>
        <button
          type="submit"
          className="button primary"
          disabled={action.isBusy || (isNew && boardTitle.trim() === '')}
        >
          {addToBoardWords.confirm}
        </button>
      </div>
    </form>
  );
}

/** Reads the board as it is now: another window may have changed it. */
async function append(slug: string, panel: Panel): Promise<BoardDocument> {
  const { document: board, etag } = await readDocument<BoardDocument>('boards', slug);
  if (board.panels.length >= maxPanels) throw new Error(addToBoardWords.full);
  await putDocument('boards', slug, { ...board, panels: [...board.panels, panel] }, etag);
  return board;
}

async function takeBack(slug: string, panel: Panel): Promise<void> {
  const { document: board, etag } = await readDocument<BoardDocument>('boards', slug);
  const at = board.panels.findLastIndex(({ title, metric }) => title === panel.title && metric === panel.metric);
  if (at >= 0) await putDocument('boards', slug, { ...board, panels: board.panels.toSpliced(at, 1) }, etag);
}
