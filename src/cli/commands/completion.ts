import type { Command } from 'commander';
import { mustBeOneOf } from '../../nearest.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command } from '../command.ts';
import { print } from '../terminal.ts';

/** Made from the program itself, with all its commands loaded. */
export function completionCommand(context: Context): Command {
  return command('completion', {
    summary: 'print a script that completes commands, options and names of metrics in bash, zsh or fish',
    example: 'source <(plumb completion bash)',
  })
    .argument('<shell>', 'bash, zsh or fish')
    .action(async (shell: string, options: { json?: boolean }, self: Command) => {
      const { commandPlaces, shells } = await import('../completion/command-places.ts');
      const { bashScript, fishScript, zshScript } = await import('../completion/completion-scripts.ts');
      const wanted = shells.find((name) => name === shell.toLowerCase());
      if (!wanted) throw new Refusal('bad-input', `The shell ${mustBeOneOf(shells, shell)}`);
      const places = commandPlaces(self.parent ?? self);
      const script = { bash: bashScript, zsh: zshScript, fish: fishScript }[wanted](places);
      print(context.terminal, options.json === true, { json: { shell: wanted, script }, text: script.trimEnd() });
    });
}
