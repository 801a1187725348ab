import { Page } from './page.tsx';
import { PageLink } from './page-link.tsx';
import { openPalette } from './palette-opener.tsx';

/** An address that leads nowhere: the frame stays, with two ways on. */
export function NoSuchPage() {
  return (
    <Page title="No such page" hasControls={false} hasRecords={false} sentence="There’s nothing at this address.">
      <p className="secondary">It may have been renamed, or the link is cut short.</p>
      <div className="row">
        <PageLink to="/" className="button primary">
          Go to Overview
        </PageLink>
        <button type="button" className="button" onClick={openPalette}>
          Search
        </button>
      </div>
    </Page>
  );
}
