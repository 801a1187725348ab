import { refresh } from '../../../ask/refresh.ts';
import { postJson } from '../../../ask/send.ts';
import { removeDocument } from '../../../ask/stored-documents.ts';
import { isOwner, useSession } from '../../../page-session.ts';
import { ActionOutcome, useAction } from '../../../view/action.tsx';
import { ConfirmButton } from '../../../view/confirm.tsx';
import { Table } from '../../../view/data-table.tsx';
import { type Notification, notificationsPath } from './questions.ts';
import { notificationsWords, receiverWords } from './words.ts';

/** The alerts and digests that the reader may change: for Owners all of the organisation. */
export function MadeTable({ made }: { readonly made: readonly Notification[] }) {
  const session = useSession();
  const action = useAction();
  const test = ({ slug }: Notification) =>
    void action.run(async () => {
      const { sent } = await postJson<{ sent: number }>(`/alerts/${encodeURIComponent(slug)}/test`, {});
      await refresh(notificationsPath);
      return notificationsWords.tested(sent);
    });
  const remove = ({ kind, slug, about }: Notification) =>
    void action.run(async () => {
      await removeDocument(kind === 'alert' ? 'alerts' : 'digests', slug);
      await refresh(notificationsPath);
      return notificationsWords.isRemoved(about);
    });
  const title = isOwner(session) ? notificationsWords.all : notificationsWords.yours;
  return (
    <section className="card" aria-labelledby="made">
      <header>
        <h2 id="made">{title}</h2>
      </header>
      {made.length === 0 ? (
        <p className="secondary">{notificationsWords.noneMade}</p>
      ) : (
        <Table
          caption={title}
          rows={made}
          keyOf={({ kind, slug }) => `${kind} ${slug}`}
          columns={[
            {
              name: notificationsWords.what,
              cell: ({ kind, slug, about }) => (
                <>
                  {about}
                  <code className="small secondary under">{`${kind} ${slug}`}</code>
                </>
              ),
              sortBy: ({ about }) => about,
            },
            { name: notificationsWords.owner, cell: ({ owner }) => owner?.name ?? notificationsWords.removed },
            {
              name: notificationsWords.to,
              cell: ({ to }) => to.map(receiverWords).join(', '),
            },
            {
              name: notificationsWords.change,
              isAction: true,
              cell: (one) => (
                <span className="row">
                  {one.kind === 'alert' && (
                    <button
                      type="button"
                      className="link small"
                      aria-label={notificationsWords.testName(one.about)}
                      aria-disabled={action.isBusy}
                      onClick={() => !action.isBusy && test(one)}
                    >
                      {notificationsWords.test}
                    </button>
                  )}
                  <ConfirmButton
                    className="link small danger"
                    label={notificationsWords.remove}
                    name={notificationsWords.removeName(one.about)}
                    title={notificationsWords.removeTitle(one.about)}
                    verb={notificationsWords.removeVerb}
                    isDisabled={action.isBusy}
                    onConfirm={() => remove(one)}
                  >
                    {notificationsWords.removeMeaning}
                  </ConfirmButton>
                </span>
              ),
            },
          ]}
        />
      )}
      <ActionOutcome action={action} />
    </section>
  );
}
