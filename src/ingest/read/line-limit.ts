import { Refusal } from '../../refusal.ts';

/** Lines that are read, blank ones counted, where not any number will do. */
export interface LineLimit {
  readonly linesMost?: number;
}

/** To be asked with the number of each line before anything is made of it. */
export function checkLines(line: number, { linesMost = Number.POSITIVE_INFINITY }: LineLimit): void {
  if (line <= linesMost) return;
  const most = linesMost.toLocaleString('en');
  throw new Refusal(
    'too-large',
    `The body has more than ${most} records: at most ${most} are accepted, blank lines counted. Send them in several bodies.`,
  );
}
