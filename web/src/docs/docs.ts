// The reference at /docs: the server writes its pages, and this finds metrics and sends the requests that are tried.
import '@fontsource-variable/inter/opsz.css';
import '@fontsource-variable/jetbrains-mono';
import '../theme/fonts.css';
import '../theme/tokens.css';
import '../theme/base.css';
import './docs.css';
import { applyTheme } from '../theme/theme.ts';

applyTheme();

const search = document.querySelector<HTMLInputElement>('#search');
search?.addEventListener('input', () => find(search.value));
if (search?.value) find(search.value);

/** Shows the metrics that have every word. */
function find(text: string): void {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const domain of document.querySelectorAll<HTMLElement>('.domain')) {
    const entries = [...domain.querySelectorAll<HTMLElement>('li')];
    for (const entry of entries) {
      const said = `${entry.innerText} ${entry.textContent} ${entry.dataset.words}`.toLowerCase();
      entry.hidden = !words.every((word) => said.includes(word));
      if (!entry.hidden) shown += 1;
    }
    domain.hidden = entries.every(({ hidden }) => hidden);
  }
  const found = document.querySelector('#found');
  if (found) found.textContent = words.length === 0 ? '' : `${shown} metric${shown === 1 ? '' : 's'}`;
}

const keyName = 'plumb-docs-key';

for (const form of document.querySelectorAll<HTMLFormElement>('form.try')) {
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement | null;
  const key = field('key');
  if (key) key.value = sessionStorage.getItem(keyName) ?? '';
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (key) sessionStorage.setItem(keyName, key.value);
    void send(form, field('path')?.value ?? '', key?.value ?? '', field('body')?.value);
  });
}

/** Sends the request to this server and nobody else, and shows what it answers. */
async function send(form: HTMLFormElement, path: string, key: string, body: string | undefined): Promise<void> {
  const [status, answer] = [form.querySelector('[role=status]'), form.querySelector<HTMLElement>('.answer')];
  if (!status || !answer) return;
  const { method = 'GET', type = 'application/json' } = form.dataset;
  status.textContent = 'Asking …';
  const start = performance.now();
  try {
    const url = new URL(path, location.origin);
    if (url.origin !== location.origin) throw new Error('The path must begin with / and one letter.');
    const response = await fetch(url, {
      method,
      headers: {
        ...(key === '' ? {} : { Authorization: key }),
        ...(body === undefined ? {} : { 'Content-Type': type }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    status.textContent = `${response.status}, ${Math.round(performance.now() - start)} ms`;
    answer.textContent = readable(text);
  } catch (error) {
    status.textContent = 'Not sent';
    answer.textContent = error instanceof Error ? error.message : String(error);
  }
  answer.hidden = false;
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}
