/** No store and no warehouse keeps a zero byte or half a surrogate pair in a text. */
const unstorable = /[\0\p{Surrogate}]/u;
/** Most texts have none of these, pairs included, and that is quicker to find out. */
const suspicious = /[\0\ud800-\udfff]/;

export const isUnstorable = (text: string): boolean => suspicious.test(text) && unstorable.test(text);
