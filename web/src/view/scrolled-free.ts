/** The room beside a mark that stays free. */
const beside = 24;

/**
 * Scrolls the page sideways where the open panel would cover a place, given in px from the left of the window. Nothing
 * on the page moves against anything else. Where there is too little room beside the panel, it covers the page anyway.
 */
export function scrollFree(x: number): void {
  const frame = document.querySelector<HTMLElement>('.frame');
  const navigation = document.querySelector('.navigation');
  if (!frame || !navigation) return;
  const panel = Number.parseFloat(getComputedStyle(frame).getPropertyValue('--panel'));
  const free = document.documentElement.clientWidth - panel - beside;
  const covered = x - free;
  if (covered <= 0 || free < navigation.getBoundingClientRect().right + beside) return;
  const left = Math.ceil(window.scrollX + covered);
  frame.style.setProperty('--scrolled-free', `${left}px`);
  window.scrollTo({ left });
}
