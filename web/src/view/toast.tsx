import { X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import './toast.css';
import { toastWords } from './action-words.ts';

/** What was just done, and the way back. */
interface ToastContent {
  readonly text: string;
  /** Takes it back and says so. */
  readonly undo?: () => Promise<string>;
}

let shown: ToastContent | undefined;
const listeners = new Set<() => void>();

/** Says at the foot of the window what was done. One at a time: the next takes the place of the one before. */
export function showToast(content: ToastContent | undefined): void {
  shown = content;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Long enough to read it and to think twice. It stays while the pointer or the focus is on it. */
const shownMs = 20_000;

/** The place of toasts. It is there before, so that screen readers hear the text. */
export function Toast() {
  const content = useSyncExternalStore(subscribe, () => shown);
  const [isHeld, setHeld] = useState(false);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (!content || isHeld || isBusy) return;
    const timer = setTimeout(() => showToast(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [content, isHeld, isBusy]);
  const undo = async (work: () => Promise<string>) => {
    setBusy(true);
    try {
      showToast({ text: await work() });
    } catch (problem) {
      showToast({ text: problem instanceof Error ? problem.message : String(problem), undo: work });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div
      className="toast"
      role="status"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {content && (
        <div className="toast-box">
          <span>{content.text}</span>
          {content.undo && (
            <button
              type="button"
              className="link"
              disabled={isBusy}
              onClick={() => content.undo && void undo(content.undo)}
            >
              {toastWords.undo}
            </button>
          )}
          <button
            type="button"
            className="toast-close"
            aria-label={toastWords.close}
            onClick={() => showToast(undefined)}
          >
            <X className="icon" aria-hidden="true" />
          </button>
        </div>
      )}
    </div>
  );
}
