import { createInterface } from 'node:readline/promises';
import { say, type Terminal } from './terminal.ts';

/** Asks the operator at the terminal. Without a terminal a program runs the command, and means it. */
export async function confirmed(terminal: Terminal, what: string): Promise<boolean> {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY !== true) return true;
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
