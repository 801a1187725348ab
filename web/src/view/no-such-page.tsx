import { Link } from 'wouter';
import { Page } from './page.tsx';

export function NoSuchPage() {
  return (
    <Page title="No such page" hasControls={false} sentence="Nothing is at this address.">
      <p>
        <Link href="/">Go to the overview</Link>, or search with ⌘K.
      </p>
    </Page>
  );
}
