import type { Command } from 'commander';
import { type Context, command } from '../command.ts';
import { print, screenWidth } from '../terminal.ts';

export function metricsCommand(context: Context): Command {
  return command('metrics', {
    summary: 'list the metrics, or explain one: what it is, its unit, columns, filters and an example',
    example: 'plumb metrics cycle-time',
  })
    .argument('[word]', 'name of a metric, or a word to look for in names, domains and definitions')
    .action(async (word: string | undefined, options: { json?: boolean }) => {
      const { metricsAbout, metricText, metricsList } = await import('../metric-text.ts');
      const found = metricsAbout(word);
      const [only] = found;
      const text =
        only && found.length === 1 ? metricText(only) : metricsList(found, screenWidth(context.terminal) ?? 120);
      print(context.terminal, options.json === true, { json: found, text });
    });
}
