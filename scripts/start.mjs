// `npm start`: from a bare clone to a running Plumb with the demo organisations.
import { runInForeground, say, setUp } from './set-up.mjs';

try {
  await setUp();
  process.exitCode = await runInForeground('bin/plumb.cjs', ['serve', '--demo', ...process.argv.slice(2)]);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
