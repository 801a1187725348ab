import { fileURLToPath } from 'node:url';

const isPackage = /[\\/]node_modules[\\/]/.test(fileURLToPath(import.meta.url));

/** How whoever reads a message starts Plumb. Outside a clone `npx plumb` would fetch a package of somebody else. */
export const ownCommand = isPackage ? 'plumb' : 'npx plumb';
