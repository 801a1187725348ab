// Which files of this project import which, and how many imports lie between a file and those that use it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'rolldown/utils';

const isSource = (file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.d\.m?ts$/.test(file);

/**
 * Reads the imports of all source files below some folders of a project. `declared` adds what no import shows: a file
 * `from` that runs or reads the files `to`, which is as far from them as `steps` says. Both may be patterns. What
 * `readsText` depends on the file alone, and not on what that one imports.
 */
export function readImportGraph(root, folders, declared = []) {
  const files = folders.flatMap((folder) => filesBelow(root, folder)).filter(isSource);
  const importers = new Map();
  for (const file of files)
    for (const target of importsOf(root, file)) importers.set(target, [...(importers.get(target) ?? []), file]);
  const rules = declared.map(({ from, to, steps, readsText = false }) => ({
    matches: matcherOf(to),
    users: from.includes('*') ? files.filter(matcherOf([from])) : [from],
    steps,
    readsText,
  }));
  const isKnown = (file) =>
    importers.has(file) ||
    rules.some(({ matches }) => matches(file)) ||
    (isSource(file) && folders.some((folder) => file.startsWith(`${folder}/`)));
  const usersOf = (file, isChanged) => [
    ...(importers.get(file) ?? []).map((user) => [user, 1]),
    ...rules
      .filter(({ matches, readsText }) => (isChanged || !readsText) && matches(file))
      .flatMap(({ users, steps }) => users.map((user) => [user, steps])),
  ];
  return { files, isKnown, usersOf };
}

/** Every file that can reach a changed one, with the number of steps to the nearest of them. */
export function stepsTo(changed, graph) {
  const steps = new Map(changed.map((file) => [file, 0]));
  const waiting = [...steps.keys()];
  for (const file of waiting) {
    const soFar = steps.get(file);
    for (const [user, distance] of graph.usersOf(file, soFar === 0)) {
      if (soFar + distance >= (steps.get(user) ?? Number.POSITIVE_INFINITY)) continue;
      steps.set(user, soFar + distance);
      waiting.push(user);
    }
  }
  return steps;
}

/** Tells the files that one of some patterns means: `*` stands for a part of a name, and `**` also for folders. */
export function matcherOf(patterns) {
  const exact = new Set(patterns);
  const wild = patterns.filter((pattern) => pattern.includes('*')).map(expressionOf);
  return (file) => exact.has(file) || wild.some((expression) => expression.test(file));
}

function expressionOf(pattern) {
  const source = pattern.replaceAll(/\*\*\/?|\*|[^*]+/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source}$`);
}

/** Files by their paths from the root, with slashes. Packages lie below test/ too, thousands of files. */
function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(root, path);
    return entry.isFile() ? [path] : [];
  });
}

function importsOf(root, file) {
  const source = readFileSync(join(root, file), 'utf8');
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const named = [
    ...module.staticImports.filter(({ entries }) => isRun(entries)).map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports
      .flatMap(({ entries }) => entries.flatMap((entry) => (entry.isType ? [] : entry)))
      .map(({ moduleRequest }) => moduleRequest?.value),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      literalIn(source.slice(moduleRequest.start, moduleRequest.end)),
    ),
  ];
  const relative = named.filter((name) => name?.startsWith('.'));
  return new Set(relative.map((name) => posix.join(posix.dirname(file), name)));
}

/** An import of types alone is gone before anything runs. One without names runs the file. */
const isRun = (entries) => entries.length === 0 || entries.some(({ isType }) => !isType);

const literalIn = (expression) => /^\s*(['"`])([^'"`$]+)\1\s*$/.exec(expression)?.[2];
