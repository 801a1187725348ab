import { useEffect, useRef } from 'react';

/** How far a sync or one of its streams is. Never ahead of what is stored. */
export interface ProgressNews {
  readonly phase: string;
  readonly done: number;
  readonly estimated: number | null;
  readonly per_minute: number | null;
  readonly seconds_left: number | null;
}

export interface StreamNews extends ProgressNews {
  /** `acme/web`; empty where it is of the whole source. */
  readonly scope: string;
  readonly stream: string;
  readonly error: string | null;
}

/** A sync as a whole, and its streams for whoever sees the whole organisation. */
export interface SyncNews extends ProgressNews {
  readonly streams: readonly StreamNews[];
}

/** What `/app/events` tells: how far a sync is, and which version the data have. */
export interface LiveEvents {
  readonly sync: {
    readonly source: { readonly id: string; readonly name: string };
    readonly is_running: boolean;
    readonly progress: SyncNews | null;
  };
  readonly data: { readonly version: number };
}

type Listener = { readonly kind: keyof LiveEvents; readonly hear: (data: never) => void };

/** One stream for the whole tab: each person may have only a few. */
const listeners = new Set<Listener>();
let stream: EventSource | undefined;
let again: ReturnType<typeof setTimeout> | undefined;
const [soonest, latest] = [2_000, 60_000];
let wait = soonest;

function open(): void {
  clearTimeout(again);
  if (stream || listeners.size === 0 || document.hidden) return;
  const opened = new EventSource('/app/events');
  stream = opened;
  opened.addEventListener('open', () => {
    wait = soonest;
  });
  // A connection that breaks is made anew by the browser; one that is refused is not.
  opened.addEventListener('error', () => {
    if (stream !== opened || opened.readyState !== EventSource.CLOSED) return;
    close();
    again = setTimeout(open, wait);
    wait = Math.min(latest, wait * 2);
  });
  for (const kind of ['sync', 'data'] as const) {
    opened.addEventListener(kind, ({ data }: MessageEvent<string>) => {
      const told = JSON.parse(data) as never;
      for (const listener of listeners) if (listener.kind === kind) listener.hear(told);
    });
  }
}

function close(): void {
  clearTimeout(again);
  stream?.close();
  stream = undefined;
}

// A tab that nobody looks at asks for nothing. What it missed it learns from the first event when it comes back.
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
