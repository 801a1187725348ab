import { expect, test } from 'vitest';
import { inLabels } from '../../src/configured-sources/setting-labels.ts';
import { sourceKinds } from '../../src/sources/kinds.ts';
import { settingFields } from '../../src/sources/source-settings.ts';

const fields = [
  { name: 'base_url', label: 'Address' },
  { name: 'projects', label: 'Projects' },
];

test.each([
  ['Set base_url.', 'Set “Address”.'],
  ['Correct the setting projects, or give access', 'Correct “Projects”, or give access'],
  ['3 of 40 projects', '3 of 40 projects'],
  ['Give each as owner/name: --set projects=acme/web,acme/api', 'Give each as owner/name: acme/web,acme/api'],
  ['Give it on the page of connections, or with `plumb source set`.', 'Give it on the page of connections.'],
  ['Set it again with `plumb source set`.', 'Set it again.'],
  ['give the token read_api', 'give the token read_api'],
])('The sentence “%s” names settings as the form does', (text, shown) => {
  expect(inLabels(text, fields)).toBe(shown);
});

test('No kind of source explains a setting to people by the name that commands use', () => {
  const shown = sourceKinds.flatMap((kind) =>
    settingFields(kind).map(({ label, meaning }) => inLabels(`${label}: ${meaning}`, settingFields(kind))),
  );
  const names = new Set(sourceKinds.flatMap((kind) => settingFields(kind).map(({ name }) => name)));
  expect(shown.filter((text) => (text.match(/\b\w+_\w+\b/g) ?? []).some((word) => names.has(word)))).toEqual([]);
});
