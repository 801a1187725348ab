/** The values of lines of JSON, as they arrive. To stop reading ends the request. */
export async function* ndjsonRows(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line);
    }
    if (rest !== '') throw new Error('The answer of Plumb broke off in the middle of a row.');
  } finally {
    await reader.cancel().catch(() => {});
  }
}
