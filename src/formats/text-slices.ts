/** Longer texts are written slice by slice: all of one takes longer than anybody should have to wait. */
export const longText = 128 * 1_024;
const maxSliceLength = 32 * 1_024;

/** A long text in parts. No slice ends between the halves of a character. */
export function* slicesOf(text: string): Generator<string> {
  for (let i = 0; i < text.length; ) {
    const isHalved = /[\ud800-\udbff]/.test(text[i + maxSliceLength - 1] ?? '');
    const end = i + maxSliceLength + (isHalved ? 1 : 0);
    yield text.slice(i, end);
    i = end;
  }
}
