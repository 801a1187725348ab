import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { serviceTicket } from '../../src/admission/ticket.ts';
import { SpoolSpace } from '../../src/warehouse/spool-space.ts';

test('No room is promised that the disk does not have, and none stays promised', async () => {
  const more = 2 ** 52;
  const space = new SpoolSpace(tmpdir(), 8 * more);
  await expect(space.reserve(serviceTicket('o'), more)).rejects.toMatchObject({ reason: 'unavailable' });
  expect(space.used).toBe(0);
  const some = await space.reserve(serviceTicket('o'), 1_024);
  expect(space.used).toBe(1_024);
  some.release();
});
