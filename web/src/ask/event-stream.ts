import { useEffect, useRef } from 'react';
import type { SyncEvent } from './status-answer.ts';

/** What `/app/events` tells: how far a sync is, which version the data have, and that there was a gap. */
interface LiveEvents {
  readonly sync: SyncEvent;
  readonly data: { readonly version: number };
  /** News come again after none came for a while: what happened meanwhile has to be asked. */
  readonly again: undefined;
  /** No news come any more: the session has ended, or there are too many listeners. */
  readonly refused: undefined;
}

type Listener = { readonly kind: keyof LiveEvents; readonly hear: (data: never) => void };

/** One stream for the whole tab: each person may have only a few. */
const listeners = new Set<Listener>();
let stream: EventSource | undefined;
let again: ReturnType<typeof setTimeout> | undefined;
const [soonest, latest] = [2_000, 60_000];
let wait = soonest;
/** Whether something may have happened that this page has not heard of. */
let isBehind = false;

function tell<K extends keyof LiveEvents>(kind: K, event: LiveEvents[K]): void {
  for (const listener of listeners) if (listener.kind === kind) listener.hear(event as never);
}

function open(): void {
  clearTimeout(again);
  if (stream || listeners.size === 0) return;
  if (document.hidden) {
    isBehind = true;
    return;
  }
  const opened = new EventSource('/app/events');
  stream = opened;
  opened.addEventListener('open', () => {
    wait = soonest;
    if (isBehind) tell('again', undefined);
    isBehind = false;
  });
  // A connection that breaks is made again by the browser; one that is refused is not.
  opened.addEventListener('error', () => {
    isBehind = true;
    if (stream !== opened || opened.readyState !== EventSource.CLOSED) return;
    close();
    tell('refused', undefined);
    again = setTimeout(open, wait);
    wait = Math.min(latest, wait * 2);
  });
  for (const kind of ['sync', 'data'] as const) {
    opened.addEventListener(kind, ({ data }: MessageEvent<string>) => {
      tell(kind, JSON.parse(data));
    });
  }
}

function close(): void {
  clearTimeout(again);
  isBehind = true;
  stream?.close();
  stream = undefined;
}

// A tab that nobody looks at asks for nothing. When it comes back it learns the version, and that it missed something.
const onVisibility = (): void => (document.hidden ? close() : open());

/** Hears events of one kind while the part is on the page. */
export function useLiveEvent<K extends keyof LiveEvents>(kind: K, hear: (data: LiveEvents[K]) => void): void {
  const newest = useRef(hear);
  newest.current = hear;
  useEffect(() => {
    const listener: Listener = { kind, hear: (data) => newest.current(data) };
    if (listeners.size === 0) document.addEventListener('visibilitychange', onVisibility);
    listeners.add(listener);
    open();
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      document.removeEventListener('visibilitychange', onVisibility);
      close();
    };
  }, [kind]);
}
