import { type Diagnosis, judgeClockBeside, problem } from './diagnosis.ts';

/** Asks a machine what time it has, in milliseconds. Undefined where it is this one. */
type AskedTime = () => Promise<number | undefined>;

/** Compares the clock of this machine with that of a server that it works with. */
export async function examineClockOf(
  whose: string,
  ask: AskedTime,
  now: () => number = () => Date.now(),
): Promise<Diagnosis[]> {
  const name = `clock of ${whose}`;
  try {
    const asked = now();
    const said = await ask();
    const heard = now();
    if (said === undefined) return [];
    // The time that the answer may have taken on its way is no difference.
    const aheadMs = Math.max(0, asked - said) + Math.min(0, heard - said);
    return [{ name, ...judgeClockBeside(whose, aheadMs) }];
  } catch {
    return [{ name, ...problem(`${whose} does not say what time it is. See that this machine reaches it.`) }];
  }
}
