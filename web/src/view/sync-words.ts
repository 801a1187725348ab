import type { ProgressNews, StreamNews } from '../ask/status-answer.ts';
import { duration, grouped } from './format.ts';
import { recordsOf } from './records-of.ts';

/** `1,200 of about 4,000 records, 600 a minute, about 5m left`. */
export function progressWords({ phase, done, estimated, per_minute, seconds_left }: ProgressNews): string {
  if (phase === 'listing') return 'listing what to read';
  if (phase === 'waiting') return 'waiting to start';
  const far = estimated
    ? `${grouped(done)} of about ${grouped(Math.max(estimated, done))} records`
    : `${grouped(done)} records`;
  return [
    far,
    ...(per_minute ? [`${grouped(Math.round(per_minute))} a minute`] : []),
    ...(seconds_left ? [`about ${duration(seconds_left)} left`] : []),
  ].join(', ');
}

export const streamWords = (stream: StreamNews): string => {
  const name = [stream.scope, recordsOf(stream.stream)].filter((part) => part !== '').join(', ');
  return `${name}: ${progressWords(stream)}${stream.error ? `. ${stream.error}` : ''}`;
};
