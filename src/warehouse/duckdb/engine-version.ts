/** Loads the native module, which throws where there is none for this machine. */
export async function engineVersion(): Promise<string> {
  const { version } = await import('@duckdb/node-api');
  return `DuckDB ${version()}`;
}
