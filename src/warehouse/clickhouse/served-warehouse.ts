import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { WriterTurns } from '../../store/writer-turns.ts';
import type { MaintenancePort, Scratch, ScratchOwner } from '../maintenance-port.ts';
import { SpoolSpace } from '../spool-space.ts';
import type { ServedWarehouse } from '../warehouse.ts';
import { CleanUp } from './clean-up.ts';
import { type ClickHouseParts, type ClickHouseSettings, connect } from './connect.ts';
import { ClickHouseWarehouse } from './warehouse.ts';

/** The files of a server on its own disk: answers on their way out, and nothing that outlives it. */
const scratchFolder = 'scratch';

/** The tables as a server has them: cleaned up now and then, and with a folder for long answers. */
class ServedClickHouse extends ClickHouseWarehouse implements ServedWarehouse, MaintenancePort {
  readonly #cleanUp: CleanUp;
  readonly #folder: string;
  readonly #space: SpoolSpace;

  constructor(parts: ClickHouseParts, folder: string, spoolBytes?: number) {
    super(parts);
    this.#cleanUp = new CleanUp(parts.engine, parts.place, parts.writerTurns);
    this.#folder = join(folder, scratchFolder);
    // The files that a killed process has left.
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
    this.#space = new SpoolSpace(this.#folder, spoolBytes);
  }

  /** The engine keeps rows in order by itself: only what nobody can see any more is left to remove. */
  async recluster(organisationId: string): Promise<boolean> {
    const published = await this.publishedSoon(organisationId);
    const isDone = await this.#cleanUp.run(organisationId, published, performance.now());
    return !isDone;
  }

  makeScratch(organisationId: string, owner: ScratchOwner = {}): Promise<Scratch> {
    return this.#space.makeScratch(organisationId, owner, () => mkdtemp(join(this.#folder, 'answer-')));
  }

  get spooledBytes(): number {
    return this.#space.used;
  }
}

interface ServedSettings extends ClickHouseSettings {
  /** A data folder that this process owns. */
  readonly folder: string;
  readonly spoolBytes?: number | undefined;
}

export async function openServedClickHouse(settings: ServedSettings, turns: WriterTurns): Promise<ServedClickHouse> {
  const parts = await connect(settings, turns);
  return new ServedClickHouse(parts, settings.folder, settings.spoolBytes);
}
