import { expect, test } from 'vitest';
import { SeededRandom } from '../../../src/demo/seeded-random.ts';
import { times } from '../../setup/how-long.ts';
import { seed } from '../../setup/seed.ts';
import { type Call, HookedService, signed } from './hooked-service.ts';

const maxCalls = times(120, 10_000);
const atOnce = 16;
const objects = 60;

interface Sent {
  readonly call: Call;
  /** What the object's title becomes before the call is sent; absent where nothing has changed. */
  readonly change?: { readonly number: number; readonly title: string };
  readonly isForged: boolean;
}

/** Changes with a call each, of which some come again, some late, and some are made up by a stranger. */
function storm(random: SeededRandom): Sent[] {
  const calls: Sent[] = [];
  for (let n = 0; calls.length < maxCalls; n += 1) {
    const number = random.integer(1, objects);
    const change = { number, title: `change ${n}` };
    const call: Call = { body: JSON.stringify({ number, n }), delivery: `delivery-${n}` };
    const luck = random.next();
    if (luck < 0.02) {
      const body = JSON.stringify({ number: 1_000 + n });
      calls.push({ call: { body, delivery: `forged-${n}`, signature: signed(body, 'a guess') }, isForged: true });
    } else calls.push({ call, change, isForged: false });
    if (luck > 0.7) calls.push({ call, isForged: false });
  }
  // Every twentieth changes places with one that comes some time later.
  for (let at = 0; at + 20 < calls.length; at += 20) {
    const other = at + random.integer(1, 19);
    const [one, late] = [calls[at], calls[other]];
    if (one && late) [calls[at], calls[other]] = [late, one];
  }
  return calls.slice(0, maxCalls);
}

test('A storm of calls has exactly the effect of what has changed, and nothing that is forged', async () => {
  const hooked = await HookedService.start({ isQuick: true });
  try {
    const calls = storm(new SeededRandom(`${seed} storm`));
    const answers = new Map<boolean, Set<number>>([
      [true, new Set()],
      [false, new Set()],
    ]);
    const next = calls.values();
    const send = async () => {
      for (const { call, change, isForged } of next) {
        if (change) hooked.provider.titles.set(change.number, change.title);
        const { status } = await hooked.deliver(call);
        answers.get(isForged)?.add(status);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, send));
    await hooked.rereads.settled();

    expect([...(answers.get(false) ?? [])]).toEqual([202]);
    expect([...(answers.get(true) ?? [])]).toEqual([401]);
    const expected = [...hooked.provider.titles].map(([number, title]) => [`github:acme/web#${number}`, title]);
    expect(await hooked.titles()).toEqual(Object.fromEntries(expected));
    expect(await hooked.openDeliveries()).toBe(0);
    // Calls about one object are one read, as far as they come together.
    expect(hooked.provider.reads.length).toBeLessThan(maxCalls);
    expect(hooked.provider.reads.filter((number) => number > objects)).toEqual([]);
  } finally {
    await hooked.stop();
  }
});
