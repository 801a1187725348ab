import { useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { BoardDocument } from '../../ask/board-document.ts';
import { makeDocument, type VisibleTo } from '../../ask/stored-documents.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { boardWords } from '../../view/board-words.ts';
import { TextField } from '../../view/form.tsx';
import { SeenByField } from '../../view/seen-by.tsx';

/** Makes a board without panels: those come from charts. */
export function NewBoard({ known }: { readonly known: readonly BoardDocument[] }) {
  const [title, setTitle] = useState('');
  const [visibleTo, setVisibleTo] = useState<VisibleTo>('me');
  const action = useAction();
  return (
    <section className="card" aria-labelledby="new-board">
      <header>
        <div>
          <h2 id="new-board">{boardWords.newBoard}</h2>
          <p className="subtitle">{boardWords.newBoardHint}</p>
        </div>
      </header>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          const board: BoardDocument = { title: title.trim(), visible_to: visibleTo, range: '90d', panels: [] };
          const slugs = known.map(({ board: slug = '' }) => slug);
          void action.run(async () => {
            const slug = await makeDocument('boards', board.title, board, slugs);
            navigate(`/board/${slug}`);
            return '';
          });
        }}
      >
        <TextField
          label={boardWords.title}
          value={title}
          onChange={setTitle}
          maxLength={200}
          hint={boardWords.titleHint}
          isRequired
        />
        <SeenByField value={visibleTo} onChange={setVisibleTo} />
        <div className="row">
          <button type="submit" className="button primary" disabled={title.trim() === '' || action.isBusy}>
            {boardWords.make}
          </button>
        </div>
        <ActionOutcome action={action} />
      </form>
    </section>
  );
}
