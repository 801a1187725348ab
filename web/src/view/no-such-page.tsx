import { Page } from './page.tsx';
import { PageLink } from './page-link.tsx';

export function NoSuchPage() {
  return (
    <Page title="No such page" hasControls={false} hasRecords={false} sentence="There’s nothing at this address.">
      <p>
        <PageLink to="/">Go to the overview</PageLink>, or search with ⌘K.
      </p>
    </Page>
  );
}
