import type { Command } from 'commander';
import { type Context, command, group, withConnection } from '../command.ts';

export function secretCommands(context: Context): Command {
  return group(
    'secret',
    {
      summary: 'change the secret that tokens of sources and addresses of messages are encrypted with',
      example: 'plumb secret rotate',
    },
    command('rotate', {
      summary:
        'encrypt the secrets of all sources and the addresses of messages again: with PLUMB_SECRET, PLUMB_SECRET_OLD being the one before, or with a new secret in the data folder where PLUMB_SECRET is unset',
      example: 'plumb secret rotate',
    }).action((options: { json?: boolean }) =>
      withConnection(context, options, async ({ operations }) => {
        const rotated = await operations.rotateSecret({});
        const { sources, addresses } = rotated;
        const ofSources = `the secrets of ${sources} ${sources === 1 ? 'source' : 'sources'}`;
        const ofMessages =
          addresses === 0
            ? ''
            : ` and the addresses of ${addresses} ${addresses === 1 ? 'alert or digest' : 'alerts and digests'}`;
        const text = `Encrypted ${ofSources}${ofMessages} again. PLUMB_SECRET_OLD is not needed any more.`;
        return { json: rotated, text };
      }),
    ),
  );
}
