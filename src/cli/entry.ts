import { plumb } from './plumb.ts';

// Whatever this process writes into its data folder is for its owner's eyes only.
process.umask(0o077);
// A reader that has seen enough, such as `head`, closes the pipe. That is no failure, and no reason to stop half way.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await plumb(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
});
