import { Payload } from '../../payload.ts';
import { source } from './user-day.ts';

/** Fields of a record. */
export type SeatRecord = Readonly<Record<'source' | 'date' | 'person_login', string> & { is_active: true }>;

/**
 * A seat as a record: its person used Copilot on the day of their last activity. A seat that was never used says nothing
 * about any day, and one that is no person's is nobody's; both are undefined.
 */
export function seatRecord(entry: unknown): SeatRecord | undefined {
  const seat = Payload.of(entry, 'seat');
  const lastActivity = seat.timeOrNull('last_activity_at');
  const assignee = seat.objectOrNull('assignee');
  if (lastActivity === null || assignee === null) return undefined;
  return { source, date: lastActivity.slice(0, 10), person_login: assignee.text('login'), is_active: true };
}
