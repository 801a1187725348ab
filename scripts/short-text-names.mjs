// Objects of texts in words files have long names for each text, which no minifier shortens: a name would stand in the
// file of the texts and in each one that shows them, two to four kilobytes a page.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const declaration = /^export const (\w+Words) = \{\n([\s\S]*?)\n\} as const;$/gm;
const imported = /^import \{([^}]*)\} from '(\.[^']*words\.ts)';$/gm;

/** `a` to `z`, then `aa`. */
const shortName = (at) =>
  (at < 26 ? '' : shortName(Math.floor(at / 26) - 1)) + String.fromCharCode('a'.charCodeAt(0) + (at % 26));

/** The objects of texts that a words file declares, each with the short names of its texts by the long ones. */
function objectsIn(source) {
  return [...source.matchAll(declaration)].map(([, object, body]) => {
    const names = [...body.matchAll(/^ {2}(\w+): ?/gm)].map(([, name]) => name);
    return [object, new Map(names.map((name, at) => [name, shortName(at)]))];
  });
}

/** A plugin of the build: texts are read by their short names. An object of texts that is passed on as a whole is refused. */
export const shortTextNames = () => ({
  name: 'short-text-names',
  enforce: 'pre',
  transform(code, id) {
    if (!/\.tsx?$/.test(id) || !code.includes('Words')) return undefined;
    const own = id.endsWith('words.ts') ? objectsIn(code) : [];
    const others = [...code.matchAll(imported)].flatMap(([, list, path]) => {
      // Texts are found by the name of their object.
      if (/\w+Words as /.test(list)) this.error(`${list.trim()}: an object of texts keeps its name`);
      const objects = objectsIn(readFileSync(join(dirname(id), path), 'utf8'));
      return objects.filter(([object]) => new RegExp(`\\b${object}\\b`).test(list));
    });
    const objects = new Map([...own, ...others]);
    if (objects.size === 0) return undefined;
    const declared = code.replace(declaration, (whole, object, body) =>
      whole.replace(body, () =>
        body.replace(/^( {2})(\w+)(?=: ?)/gm, (_, gap, name) => gap + objects.get(object).get(name)),
      ),
    );
    const short = declared.replace(/\b(\w+Words)\b(?:\.(\w+))?/g, (whole, object, name) => {
      const names = objects.get(object);
      if (!names) return whole;
      return name === undefined ? whole : `${object}.${names.get(name) ?? this.error(`${object} has no text ${name}`)}`;
    });
    const passedOn = [...objects.keys()].find((object) => {
      const rest = short.replace(/^import [^;]*;$|^export const \w+Words = /gm, '');
      return new RegExp(`\\b${object}\\b(?!\\.)`).test(rest);
    });
    if (passedOn) this.error(`${passedOn} is used as a whole, and its texts have short names in the build`);
    return { code: short, map: null };
  },
});
