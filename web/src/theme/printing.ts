import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { applyTheme } from './theme.ts';

const listeners = new Set<() => void>();

/** Calls back when the page takes the shape of paper, and when it is a screen again. */
export function onPrintChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const printing = 'is-printing';
const isPrinting = (): boolean => document.documentElement.classList.contains(printing);

/** Whether the page has the shape of paper. What is drawn for it is there at once: the browser prints when its event has been told. */
export function usePrinting(): boolean {
  const [is, setPrinting] = useState(false);
  useEffect(() => onPrintChange(() => flushSync(() => setPrinting(isPrinting()))), []);
  return is;
}

/**
 * Paper is light and narrow. The page takes that shape on the screen at the moment of printing: a browser tells scripts
 * no sizes of paper, so that charts could not be drawn for it.
 */
export function preparePrinting(): void {
  const root = document.documentElement;
  addEventListener('beforeprint', () => {
    root.classList.add(printing);
    applyTheme('light');
    for (const listener of listeners) listener();
  });
  addEventListener('afterprint', () => {
    root.classList.remove(printing);
    applyTheme();
    for (const listener of listeners) listener();
  });
}
