/** When an element is drawn: those that are seen come first, so that the reader does not wait for the others. */
export interface DrawingTurn {
  /** Draws at once where the element is seen, else when there is time. What waits still is replaced. */
  readonly take: (draw: () => void) => void;
  /** Draws what waits. */
  readonly now: () => void;
  readonly end: () => void;
}

/** Nobody scrolls to it sooner. */
const latestMs = 1_000;

export function drawingTurn(element: Element): DrawingTurn {
  let waiting: (() => void) | undefined;
  // Until it is known: what is new on a page is drawn at once.
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
  // What is seen is on the screen when the second frame begins: an idle moment before it would delay it.
  frame(frame(idle))();
  return () => cancel();
}
