import type { SettingField } from '../sources/source.ts';

/**
 * A sentence of a source as pages show it. Sources name settings as commands take them, and people who have a form before
 * them know its labels.
 */
export function inLabels(text: string, fields: readonly Pick<SettingField, 'name' | 'label'>[]): string {
  const labels = new Map(fields.map(({ name, label }) => [name, `“${label}”`]));
  return (
    text
      .replace(/--set \w+=/g, '')
      .replace(/,? (?:or )?with `plumb source set`/g, '')
      .replace(/\brun plumb source check\b/g, 'check again')
      .replace(/\bthe setting (\w+)/g, (whole, name: string) => labels.get(name) ?? whole)
      // A name of one word is a word as any other, and needs no translation.
      .replace(/\b\w+_\w+\b/g, (name) => labels.get(name) ?? name)
  );
}
