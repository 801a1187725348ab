import { fileURLToPath } from 'node:url';
import { plumb } from './run-command-line.ts';

// Whatever this process writes into its data folder is for its owner's eyes only.
process.umask(0o077);
// A reader that has seen enough, such as `head`, closes the pipe. That is no failure, and no reason to stop half way.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Fetched by npx for this one run: without a command it shows the demo, as `npm start` does in a clone. */
const isTriedOnly = /[\\/]_npx[\\/]/.test(fileURLToPath(import.meta.url));
const [, , ...words] = process.argv;

process.exitCode = await plumb(words.length === 0 && isTriedOnly ? ['serve', '--demo'] : words, {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
});
