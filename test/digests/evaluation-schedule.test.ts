import { beforeEach, expect, test } from 'vitest';
import { EvaluationSchedule } from '../../src/digests/evaluation-schedule.ts';
import { mail, tellingWorld } from '../alerts/telling-world.ts';

const world = tellingWorld('2026-11-18T10:00:00Z');
let clock: Date;
let dataVersion: number;
let hasQuietEnded: boolean;
let evaluated: string[];
let sent: number;

beforeEach(async () => {
  clock = new Date('2026-11-18T10:00:00Z');
  [dataVersion, hasQuietEnded, evaluated, sent] = [1, false, [], 0];
  await world.write('alert', 'ada', 'behind', { rule: { source_behind: {} }, to: [mail('ada')] });
});

const schedule = (holder: string, evaluate: () => Promise<void> = async () => {}) =>
  new EvaluationSchedule({
    store: world.app.store,
    warehouse: { versionOf: () => dataVersion },
    alerts: {
      evaluate: async () => {
        evaluated.push(holder);
        await evaluate();
      },
      hasQuietEnded: async () => hasQuietEnded,
    },
    digests: {
      sendDue: async () => {
        sent += 1;
      },
    },
    holder,
    now: () => clock,
    onError: (error) => {
      throw error;
    },
  });
const after = (minutes: number) => {
  clock = new Date(clock.getTime() + minutes * 60_000);
};

test('Alerts are evaluated at least every hour, and digests looked at every time', async () => {
  const one = schedule('one');
  await one.look();
  after(59);
  await one.look();
  expect([evaluated.length, sent]).toEqual([1, 2]);
  after(1);
  await one.look();
  expect([evaluated.length, sent]).toEqual([2, 3]);
});

test('New data, a source that was read and the end of quiet hours do not wait for the hour', async () => {
  const one = schedule('one');
  await one.look();
  dataVersion = 2;
  after(4);
  await one.look();
  expect(evaluated).toHaveLength(1);
  after(1);
  await one.look();
  expect(evaluated).toHaveLength(2);
  after(5);
  await one.look();
  expect(evaluated).toHaveLength(2);
  one.noteRead(world.organisationId);
  await one.look();
  expect(evaluated).toHaveLength(3);
  after(1);
  hasQuietEnded = true;
  await one.look();
  expect(evaluated).toHaveLength(4);
});

test('Of several processes one evaluates, and another goes on for one that died', async () => {
  const others = ['two', 'three'].map((holder) => schedule(holder));
  const one = schedule('one', async () => {
    for (const other of others) await other.look();
  });
  await one.look();
  expect(evaluated).toEqual(['one']);
  // What failed is done again the next minute.
  clock = new Date('2026-11-18T12:00:00Z');
  const broken = schedule('broken', () => Promise.reject(new Error('killed')));
  await expect(broken.look()).rejects.toThrow('killed');
  await others[0]?.look();
  expect(evaluated).toEqual(['one', 'broken', 'two']);
});
