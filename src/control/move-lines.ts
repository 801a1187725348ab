import { copyFileSync, existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { DestinationPlace } from '../moving/destination.ts';
import { type MoveSource, moveEverything } from '../moving/move.ts';
import type { MoveStep } from '../moving/move-tables.ts';
import { type Reason, Refusal } from '../refusal.ts';
import { folderSecretPath } from '../secrets/folder-secret.ts';
import type { SecretSettings } from '../secrets/secrets.ts';
import type { Actor } from '../store/audit.ts';

export interface MoveInput {
  readonly to: DestinationPlace;
}

/** How it ended. */
export interface MoveOutcome {
  readonly outcome: 'complete';
  readonly organisations: number;
  readonly rows: number;
  /** Where the secret that tokens of sources are encrypted with lies, if the new place has yet to be given it. */
  readonly secret_file: string | null;
  /** Whether the old place takes no writes for as long as its server runs. */
  readonly old_place_is_held: boolean;
}

/** Said as a line, since the lines before it have left already. */
interface MoveRefused {
  readonly outcome: 'refused';
  readonly reason: Reason;
  readonly message: string;
}

export type MoveLine = MoveStep | MoveOutcome | MoveRefused;

export interface MoveParts extends MoveSource {
  readonly place: SecretSettings;
  /** A server goes on after it: it then takes no writes that would be lost. */
  readonly isServing: boolean;
  readonly now: () => Date;
}

/** How often something is said, also where nothing is new: to see that somebody listens. */
const tellEveryMs = 500;

/** Moves everything, and reports line by line how far it is. It stops when its caller stops listening. */
export async function* moveLines(parts: MoveParts, { to }: MoveInput, actor: Actor): AsyncGenerator<MoveLine> {
  const stop = new AbortController();
  let steps: MoveStep[] = [];
  let last: MoveStep = { organisation: null, table: 'organisations', state: 'copying', rows: 0 };
  const moving = moveEverything(parts, to, {
    signal: stop.signal,
    tell: (step) => void steps.push(step),
    actor,
    at: parts.now(),
    keepsHold: parts.isServing,
  });
  const over = moving.then(
    () => true,
    () => true,
  );
  try {
    for (let isOver = false; !isOver; ) {
      isOver = await Promise.race([over, pause(tellEveryMs, false, { ref: false })]);
      const reported = steps.filter(({ state }, i) => state !== 'copying' || i === steps.length - 1);
      steps = [];
      last = reported.at(-1) ?? last;
      yield* reported.length === 0 && !isOver ? [last] : reported;
    }
    const moved = await moving;
    yield {
      outcome: 'complete',
      ...moved,
      secret_file: secretFor(parts.place, to),
      old_place_is_held: parts.isServing,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    yield { outcome: 'refused', reason: error.reason, message: error.message };
  } finally {
    stop.abort(new Error('nobody waits for the move any more'));
    await over;
  }
}

/** A secret that was made for a data folder goes along to another folder; servers have to be given it. */
function secretFor({ folder, secret }: SecretSettings, to: DestinationPlace): string | null {
  const path = folderSecretPath(folder);
  if (secret !== undefined || !existsSync(path)) return null;
  if (!('folder' in to)) return path;
  copyFileSync(path, folderSecretPath(to.folder));
  return null;
}
