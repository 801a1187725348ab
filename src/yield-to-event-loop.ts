/** How long a turn of the event loop may take before others have theirs. */
const longestMs = 2;

/** When this turn was first asked for its length. Undefined until it is. */
let began: number | undefined;
const forget = () => {
  began = undefined;
};

const waiting: (() => void)[] = [];

/**
 * Each turn of the event loop continues one waiting task. If all continued at once, eight of them would keep everybody
 * else waiting eight times as long.
 */
function letOneGoOn(): void {
  began = undefined;
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(letOneGoOn);
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letOneGoOn);
  });
}

/**
 * Whether this turn has been long enough, whatever the time went into: one step after another takes it together. Loops
 * over many small things ask this before they wait: waiting for nothing takes longer.
 */
export function isTurnLong(): boolean {
  const now = performance.now();
  if (began === undefined) {
    began = now;
    setImmediate(forget);
  }
  return now - began >= longestMs;
}

/** Lets others have the event loop now and then, while much is written or read in one go. */
export async function yieldIfDue(): Promise<void> {
  if (isTurnLong()) await nextTurn();
}
