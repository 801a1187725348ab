import type { Command } from 'commander';
import { type Context, command, group, withConnection } from '../command.ts';

export function secretCommands(context: Context): Command {
  return group(
    'secret',
    {
      summary: 'change the secret that the tokens of sources are encrypted with',
      example: 'plumb secret rotate',
    },
    command('rotate', {
      summary:
        'encrypt the secrets of all sources again: with PLUMB_SECRET, PLUMB_SECRET_OLD being the one before, or with a new secret in the data folder where PLUMB_SECRET is unset',
      example: 'plumb secret rotate',
    }).action((options: { json?: boolean }) =>
      withConnection(context, options, async ({ operations }) => {
        const rotated = await operations.rotateSecret({});
        const { sources } = rotated;
        const text = `Encrypted the secrets of ${sources} ${sources === 1 ? 'source' : 'sources'} again. PLUMB_SECRET_OLD is not needed any more.`;
        return { json: rotated, text };
      }),
    ),
  );
}
