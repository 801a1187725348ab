import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Answers recorded from real services, too large for this repository: they lie beside the clone, or nowhere. */
export const recordedDataFolder = fileURLToPath(new URL('../../../shared/data', import.meta.url));

export const recordedDataAvailable = existsSync(recordedDataFolder);
