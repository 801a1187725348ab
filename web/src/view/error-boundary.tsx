import { Component, type ReactNode } from 'react';
import { AskError } from '../ask/send.ts';
import { Failed } from './states.tsx';

interface Caught {
  readonly error: Error | undefined;
}

const withoutFile =
  'Its files could not be loaded: the server cannot be reached, or it was updated since this window was opened.';

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
      isOfFile(error) ? withoutFile : `This page stopped working: ${error.message}`,
      undefined,
    );
    return (
      <div className="page">
        <h1>Something went wrong</h1>
        <Failed error={shown} retry={() => void loadAgain()} what="The page" />
      </div>
    );
  }
}
