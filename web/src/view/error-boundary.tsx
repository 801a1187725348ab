import { Component, type ReactNode } from 'react';
import { AskError } from '../ask/send.ts';
import { Failed } from './states.tsx';

interface Caught {
  readonly error: Error | undefined;
}

/** A fault of one page leaves the navigation standing, and says so. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, Caught> {
  override state: Caught = { error: undefined };

  static getDerivedStateFromError(error: Error): Caught {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    // A page whose file is gone was built again meanwhile: loading again brings the new one.
    const shown = new AskError(0, `This page stopped working: ${error.message}`, undefined);
    return (
      <div className="page">
        <h1>Something went wrong</h1>
        <Failed error={shown} retry={() => location.reload()} what="The page" />
      </div>
    );
  }
}
