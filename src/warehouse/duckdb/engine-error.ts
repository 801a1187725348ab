/**
 * Something that the engine itself reported, in its own words. Apart from every other error, so that a full disk of a
 * caller, who writes a file of his own while he reads, is not taken for that of the warehouse.
 */
export class EngineError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'EngineError';
  }
}
