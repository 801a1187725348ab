import { Component, type ReactNode } from 'react';
import { AskError } from '../ask/send.ts';
import { shellWords } from './shell-words.ts';
import { Failed } from './states.tsx';

interface Caught {
  readonly error: Error | undefined;
}

/** The messages of Chromium, Firefox, Safari and the build when a file cannot be loaded. */
const isOfFile = ({ message }: Error): boolean =>
  /dynamically imported module|importing a module script|unable to preload/i.test(message);

/** Not before the server answers: otherwise the browser would replace this page with one of its own. */
const loadAgain = (): Promise<void> =>
  fetch('/livez').then(
    () => location.reload(),
    () => undefined,
  );

/** When a page fails, the navigation stays and an error takes the page's place. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, Caught> {
  override state: Caught = { error: undefined };

  static getDerivedStateFromError(error: Error): Caught {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const shown = new AskError(
      0,
      isOfFile(error) ? shellWords.withoutFile : shellWords.stopped(error.message),
      undefined,
    );
    return (
      <div className="page">
        <h1>{shellWords.somethingWrong}</h1>
        <Failed error={shown} retry={() => void loadAgain()} what={shellWords.thePage} />
      </div>
    );
  }
}
