import { Page } from './page.tsx';
import { PageLink } from './page-link.tsx';
import { openPalette } from './palette-opener.tsx';
import { shellWords } from './shell-words.ts';

/** An address that leads nowhere: the frame stays, with two ways on. */
export function NoSuchPage() {
  return (
    <Page title={shellWords.noSuchPage} hasControls={false} hasRecords={false} sentence={shellWords.nothingHere}>
      <p className="secondary">{shellWords.renamed}</p>
      <div className="row">
        <PageLink to="/" className="button primary">
          {shellWords.goToOverview}
        </PageLink>
        <button type="button" className="button" onClick={openPalette}>
          {shellWords.search}
        </button>
      </div>
    </Page>
  );
}
