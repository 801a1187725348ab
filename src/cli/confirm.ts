import { createInterface } from 'node:readline/promises';
import { Refusal } from '../refusal.ts';
import { say, type Terminal } from './terminal.ts';

/** Asks whoever sits at the terminal. Refuses where nobody does: a program has to say --yes. */
export async function confirmed(terminal: Terminal, what: string): Promise<boolean> {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY !== true) {
    throw new Refusal('bad-input', `${what} Nobody can be asked here: add --yes to go on.`);
  }
  const asking = createInterface({ input: stdin, output: stderr });
  try {
    const closed = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
    const answer = await Promise.race([asking.question(`${what} Go on? (yes/no) `), closed]);
    const isYes = /^y(es)?$/i.test(answer.trim());
    if (!isYes) say(terminal, 'Nothing was changed.');
    return isYes;
  } finally {
    asking.close();
  }
}
