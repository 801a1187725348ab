import { columnLabels } from './column-labels.ts';
import { openValueColumns, valueLabels } from './value-labels.ts';

/** `awaiting_deploy` → `Awaiting deploy`: how a name of a machine is shown that nobody has given another one. */
export function sentenceCase(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words === '' ? name : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const known = <T>(names: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined;

/** The name of a column for people. */
export const columnLabel = (column: string): string => known<string>(columnLabels, column) ?? sentenceCase(column);

/** A stored value for people: what comes from records as they wrote it stays as it is. */
export function valueLabel(column: string, value: string): string {
  const label = known(known(valueLabels, column) ?? {}, value);
  if (label !== undefined) return label;
  return openValueColumns.includes(column) ? sentenceCase(value) : value;
}
