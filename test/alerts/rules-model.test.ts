import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTellings, type StatesByPerson } from '../../src/alerts/find-tellings.ts';
import { type MessagePerson, recipientsOf } from '../../src/alerts/recipients.ts';
import { TimeZone } from '../../src/calendar.ts';
import { times } from '../setup/how-long.ts';
import { type Expected, expectedOf } from './plain-model.ts';
import { factsAt, histories, people, type RandomHistory } from './random-histories.ts';

/** What the rules send as the history goes by. */
async function sentBy(history: RandomHistory): Promise<Expected[]> {
  const sent: Expected[] = [];
  let states: StatesByPerson = new Map();
  for (const [i, now] of history.moments.entries()) {
    const standing = history.standings[i];
    const there = people.flatMap((id): MessagePerson[] => {
      const role = standing?.[id].role;
      return role === undefined || role === 'gone' ? [] : [{ id, name: id, role }];
    });
    const recipients = recipientsOf(
      { ownerId: 'ada', to: history.to },
      {
        byId: new Map(there.map((person) => [person.id, person])),
        byAddress: new Map(there.map((person) => [`${person.id}@acme.example`, person])),
      },
    );
    const isShownTo = (id: string) => people.some((one) => one === id && standing?.[one].isShown);
    const found = await findTellings(
      history,
      recipients,
      async ({ id }) => (isShownTo(id) ? factsAt(history, i) : undefined),
      states,
      { now, zone: TimeZone.named(history.zone) },
    );
    states = found.states;
    for (const { happenings, recipients: told } of found.tellings)
      for (const happening of happenings)
        for (const { receiver } of told)
          sent.push({
            moment: i,
            to: receiver.key,
            what: 'period' in happening ? `${happening.kind} ${happening.period}` : happening.kind,
          });
  }
  return sent;
}

const inOrder = (messages: readonly Expected[]) =>
  messages.map(({ moment, to, what }) => `${String(moment).padStart(3, '0')} ${to} ${what}`).toSorted();

test('What is sent over random histories is what a plain model says', { timeout: 600_000 }, async () => {
  const told: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const sent = await sentBy(history);
      for (const { what } of sent) told[what.split(' ')[0] ?? ''] = (told[what.split(' ')[0] ?? ''] ?? 0) + 1;
      expect(inOrder(sent)).toEqual(inOrder(expectedOf(history)));
    }),
    { numRuns: times(200, 5_000) },
  );
  // Every kind has to have happened, or the histories try nothing.
  for (const kind of ['goal_missed', 'unusual', 'source_behind', 'source_recovered', 'waiting'])
    expect(told[kind], kind).toBeGreaterThan(20);
});
