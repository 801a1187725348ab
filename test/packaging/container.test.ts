import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

describe('the image', () => {
  const instructions = DockerfileParser.parse(read('Dockerfile')).getInstructions();
  const named = (keyword: string) =>
    instructions
      .filter((one) => one.getKeyword() === keyword)
      .map((one) => one.getArguments().map((argument) => argument.getValue()));

  test('The image has nothing that a linter would change', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
  });

  test('The image runs as somebody who is not root, and says whether it is well', () => {
    expect(named('USER')).toEqual([['node']]);
    expect(named('HEALTHCHECK')).toHaveLength(1);
    expect(read('Dockerfile')).toContain('/readyz');
  });

  test('The image is built on a Node.js that Plumb runs on', () => {
    const major = Number.parseInt(/\d+/.exec(JSON.parse(read('package.json')).engines.node)?.[0] ?? '', 10);
    for (const [image] of named('FROM')) expect(image).toBe(`node:${major}-bookworm-slim`);
  });

  test('The image takes in only what is here, and what .dockerignore lets through', () => {
    // What begins with a slash comes from the stage before.
    const taken = named('COPY')
      .flatMap((paths) => paths.slice(0, -1))
      .filter((path) => !path.startsWith('/'));
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(taken.filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
    expect(taken.toSorted()).toEqual(allowed.toSorted());
  });
});
