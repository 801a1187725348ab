import { useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { copiedPages, pageAsBoard } from '../../../../src/boards/pages-as-boards.ts';
import type { BoardDocument } from '../../ask/board-document.ts';
import { pageFilterNames, pageFilters } from '../../ask/page-filters.ts';
import { makeDocument } from '../../ask/stored-documents.ts';
import { useView, type View } from '../../ask/use-view.ts';
import { isUnitRange } from '../../ask/windows.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { boardWords } from '../../view/board-words.ts';
import { SelectField, TextField } from '../../view/form.tsx';
import { copyPageWords } from './words.ts';

type CopiedPage = (typeof copiedPages)[number];

/** A page as a board of the reader's own. What cannot be a panel is named before anything is stored. */
export function CopyPage({ known }: { readonly known: readonly BoardDocument[] }) {
  const view = useView();
  const [page, setPage] = useState<CopiedPage>('delivery');
  const [title, setTitle] = useState<string>();
  const action = useAction();
  const { board, leftOut } = pageAsBoard(page, lookOf(view));
  const called = title ?? board.title;
  return (
    <section className="card" aria-labelledby="copy-page">
      <header>
        <div>
          <h2 id="copy-page">{copyPageWords.title}</h2>
          <p className="subtitle">{copyPageWords.hint}</p>
        </div>
      </header>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(async () => {
            const copied = { ...board, title: called.trim(), visible_to: 'me' };
            const slugs = known.map((one) => one.board ?? '');
            navigate(`/board/${await makeDocument('boards', copied.title, copied, slugs)}`);
            return '';
          });
        }}
      >
        <SelectField
          label={copyPageWords.page}
          value={page}
          choices={copiedPages.map((one) => [one, copyPageWords.pages[one]] as const)}
          onChange={(text) => {
            setPage(copiedPages.find((one) => one === text) ?? page);
            setTitle(undefined);
          }}
        />
        <TextField label={boardWords.title} value={called} onChange={setTitle} maxLength={200} isRequired />
        <p className="secondary" role="status">
          {copyPageWords.panels(board.panels.length, leftOut)}
        </p>
        <div className="row">
          <button type="submit" className="button primary" disabled={called.trim() === '' || action.isBusy}>
            {copyPageWords.copy}
          </button>
        </div>
        <ActionOutcome action={action} />
      </form>
    </section>
  );
}

/** The range and filters that the reader looks with. */
function lookOf({ state, level }: View) {
  const { range, filters } = state;
  const days = typeof range === 'string' ? undefined : { start_date: range.start, end_date: range.end };
  const set = pageFilterNames.filter((name) => filters[name].length > 0);
  return {
    range: days ?? (isUnitRange(range) ? range : '90d'),
    level,
    filters: Object.fromEntries(set.map((name) => [pageFilters[name].request, filters[name]])),
  };
}
