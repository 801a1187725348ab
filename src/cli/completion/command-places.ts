import type { Command, Option } from 'commander';
import { dateLevels } from '../../calendar.ts';
import { metrics } from '../../catalogue/metrics/all-metrics.ts';
import { recordTableNames } from '../../catalogue/record-tables.ts';
import { metricFields } from '../../catalogue/request-fields.ts';
import { sourceKinds } from '../../sources/kinds.ts';

/** A word that can be typed, and what it is for. */
interface CompletedWord {
  readonly word: string;
  readonly meaning: string;
}

interface CompletedOption extends CompletedWord {
  readonly takesValue: boolean;
  /** The values that there are, where they are known. */
  readonly values: readonly string[];
}

/** A command, and what can stand behind it. */
export interface CommandPlace {
  /** `/org/create`; empty for `plumb` itself. */
  readonly place: string;
  readonly commands: readonly CompletedWord[];
  readonly options: readonly CompletedOption[];
  /** The possible first arguments, where they are known. */
  readonly values: readonly string[];
}

export const shells = ['bash', 'zsh', 'fish'] as const;

/** Known values, by the name that an argument or the value of an option has in the help. */
const knownValues: Readonly<Record<string, readonly string[]>> = {
  metric: [...metrics.keys()],
  word: [...metrics.keys()],
  table: recordTableNames,
  level: dateLevels,
  aggregation: metricFields.aggregation.words,
  shell: shells,
  kind: sourceKinds.map(({ kind }) => kind),
};

/** Every command of the program, from the parser itself, so that completion offers all of them and nothing else. */
export function commandPlaces(program: Command, place = ''): CommandPlace[] {
  const children = program.commands.map((command) => ({ word: command.name(), meaning: command.description() }));
  return [
    {
      place,
      commands: children,
      options: [...program.options.flatMap(completedOptions), help],
      values: knownValues[program.registeredArguments[0]?.name() ?? ''] ?? [],
    },
    ...program.commands.flatMap((command) => commandPlaces(command, `${place}/${command.name()}`)),
  ];
}

const help: CompletedOption = {
  word: '--help',
  meaning: 'show an example and all options',
  takesValue: false,
  values: [],
};

/** An option with a short and a longer name is two words. */
function completedOptions({ flags, description, required, optional, argChoices }: Option): CompletedOption[] {
  const value = /[<[]([^>\].:=[]+)/.exec(flags)?.[1] ?? '';
  const takesValue = required || optional;
  const words = flags.match(/--[a-z-]+/g) ?? [];
  const values = argChoices ?? knownValues[value] ?? [];
  return words.map((word) => ({ word, meaning: description, takesValue, values }));
}
