import { TriangleAlert } from 'lucide-react';
import { useTeams } from '../../../ask/choices.ts';
import { useDocuments } from '../../../ask/stored-documents.ts';
import { useJson } from '../../../ask/use-answer.ts';
import { useView } from '../../../ask/use-view.ts';
import { isOwner, useSession } from '../../../page-session.ts';
import { Table } from '../../../view/data-table.tsx';
import { shownTime } from '../../../view/format.ts';
import { Notice } from '../../../view/notice.tsx';
import { Answered } from '../../../view/states.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { MadeTable } from './made-table.tsx';
import { NewAlertForm } from './new-alert-form.tsx';
import { NewDigestForm } from './new-digest-form.tsx';
import {
  type AlertDocument,
  type Delivery,
  type DigestDocument,
  type Notification,
  type Notifications,
  notificationsPath,
  type Origin,
} from './questions.ts';
import { ReceivedTable } from './received-table.tsx';
import {
  alertWords,
  digestWords,
  notificationsSentence,
  notificationsWords,
  originWords,
  receiverWords,
  resultWords,
} from './words.ts';

/** Digests and alerts: what comes to the reader, what they have made, and what became of it. */
export default function NotificationsPage() {
  const answer = useJson<Notifications>(notificationsPath);
  const made = useMade();
  const aboutOf = (origin: Origin): string =>
    made.find((one) => one.kind === origin.kind && one.slug === origin.slug)?.about ?? originWords(origin);
  return (
    <SettingsPage
      title={notificationsWords.notifications}
      sentence={answer.data ? notificationsSentence(answer.data.received, answer.data.deliveries) : ' '}
    >
      {() => (
        <Answered answer={answer} what={notificationsWords.theList}>
          {({ missing_settings, received, deliveries }) => (
            <div className="stack">
              {missing_settings.length > 0 && <MailNotSetUp missing={missing_settings} />}
              <ReceivedTable received={received} aboutOf={aboutOf} />
              <MadeTable made={made} />
              <NewDigestForm known={slugsOf(made, 'digest')} />
              <NewAlertForm known={slugsOf(made, 'alert')} />
              <Deliveries deliveries={deliveries} aboutOf={aboutOf} />
              <Channels />
            </div>
          )}
        </Answered>
      )}
    </SettingsPage>
  );
}

const slugsOf = (made: readonly Notification[], kind: Notification['kind']): string[] =>
  made.filter((one) => one.kind === kind).map(({ slug }) => slug);

/** The alerts and digests that the reader may change, in notificationsWords. */
function useMade(): readonly Notification[] {
  const alerts = useDocuments<AlertDocument>('alerts').data ?? [];
  const digests = useDocuments<DigestDocument>('digests').data ?? [];
  const boards = useDocuments<{ readonly board: string; readonly title: string }>('boards').data ?? [];
  const teams = useTeams();
  const nameOf = (team: string) => teams.find(({ id }) => id === team)?.name ?? team;
  const titleOf = (slug: string) => boards.find(({ board }) => board === slug)?.title ?? slug;
  return [
    ...alerts.map((one) => ({ ...one, kind: 'alert' as const, slug: one.alert ?? '', about: alertWords(one, nameOf) })),
    ...digests.map((one) => ({
      ...one,
      kind: 'digest' as const,
      slug: one.digest ?? '',
      about: digestWords(one, titleOf, nameOf),
    })),
  ];
}

const MailNotSetUp = ({ missing }: { readonly missing: readonly string[] }) => (
  <Notice icon={TriangleAlert} tone="late">
    <strong>{notificationsWords.cannotMail}.</strong> {notificationsWords.operatorSets}{' '}
    {missing.map((name, at) => (
      <span key={name}>
        {at > 0 && ', '}
        <code>{name}</code>
      </span>
    ))}
    .
  </Notice>
);

interface DeliveriesProps {
  readonly deliveries: readonly Delivery[];
  readonly aboutOf: (origin: Origin) => string;
}

function Deliveries({ deliveries, aboutOf }: DeliveriesProps) {
  const session = useSession();
  const { zone } = useView();
  return (
    <section className="card" aria-labelledby="deliveries">
      <header>
        <div>
          <h2 id="deliveries">{notificationsWords.deliveries}</h2>
          <p className="subtitle">
            {isOwner(session) ? notificationsWords.deliveriesOfAll : notificationsWords.deliveriesToYou}
          </p>
        </div>
      </header>
      {deliveries.length === 0 ? (
        <p className="secondary">{notificationsWords.noDeliveries}</p>
      ) : (
        <Table
          caption={notificationsWords.deliveries}
          rows={deliveries}
          keyOf={({ id }) => id}
          columns={[
            {
              name: notificationsWords.when,
              cell: ({ queued_at }) => <time dateTime={queued_at}>{shownTime(queued_at, zone)}</time>,
              sortBy: ({ queued_at }) => queued_at,
            },
            {
              name: notificationsWords.message,
              cell: (one) => (
                <>
                  {one.title}
                  <span className="small secondary under">{aboutOf(one)}</span>
                </>
              ),
            },
            {
              name: notificationsWords.to,
              cell: ({ receiver }) => receiverWords(receiver),
            },
            { name: notificationsWords.result, cell: resultWords, sortBy: ({ state }) => state },
          ]}
        />
      )}
    </section>
  );
}

const Channels = () => (
  <p className="small secondary">
    {notificationsWords.channels} <code>{notificationsWords.applyCommand}</code>.{' '}
    <a href="/docs/guides/alerts-and-digests">{notificationsWords.guide}</a>
  </p>
);
