import { expect, test } from 'vitest';
import { openTemporaryApp } from '../setup/temporary-app.ts';

test('Re-reads that are closed while they start find the store open to the end, and start no more', async () => {
  const app = await openTemporaryApp();
  const started = app.rereads.start();
  await app.close();
  await expect(started).resolves.toBeUndefined();
  await expect(app.rereads.start()).resolves.toBeUndefined();
});
