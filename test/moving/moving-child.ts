import { writeSync } from 'node:fs';
import { moveFolder } from './moved-folder.ts';

/** Moves a data folder, prints every step, and is killed at the given one: nothing of it can do anything afterwards. */
const [folder = '', place = '', killAt = ''] = process.argv.slice(2);
let steps = 0;
await moveFolder(folder, JSON.parse(place), (step) => {
  writeSync(1, `${JSON.stringify(step)}\n`);
  steps += 1;
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
});
process.exit(0);
