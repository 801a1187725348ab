import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { WriterTurns } from '../../store/writer-turns.ts';
import type { MaintenancePort, Scratch, ScratchOwner, Stoppable } from '../maintenance-port.ts';
import { SpoolSpace } from '../spool-space.ts';
import type { ServedWarehouse } from '../warehouse.ts';
import { momentOf } from './as-of.ts';
import { separateEnds } from './change-over.ts';
import { CleanUp, type CleanUpTerms } from './clean-up.ts';
import { newestLayout } from './row-ends.ts';
import { type ClickHouseParts, type ClickHouseSettings, connect, raiseLayout } from './set-up.ts';
import { ClickHouseWarehouse } from './warehouse.ts';

/** The files of a server on its own disk: answers on their way out, and nothing that outlives it. */
const scratchFolder = 'scratch';

/** The tables as a server has them: cleaned up now and then, and with a folder for long answers. */
class ServedClickHouse extends ClickHouseWarehouse implements ServedWarehouse, MaintenancePort {
  readonly #parts: ClickHouseParts;
  readonly #cleanUp: CleanUp;
  readonly #folder: string;
  readonly #space: SpoolSpace;
  #waits = 8;

  constructor(parts: ClickHouseParts, { folder, spoolBytes, cleanUp }: ServedSettings) {
    super(parts);
    this.#parts = parts;
    this.#cleanUp = new CleanUp(parts.engine, parts.place, parts.writerTurns, cleanUp);
    this.#folder = join(folder, scratchFolder);
    // The files that a killed process has left.
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
    this.#space = new SpoolSpace(this.#folder, spoolBytes);
  }

  /**
   * The engine keeps rows in order by itself: only what nobody can see any more is left to remove. Rows that an earlier
   * server wrote are brought into the layout of this one.
   */
  async recluster(organisationId: string, { signal }: Stoppable = {}): Promise<boolean> {
    const published = await this.publishedSoon(organisationId);
    const isDone = await this.#cleanUp.run(organisationId, published, performance.now());
    const isNewest = momentOf(organisationId, published).layout.version >= newestLayout.version;
    const isChanged = isNewest || (await this.#changeOver(organisationId, signal));
    return !isDone || !isChanged;
  }

  /** Says whether it is done. A statement of a lost writer must not arrive after it: that would write a row twice. */
  async #changeOver(organisationId: string, signal?: AbortSignal): Promise<boolean> {
    if (!(await this.#mayChangeOver(signal))) return false;
    return this.changeTables(organisationId, async (writer) => {
      if (!this.#cleanUp.areSettled(organisationId, writer.dead, performance.now())) return false;
      await writer.changeLayout((statements, moment) => separateEnds(statements, moment, this.#parts.place));
      return true;
    });
  }

  async #mayChangeOver(signal?: AbortSignal): Promise<boolean> {
    const { tables, engine } = this.#parts;
    if (!(await this.#areOthersUpToDate(signal))) return false;
    if (tables.layout < newestLayout.version) {
      await raiseLayout(engine, newestLayout.version);
      // An older server that began meanwhile may have looked before: it had said that it is there before it looked.
      if (!(await this.#areOthersUpToDate(signal))) return false;
      tables.layout = newestLayout.version;
    }
    return true;
  }

  /** Just after the start it may take a moment until that is known. */
  async #areOthersUpToDate(signal?: AbortSignal): Promise<boolean> {
    for (; this.#waits > 0; this.#waits -= 1) {
      if (await this.#parts.writerTurns.isLayoutKnownToAll()) return true;
      await pause(1_000, undefined, signal ? { signal } : {});
    }
    return this.#parts.writerTurns.isLayoutKnownToAll();
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
  readonly cleanUp?: CleanUpTerms;
}

export async function openServedClickHouse(settings: ServedSettings, turns: WriterTurns): Promise<ServedClickHouse> {
  const parts = await connect(settings, turns);
  return new ServedClickHouse(parts, settings);
}
