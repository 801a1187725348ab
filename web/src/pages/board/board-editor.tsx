import { useRef, useState } from 'react';
import { Link } from 'wouter';
import type { BoardDocument } from '../../ask/board-document.ts';
import type { Panel } from '../../ask/panel-of.ts';
import { refreshPins } from '../../ask/pins.ts';
import {
  isChangedMeanwhile,
  putDocument,
  readDocument,
  refreshDocument,
  type Tagged,
} from '../../ask/stored-documents.ts';
import type { View } from '../../ask/use-view.ts';
import { linkTo } from '../../ask/view-state.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { boardEditWords } from '../../view/board-words.ts';
import { showToast } from '../../view/toast.tsx';
import { BoardSettings } from './board-settings.tsx';
import { changed, type Draft, documentOf, draftOf, moved, placeByKey } from './draft.ts';
import { PanelCard, panelTitle } from './panel-card.tsx';
import { PanelTools } from './panel-tools.tsx';

interface BoardEditorProps {
  readonly slug: string;
  readonly view: View;
  readonly read: Tagged<BoardDocument>;
  readonly onDone: () => void;
}

/** A board while it is changed: nothing is stored before it is saved. */
export default function BoardEditor({ slug, view, read, onDone }: BoardEditorProps) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(read.document));
  const [said, setSaid] = useState('');
  const [isStale, setStale] = useState(false);
  const action = useAction();
  const list = useRef<HTMLDivElement>(null);
  const { board, panels } = draft;
  const setPanels = (change: (all: Draft['panels']) => Draft['panels']) =>
    setDraft((before) => ({ ...before, panels: change(before.panels) }));
  const move = (key: string, place: number) => {
    const next = moved(panels, key, place);
    const at = next.findIndex((one) => one.key === key);
    if (next === panels) return;
    setPanels(() => next);
    setSaid(boardEditWords.moved(titleOf(next[at]?.panel), at + 1, next.length));
    // Browsers take the focus from an element that changes its place.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-handle="${key}"]`)?.focus());
  };
  const titleOf = (panel: Panel | undefined): string => (panel ? panelTitle(view, panel) : '');
  const save = (tagOf: () => Promise<string>) =>
    action.run(async () => {
      setStale(false);
      try {
        await putDocument('boards', slug, documentOf(draft), await tagOf());
      } catch (problem) {
        if (isChangedMeanwhile(problem as { readonly status: number })) setStale(true);
        throw problem;
      }
      void refreshPins();
      showToast({ text: boardEditWords.saved });
      onDone();
      return '';
    });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save(async () => read.etag);
      }}
    >
      <div className="board-head">
        <p className="small secondary">{boardEditWords.editing}</p>
        <div className="row">
          <Link className="button" href={linkTo('/explore', view.state, { board: slug })}>
            {boardEditWords.add}
          </Link>
          <button type="button" className="button" onClick={onDone}>
            {boardEditWords.cancel}
          </button>
          <button type="submit" className="button primary" disabled={action.isBusy || board.title.trim() === ''}>
            {boardEditWords.save}
          </button>
        </div>
      </div>
      {isStale ? (
        <div className="outcome" role="alert" data-outcome="refused">
          <div className="outcome-refused board-stale">
            <p>
              <strong>{boardEditWords.changedTitle}.</strong> {boardEditWords.changedMore}
            </p>
            <div className="row">
              <button
                type="button"
                className="button"
                onClick={() => void save(async () => (await readDocument('boards', slug)).etag)}
              >
                {boardEditWords.saveMine}
              </button>
              <button
                type="button"
                className="button"
                onClick={() => {
                  void refreshDocument('boards', slug);
                  onDone();
                }}
              >
                {boardEditWords.showTheirs}
              </button>
            </div>
          </div>
        </div>
      ) : (
        <ActionOutcome action={action} />
      )}
      <BoardSettings view={view} board={board} onChange={(next) => setDraft({ ...draft, board: next })} />
      <p className="unseen" role="status">
        {said}
      </p>
      <div className="board-panels is-edited" ref={list}>
        {panels.map(({ key, panel }, at) => (
          <PanelCard
            key={key}
            view={view}
            board={board}
            panel={panel}
            tools={
              <PanelTools
                handle={key}
                panel={panel}
                title={titleOf(panel)}
                onChange={(change) => setPanels((all) => changed(all, key, change))}
                onKey={(pressed) => {
                  const place = placeByKey(pressed, at, panels.length);
                  if (place === undefined) return false;
                  move(key, place);
                  return true;
                }}
                onDragOver={(other) => {
                  const place = panels.findIndex((one) => one.key === other);
                  if (place >= 0 && other !== key) move(key, place);
                }}
                onRemove={() => {
                  setPanels((all) => all.filter((one) => one.key !== key));
                  setSaid(boardEditWords.removed(titleOf(panel)));
                }}
              />
            }
          />
        ))}
      </div>
    </form>
  );
}
