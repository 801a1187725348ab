/** Decides when an element is drawn: those in sight come first, so that the reader does not wait for the others. */
export interface DrawingTurn {
  /**
   * Draws at once where the element is in sight, else when the browser is idle. A later call replaces a waiting one.
   */
  readonly take: (draw: () => void) => void;
  /** Draws what is waiting. */
  readonly now: () => void;
  readonly end: () => void;
}

/** No reader scrolls that fast. */
const latestMs = 1_000;

export function drawingTurn(element: Element): DrawingTurn {
  let waiting: (() => void) | undefined;
  // Until the browser tells: a new element is drawn at once.
  let isSeen = true;
  let cancel = (): void => {};
  const now = (): void => {
    const draw = waiting;
    waiting = undefined;
    cancel();
    draw?.();
  };
  const observer = new IntersectionObserver((entries) => {
    isSeen = entries.at(-1)?.isIntersecting ?? true;
    if (isSeen) now();
  });
  observer.observe(element);
  return {
    take: (draw) => {
      waiting = draw;
      cancel();
      if (isSeen) now();
      else cancel = whenIdle(now);
    },
    now,
    end: () => {
      waiting = undefined;
      cancel();
      observer.disconnect();
    },
  };
}

function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks yet.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 100);
    return () => clearTimeout(timer);
  }
  let cancel = (): void => {};
  const frame = (next: () => void) => () => {
    const id = requestAnimationFrame(next);
    cancel = () => cancelAnimationFrame(id);
  };
  const idle = () => {
    const id = requestIdleCallback(work, { timeout: latestMs });
    cancel = () => cancelIdleCallback(id);
  };
  // An element in sight is on the screen when the second frame begins: an idle callback before it would delay that.
  frame(frame(idle))();
  return () => cancel();
}
