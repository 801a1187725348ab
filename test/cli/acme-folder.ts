import { cpSync } from 'node:fs';
import { madeOnce } from '../setup/made-once.ts';
import { callPlumb } from '../setup/plumb-call.ts';

/** A data folder with the organisation Acme, whose Owner is ada@acme.example: a copy of one that is made once in the run. */
export async function copyAcme(into: string): Promise<void> {
  const { folder } = await madeOnce('acme', async (data) => {
    const made = await callPlumb(data, ['org', 'create', '--name', 'Acme', '--owner-email', 'ada@acme.example']);
    if (made.code !== 0) throw new Error(made.stderr);
    return null;
  });
  cpSync(folder, into, { recursive: true });
}
