import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { remoteOperations } from '../../src/control/control-client.ts';
import { startControlServer } from '../../src/control/control-server.ts';
import type { Operations } from '../../src/control/operations.ts';

test('An operation or a backup that says nothing for a long time is waited for', async () => {
  const longMs = 5_500;
  const server = await startControlServer({
    operationsFor: () =>
      ({
        verify: async () => {
          await pause(longMs);
          return { findings: [], notices: [], rows: { people: 1 } };
        },
        async *backup() {
          yield Buffer.from('a');
          await pause(longMs);
          yield Buffer.from('b');
        },
      }) as Partial<Operations> as Operations,
    onError: () => {},
  });
  const notice = { pid: 1, url: '', store: '', controlPort: server.port, token: server.token };
  const operations = remoteOperations(notice, 'somebody');
  let bytes = '';
  const [verification] = await Promise.all([
    operations.verify({}),
    (async () => {
      for await (const piece of operations.backup({})) bytes += Buffer.from(piece).toString();
    })(),
  ]);
  expect(verification.rows).toEqual({ people: 1 });
  expect(bytes).toBe('ab');
  await server.close();
});
