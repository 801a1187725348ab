/** The folder of package.json, which stands beside both `src` and `dist`: neither has this in a folder of its own. */
export const packageFolder: URL = new URL('..', import.meta.url);
