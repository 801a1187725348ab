import { expect, test } from 'vitest';
import { LoopTurns } from '../../src/admission/budget.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('A few requests begin in each turn of the event loop, of each organisation and key in turn', async () => {
  const turns = new LoopTurns();
  const begun: string[] = [];
  const ask = (organisationId: string, keyId: string, name: string) =>
    turns.begin({ organisationId, keyId }, () => void begun.push(name));
  for (let i = 0; i < 9; i += 1) ask('a', 'x', `ax${i}`);
  ask('a', 'y', 'ay0');
  ask('b', 'k', 'b0');
  ask('b', 'k', 'b1');
  expect(begun).toEqual(['ax0', 'ax1', 'ax2', 'ax3']);
  await nextTurn();
  expect(begun.slice(4)).toEqual(['ax4', 'b0', 'ay0', 'b1']);
  // Whoever comes now goes behind those of the same key that wait, though this turn has room.
  await nextTurn();
  await nextTurn();
  expect(begun).toHaveLength(12);
  expect(begun.slice(8)).toEqual(['ax5', 'ax6', 'ax7', 'ax8']);
  await nextTurn();
  ask('a', 'x', 'ax9');
  expect(begun.at(-1)).toBe('ax9');
});
