import type { SyncNews } from '../ask/status-answer.ts';
import { useView } from '../ask/use-view.ts';
import { syncProgressNoteWords } from './arriving-words.ts';
import { shownTime } from './format.ts';
import { progressWords, streamWords } from './sync-words.ts';

/** Of more lines than this, the page shows only the number. */
const maxStreams = 6;

/** The progress of one source: in all, and of each stream that is not finished. */
export function SyncProgress({ name, progress }: { readonly name: string; readonly progress: SyncNews | null }) {
  const { zone } = useView();
  if (!progress) return <p>{syncProgressNoteWords.startingSoon(name)}</p>;
  const { done, estimated, streams } = progress;
  const busy = streams.filter(({ phase }) => phase !== 'complete');
  const resets = streams.find(({ limit_left }) => limit_left === 0)?.limit_resets_at;
  return (
    <div className="sync-progress">
      <label className="field">
        <span>
          {name}: {progressWords(progress)}
        </span>
        <progress {...(estimated ? { max: Math.max(estimated, done), value: done } : {})} />
      </label>
      {resets && <p>{syncProgressNoteWords.sRateLimitReached(name, shownTime(resets, zone))}</p>}
      {busy.length > 0 && (
        <ul className="small">
          {busy.slice(0, maxStreams).map((stream) => (
            <li key={`${stream.scope} ${stream.stream}`}>{streamWords(stream)}</li>
          ))}
          {busy.length > maxStreams && <li>{syncProgressNoteWords.andMore(busy.length - maxStreams)}</li>}
        </ul>
      )}
    </div>
  );
}
