import type { FeedingStream } from '../../src/data-extent/table-status.ts';

const hour = 3_600;

/** A stream that was read an hour before noon of the tenth of March 2026, a Tuesday. */
export const fedBy = (over: Partial<FeedingStream> = {}): FeedingStream => ({
  name: 'pull requests of acme/web (GitHub)',
  source: 'GitHub',
  everySeconds: hour,
  isDaily: false,
  completeAt: Date.parse('2026-03-10T11:00:00Z') / 1_000,
  readBackTo: undefined,
  newestRecordAt: undefined,
  leftOut: undefined,
  failingSince: undefined,
  ...over,
});
