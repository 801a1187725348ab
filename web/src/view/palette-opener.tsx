import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { changeView, useView, type View } from '../ask/use-view.ts';
import { comparisons, shifted } from '../ask/windows.ts';
import { switchTheme } from '../theme/theme.ts';
import './palette.css';
import { paletteOpenerWords } from './frame-words.ts';
import { areShortcutsOn } from './shortcut-setting.ts';

const PaletteList = lazy(() => import('./palette-list.tsx'));
const ShortcutList = lazy(() => import('./shortcut-list.tsx'));

const openEvent = 'plumb-open-palette';

export const openPalette = (): void => void document.dispatchEvent(new Event(openEvent));

/** Browsers on machines of Apple have ⌘ where others have Ctrl. */
const isApple = /Mac|iP(?:hone|ad)/.test(globalThis.navigator?.platform ?? '');

export function PaletteButton({ isShort = false }: { readonly isShort?: boolean }) {
  return (
    <button
      type="button"
      className="palette-button"
      onClick={openPalette}
      {...(isShort ? { 'aria-label': paletteOpenerWords.search, title: paletteOpenerWords.search } : {})}
    >
      <Search className="icon" aria-hidden="true" />
      {!isShort && (
        <>
          {paletteOpenerWords.search} <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
        </>
      )}
    </button>
  );
}

/** The palette and the list of shortcuts, with the keys that open them. A native dialog: it needs no styles of its own. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [shows, setShows] = useState<'nothing' | 'palette' | 'shortcuts'>('nothing');
  const [typed, setTyped] = useState('');
  const view = useView();

  useEffect(() => {
    const open = () => {
      setTyped('');
      setShows('palette');
    };
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        open();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || !areShortcutsOn()) return;
      const work = shortcuts(view, () => setShows('shortcuts'))[event.key];
      if (!work || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      work();
    };
    document.addEventListener(openEvent, open);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener(openEvent, open);
      document.removeEventListener('keydown', onKey);
    };
  }, [view]);

  useEffect(() => {
    if (shows === 'nothing') dialog.current?.close();
    else if (!dialog.current?.open) {
      dialog.current?.showModal();
      // Where the list was loaded before, its field existed before the dialog opened, and could not take the focus.
      dialog.current?.querySelector('input')?.focus();
    }
  }, [shows]);

  const close = () => setShows('nothing');
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={shows === 'shortcuts' ? paletteOpenerWords.shortcuts : paletteOpenerWords.search}
      onClose={close}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      {shows === 'shortcuts' && (
        <Suspense>
          <ShortcutList onClose={close} />
        </Suspense>
      )}
      {shows === 'palette' && (
        <Suspense
          fallback={
            <input
              className="palette-waiting"
              aria-label={paletteOpenerWords.search}
              placeholder={paletteOpenerWords.loading}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          }
        >
          <PaletteList typed={typed} onClose={close} />
        </Suspense>
      )}
    </dialog>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const openMenu = (shortcut: string) => document.querySelector<HTMLElement>(`[data-shortcut="${shortcut}"]`)?.click();

function shortcuts({ state, window, reach }: View, list: () => void): Readonly<Record<string, () => void>> {
  const move = (direction: -1 | 1) => () => void changeView({ range: shifted(window, direction, reach.lastWhole) });
  const next = comparisons[(comparisons.indexOf(state.compare) + 1) % comparisons.length] ?? 'none';
  return {
    '/': () => openMenu('team'),
    '[': move(-1),
    ']': move(1),
    c: () => void changeView({ compare: next }),
    t: switchTheme,
    '?': list,
  };
}
