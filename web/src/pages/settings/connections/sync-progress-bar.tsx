import type { SyncProgressLine } from '../../../ask/sources.ts';
import { shownTime } from '../../../view/format.ts';
import { progressInWords } from './questions.ts';

interface BarProps {
  readonly name: string;
  readonly progress: SyncProgressLine | null;
  readonly zone: string;
}

/** A sync under way: in all, and each stream that is at work or waits. */
export function SyncProgressBar({ name, progress, zone }: BarProps) {
  if (!progress) return <p className="secondary">The sync of {name} is about to begin.</p>;
  const { done, estimated, streams } = progress;
  const waiting = streams.find(({ limit_left }) => limit_left === 0);
  const working = streams.filter(({ phase }) => phase !== 'done' && phase !== 'complete');
  return (
    <div className="state" data-state="syncing">
      <label className="field">
        <span>
          {progress.phase === 'listing' ? `Looking for what there is: ${done} found` : progressInWords(progress)}
        </span>
        <progress
          aria-label={`Sync of ${name}`}
          {...(estimated === null || estimated === 0 ? {} : { max: Math.max(estimated, done), value: done })}
        />
      </label>
      {waiting?.limit_resets_at && (
        <p className="secondary">
          The other side’s limit is used up; it goes on by itself at {shownTime(waiting.limit_resets_at, zone)}.
        </p>
      )}
      {working.length > 0 && (
        <ul className="small secondary">
          {working.slice(0, 8).map((stream) => (
            <li key={`${stream.scope} ${stream.stream}`}>
              {[stream.scope, stream.stream].filter(Boolean).join(', ')}: {progressInWords(stream)}
              {stream.error && ` · ${stream.error}`}
            </li>
          ))}
          {working.length > 8 && <li>and {working.length - 8} more</li>}
        </ul>
      )}
    </div>
  );
}
