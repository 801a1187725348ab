import type { ProgressNews, StreamNews, SyncNews } from '../ask/live-events.ts';
import { duration, grouped } from './format.ts';

/** More lines than this are counted. */
const streamsMost = 6;

/** How far one source is: in all, and each stream that still has something to do. */
export function SyncProgress({ name, progress }: { readonly name: string; readonly progress: SyncNews | null }) {
  if (!progress) return <p>{name}: about to begin.</p>;
  const { done, estimated, streams } = progress;
  const busy = streams.filter(({ phase }) => phase !== 'complete');
  return (
    <div className="sync-progress">
      <label className="field">
        <span>
          {name}: {progressWords(progress)}
        </span>
        <progress {...(estimated ? { max: Math.max(estimated, done), value: done } : {})} />
      </label>
      {busy.length > 0 && (
        <ul className="small">
          {busy.slice(0, streamsMost).map((stream) => (
            <li key={`${stream.scope} ${stream.stream}`}>{streamWords(stream)}</li>
          ))}
          {busy.length > streamsMost && <li>and {grouped(busy.length - streamsMost)} more</li>}
        </ul>
      )}
    </div>
  );
}

/** `1 200 of about 4 000 records, about 3m left`. */
export function progressWords({ phase, done, estimated, seconds_left }: ProgressNews): string {
  if (phase === 'listing') return 'looking for what there is';
  if (phase === 'waiting') return 'waits for its turn';
  const far = estimated
    ? `${grouped(done)} of about ${grouped(Math.max(estimated, done))} records`
    : `${grouped(done)} records`;
  return seconds_left ? `${far}, about ${duration(seconds_left)} left` : far;
}

const streamWords = (stream: StreamNews): string => {
  const name = [stream.scope, stream.stream.replaceAll('_', ' ')].filter((part) => part !== '').join(', ');
  return `${name}: ${progressWords(stream)}${stream.error ? `. ${stream.error}` : ''}`;
};
