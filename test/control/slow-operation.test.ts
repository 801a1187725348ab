import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { remoteBackup, remoteOperations } from '../../src/control/client.ts';
import type { Operations } from '../../src/control/operations.ts';
import { startControlServer } from '../../src/control/server.ts';

test('an operation or a backup that says nothing for a long time is waited for', async () => {
  const longMs = 5_500;
  const server = await startControlServer({
    operationsFor: () =>
      ({
        verify: async () => {
          await pause(longMs);
          return { findings: [], notices: [], rows: { people: 1 } };
        },
      }) as Partial<Operations> as Operations,
    async *backupFor() {
      yield Buffer.from('a');
      await pause(longMs);
      yield Buffer.from('b');
    },
    streamsFor: () => neverAsked(),
    onError: () => {},
  });
  const notice = { pid: 1, url: '', store: '', controlPort: server.port, token: server.token };
  let bytes = '';
  const [verification] = await Promise.all([
    remoteOperations(notice, 'somebody').verify({}),
    (async () => {
      for await (const piece of remoteBackup(notice, 'somebody')) bytes += Buffer.from(piece).toString();
    })(),
  ]);
  expect(verification.rows).toEqual({ people: 1 });
  expect(bytes).toBe('ab');
  await server.close();
});

function neverAsked(): never {
  throw new Error('not to be asked for');
}
