import { Ellipsis, FileCode, Pin, PinOff, Printer, Trash2 } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { BoardDocument } from '../../ask/board-document.ts';
import { refreshPins, setPinned, usePinnedBoards } from '../../ask/pins.ts';
import { putDocument, removeDocument, type Tagged } from '../../ask/stored-documents.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { boardWords } from '../../view/board-words.ts';
import { ConfirmDialog } from '../../view/confirm.tsx';
import { Menu, MenuItem } from '../../view/menu.tsx';
import { showToast } from '../../view/toast.tsx';

const YamlDialog = lazy(() => import('./yaml-dialog.tsx'));

interface BoardMenuProps {
  readonly slug: string;
  readonly tagged: Tagged<BoardDocument>;
  readonly mayChange: boolean;
}

/** What can be done with a whole board. */
export function BoardMenu({ slug, tagged: { document: board }, mayChange }: BoardMenuProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [hasYaml, setYaml] = useState(false);
  const action = useAction();
  const isPinned = usePinnedBoards().some((one) => one.board === slug);
  const pin = () =>
    action.run(async () => {
      await setPinned(slug, !isPinned);
      showToast({ text: isPinned ? boardWords.unpinned(board.title) : boardWords.pinned(board.title) });
      return '';
    });
  const remove = () =>
    action.run(async () => {
      await removeDocument('boards', slug);
      void refreshPins();
      const undo = async () => {
        await putDocument('boards', slug, board);
        return boardWords.back(board.title);
      };
      showToast({ text: boardWords.removed(board.title), undo });
      navigate('/board');
      return '';
    });
  return (
    <>
      <Menu
        label={<Ellipsis className="icon" />}
        isIcon
        name={boardWords.more}
        className="icon-button board-more"
        align="end"
      >
        {(close) => {
          const pick = (work: () => void) => () => {
            close();
            work();
          };
          return (
            <>
              <MenuItem icon={isPinned ? PinOff : Pin} onPick={pick(() => void pin())}>
                {isPinned ? boardWords.unpin : boardWords.pin}
              </MenuItem>
              <MenuItem icon={Printer} onPick={pick(() => window.print())}>
                {boardWords.print}
              </MenuItem>
              <MenuItem icon={FileCode} onPick={pick(() => setYaml(true))}>
                {boardWords.yaml}
              </MenuItem>
              {mayChange && (
                <MenuItem icon={Trash2} onPick={pick(() => dialog.current?.showModal())}>
                  {boardWords.remove}
                </MenuItem>
              )}
            </>
          );
        }}
      </Menu>
      <ConfirmDialog
        dialog={dialog}
        title={boardWords.removeTitle(board.title)}
        verb={boardWords.removeVerb}
        onConfirm={() => void remove()}
      >
        <p>{boardWords.removeMore}</p>
      </ConfirmDialog>
      {hasYaml && (
        <Suspense>
          <YamlDialog slug={slug} onClose={() => setYaml(false)} />
        </Suspense>
      )}
      <ActionOutcome action={action} />
    </>
  );
}
