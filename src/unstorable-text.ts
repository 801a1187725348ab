/** No store and no warehouse keeps a zero byte or half a surrogate pair in a text. */
export const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed();
