import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ReadGate } from '../../../src/warehouse/duckdb/organisation-lock.ts';

const patient = { politeMs: 0, patienceMs: 5_000 };

describe('a gate', () => {
  test('A gate lets everyone in while nobody needs to be alone', async () => {
    const gate = new ReadGate();
    const leave = await gate.enter();
    expect(gate.tryEnter()).toBeDefined();
    leave();
    await gate.opened();
  });

  test('A gate stays closed until those inside have left and whoever is alone is done', async () => {
    const gate = new ReadGate();
    const order: string[] = [];
    const leave = await gate.enter();
    const alone = gate.alone(patient, async () => {
      order.push('alone');
      await sleep(20);
      order.push('done');
    });
    await sleep(5);
    expect(gate.tryEnter()).toBeUndefined();
    const late = gate.enter().then(() => order.push('late'));
    leave();
    order.push('left');
    await Promise.all([alone, late]);
    expect(order).toEqual(['left', 'alone', 'done', 'late']);
  });

  test('A gate waits politely first: newcomers come in while somebody is inside anyway', async () => {
    const gate = new ReadGate();
    const leave = await gate.enter();
    const alone = gate.alone({ politeMs: 60, patienceMs: 5_000 }, async () => 'done');
    const another = gate.tryEnter();
    expect(another).toBeDefined();
    leave();
    another?.();
    expect(await alone).toBe('done');
  });

  test('A gate is opened again when those inside do not leave in time, and nothing was done', async () => {
    const gate = new ReadGate();
    await gate.enter();
    let isDone = false;
    const outcome = await gate.alone({ politeMs: 5, patienceMs: 5 }, async () => {
      isDone = true;
    });
    expect(outcome).toBe('occupied');
    expect(isDone).toBe(false);
    expect(gate.tryEnter()).toBeDefined();
  });

  test('A gate is opened again when what was done alone fails', async () => {
    const gate = new ReadGate();
    const failing = gate.alone(patient, async () => {
      throw new Error('mishap');
    });
    await expect(failing).rejects.toThrow('mishap');
    expect(gate.tryEnter()).toBeDefined();
  });

  test('A gate lets two who need to be alone in one after the other', async () => {
    const gate = new ReadGate();
    const order: string[] = [];
    const alone = (name: string) =>
      gate.alone(patient, async () => {
        order.push(`${name} begins`);
        await sleep(10);
        order.push(`${name} ends`);
      });
    await Promise.all([alone('a'), alone('b')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });
});
