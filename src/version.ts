import { readFileSync } from 'node:fs';

/** The folder of package.json, which stands beside both `src` and `dist`: neither has this in a folder of its own. */
export const packageFolder: URL = new URL('..', import.meta.url);

/** The version in package.json. */
export const version: string = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')).version;
