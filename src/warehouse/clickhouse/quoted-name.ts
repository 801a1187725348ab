/** A name as the engine takes it, whatever it is made of. */
export const quotedName = (name: string): string => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
