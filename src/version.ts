import { readFileSync } from 'node:fs';
import { packageFolder } from './package-folder.ts';

/** The version in package.json. */
export const version: string = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')).version;
