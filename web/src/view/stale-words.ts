import { TimeZone } from '../../../src/calendar.ts';
import type { StaleTable } from '../ask/status-answer.ts';
import { counted, shownDay, shownTime } from './format.ts';
import { recordsOf } from './records-of.ts';

/** What has come to a halt, and what that means for the reader. */
interface StaleSentence {
  readonly what: string;
  readonly so: string;
}

/** Says what stopped and when: a sentence for each source, and for each table that no source feeds. */
export function staleWords(stale: readonly StaleTable[], zone: string, now: Date): readonly StaleSentence[] {
  const sources = [...new Set(stale.flatMap(({ source }) => source ?? []))];
  return [
    ...sources.map((source) => {
      const since = earliest(stale.filter((one) => one.source === source));
      return {
        what: `${source} hasn’t sent anything since ${dayAndTime(since, zone, now)}.`,
        so: 'Days after that may be incomplete.',
      };
    }),
    ...stale
      .filter(({ source }) => source === null)
      .map(({ table, since }) => ({
        what: `No new ${recordsOf(table)} since ${dayBefore(since, zone, now)}.`,
        so: '',
      })),
  ];
}

/** A page names so many streams at most. */
const maxNamed = 3;

/** Says which streams are missing from numbers: `Not up to date: pull requests of acme/web (GitHub). …` */
export function missingWords(streams: readonly string[]): StaleSentence {
  const more = streams.length - maxNamed;
  const named = streams.slice(0, more > 0 ? maxNamed : undefined).join(', ');
  return {
    what: `Not up to date: ${named}${more > 0 ? ` and ${counted(more, 'other', 'others')}` : ''}.`,
    so: 'What is missing isn’t counted.',
  };
}

/** Says what to do, for readers who may do it and for those who may not. */
export function staleAdvice(isOfSource: boolean, isForOwner: boolean): string {
  if (!isForOwner) return 'Ask an Owner to check where it comes from.';
  return isOfSource ? 'Check the connection' : 'Check what imports them';
}

const earliest = (stale: readonly StaleTable[]): string => stale.map(({ since }) => since).sort()[0] ?? '';

/** `Mon 16 Nov, 19:41`. */
function dayAndTime(moment: string, zone: string, now: Date): string {
  const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short' }).format(new Date(moment));
  return `${weekday} ${shownTime(moment, zone, now)}`;
}

/** Data up to the end of a day are complete up to the midnight after it. */
function dayBefore(moment: string, zone: string, now: Date): string {
  const clocks = TimeZone.named(zone);
  const [seconds, today] = [Date.parse(moment) / 1_000, clocks.dayAt(now.getTime() / 1_000)];
  return shownDay(clocks.dayAt(seconds - 1), today);
}
