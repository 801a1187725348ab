import { expect, test } from 'vitest';
import { repositoryName } from '../../src/catalogue/record-ids.ts';

test.each([
  ['owner/name', 'name'],
  ['group/sub-group/deeper/name', 'name'],
  ['name', 'name'],
  ['Owner/Na.me', 'Na.me'],
  ['owner/name/', 'name'],
  ['', null],
  [null, null],
])('The name of %s is %s', (repository, name) => {
  expect(repositoryName(repository)).toBe(name);
});
