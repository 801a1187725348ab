// A plugin of both builds: writes the licences of the packages whose code is copied into a build, beside it. Packages that
// npm installs bring their own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const licensesFile = 'THIRD-PARTY-LICENSES.txt';

/** Emits one file with the licence, and the notice where there is one, of every package that has a module in the bundle. */
export const thirdPartyLicenses = () => ({
  name: 'third-party-licenses',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
    const folders = new Set(modules.flatMap((id) => packageFolderOf(id) ?? []));
    const parts = [...folders].map(describedPackage).sort((a, b) => (a.title < b.title ? -1 : 1));
    // A package may be installed in two places.
    const texts = new Map(parts.map(({ title, text }) => [title, text]));
    this.emitFile({ type: 'asset', fileName: licensesFile, source: [heading, ...texts.values()].join(`\n${line}\n`) });
  },
});

const line = '-'.repeat(80);
const heading =
  'This build of Plumb contains code of the following packages, under the licences that stand with them.\n';

/** The folder of the package that a module belongs to: behind the last node_modules of its path. */
function packageFolderOf(id) {
  const [, folder] =
    /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id.replace(/^\0|\?.*$/g, '')) ?? [];
  return folder;
}

function describedPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0 && typeof license !== 'string')
    throw new Error(`${name} does not say under which licence it is.`);
  const title = `${name} ${version}`;
  return { title, text: [`${title} (${license})`, ...texts, ''].join('\n\n') };
}
