import { useEffect, useRef } from 'react';
import type { SyncEvent } from './status-answer.ts';

/** The events of `/app/events`: the progress of a sync, the version of the data, and that there was a gap. */
interface LiveEvents {
  readonly sync: SyncEvent;
  readonly data: { readonly version: number };
  /** Events arrive again after a gap: the page has to ask for what happened meanwhile. */
  readonly again: undefined;
  /** No events arrive any more: the session has ended, or there are too many listeners. */
  readonly refused: undefined;
}

type Listener = { readonly kind: keyof LiveEvents; readonly hear: (data: never) => void };

/** One stream for the whole tab: each person may have only a few. */
const listeners = new Set<Listener>();
let stream: EventSource | undefined;
let again: ReturnType<typeof setTimeout> | undefined;
const [soonest, latest] = [2_000, 60_000];
let wait = soonest;
/** Whether this page may have missed an event. */
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

// A hidden tab asks for nothing. When it is shown again it learns the version, and that it missed something.
const onVisibility = (): void => (document.hidden ? close() : open());

/** Listens to events of one kind while the component is on the page. */
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
