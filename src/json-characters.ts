const code = (character: string): number => character.charCodeAt(0);

/** The characters that JSON is made of, by code. All are ASCII: a byte of UTF-8 is compared with them as well. */
export const quote = code('"');
export const backslash = code('\\');
export const comma = code(',');
export const colon = code(':');
export const openBracket = code('[');
export const closeBracket = code(']');
export const openBrace = code('{');
export const closeBrace = code('}');
export const newline = 0x0a;

export const isBlank = (character: number): boolean =>
  character === 0x20 || character === newline || character === 0x0d || character === 0x09;

/** Whether a number, or a word such as true, is over. */
export const endsPlain = (character: number): boolean =>
  isBlank(character) ||
  character === comma ||
  character === colon ||
  character === closeBracket ||
  character === closeBrace;

/** Whether a value that begins with this character is a number or a word, and so ends before what follows it. */
export const isPlain = (first: number): boolean => first !== quote && first !== openBrace && first !== openBracket;
