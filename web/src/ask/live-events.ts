import { useEffect, useRef } from 'react';
import type { SyncProgressLine } from './sources.ts';

/** What `/app/events` tells: a sync went on, or there are new data. */
export interface LiveEvents {
  readonly sync: {
    readonly source: { readonly id: string; readonly name: string };
    readonly is_running: boolean;
    readonly progress: SyncProgressLine | null;
  };
  readonly data: { readonly version: number };
}

type Listener = { readonly kind: keyof LiveEvents; readonly hear: (data: never) => void };

/** One stream for the whole tab: each person may have only a few. */
const listeners = new Set<Listener>();
let stream: EventSource | undefined;
const againMs = 10_000;

function open(): EventSource {
  const opened = new EventSource('/app/events');
  for (const kind of ['sync', 'data'] as const) {
    opened.addEventListener(kind, ({ data }: MessageEvent<string>) => {
      const told = JSON.parse(data) as never;
      for (const listener of listeners) if (listener.kind === kind) listener.hear(told);
    });
  }
  // A refusal closes it for good: the person may have signed in elsewhere too often, or got another role.
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED) return;
    setTimeout(() => {
      if (stream === opened && listeners.size > 0) stream = open();
    }, againMs);
  });
  return opened;
}

/** Hears events of one kind while the part is on the page. The browser connects again by itself. */
export function useLiveEvent<K extends keyof LiveEvents>(kind: K, hear: (data: LiveEvents[K]) => void): void {
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    const listener: Listener = { kind, hear: (data) => latest.current(data) };
    listeners.add(listener);
    stream ??= open();
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      stream?.close();
      stream = undefined;
    };
  }, [kind]);
}
