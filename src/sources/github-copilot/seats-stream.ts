import { type GithubApi, itemsOf, listPageSize } from '../github/api.ts';
import { addressOf } from '../github/streams/list-page.ts';
import { convertEach, Payload } from '../payload.ts';
import type { Page, Stream, StreamPosition } from '../source.ts';
import { type SeatRecord, seatRecord } from './convert/seat.ts';

/** Who has a seat, and when they last used it. Read as a whole each time: a seat changes without being newer. */
export function seatsStream(api: GithubApi, organization: string, since: string | undefined): Stream {
  const first = addressOf(`/orgs/${organization}/copilot/billing/seats`, { per_page: listPageSize });
  return {
    id: `seats@${organization.toLowerCase()}`,
    name: 'Copilot seats',
    feeds: ['ai_copilot'],
    scope: organization,
    read: (position) => readSeats(api, first, position, since),
  };
}

async function readSeats(api: GithubApi, first: string, { next, mark }: StreamPosition, since = ''): Promise<Page> {
  const path = typeof next === 'string' ? next : first;
  const etag = next === undefined && typeof mark === 'string' ? { etag: mark } : {};
  const answer = await api.get(path, etag);
  if (answer.isUnchanged) return { records: [], count: 0, at: answer.at, isUnchanged: true };
  const seats = itemsOf(answer.body, 'seats');
  const { records, problems } = convertEach(seats, seatRecord);
  const total = Payload.of(answer.body, 'list of seats').integerOrNull('total_seats');
  const used = records.filter((record) => record !== undefined && record.date >= since);
  // The first page says nothing of the others, so it is recognised only where it is the only one.
  const isOnly = next === undefined && answer.nextPage === undefined;
  return {
    records: [{ table: 'ai_copilot', records: used as readonly SeatRecord[] }],
    problems,
    count: seats.length,
    ...(total !== null && { total }),
    at: answer.at,
    ...(answer.nextPage !== undefined && { next: answer.nextPage }),
    ...(isOnly && answer.etag !== undefined && { mark: answer.etag }),
  };
}
