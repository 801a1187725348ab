import { useRoute } from 'wouter';
import { notLoaded } from '../../../../src/conclusions/change-words.ts';
import { type FullPerson, isSeen } from '../../ask/people-answers.ts';
import { isAnyOld, useJson } from '../../ask/use-answer.ts';
import { isOwner, useSession } from '../../page-session.ts';
import { Page } from '../../view/page.tsx';
import { Answered, NotAllowed } from '../../view/states.tsx';
import { useParts } from '../../view/subpages.tsx';
import { PersonAccess } from './access.tsx';
import { PersonDetails } from './details.tsx';
import { PersonFacts } from './facts.tsx';
import { OwnWork, useOwnWork } from './own-work.tsx';
import { personSentence, personWords } from './words.ts';

/** One person: their work, for readers who may see it, and what the directory knows of them. */
export default function PersonPage() {
  const [, params] = useRoute('/people/:id');
  const id = params?.id ?? '';
  const answer = useJson<FullPerson>(`/app/people/${encodeURIComponent(id)}`);
  // The old answer stays while a new one is on its way, but never under another person's name.
  const person = answer.data?.id === id ? answer.data : undefined;
  if (!person) {
    return (
      <Page title={personWords.person} hasControls={false}>
        <section className="card">
          <Answered answer={{ ...answer, data: undefined }} what={personWords.thisPerson}>
            {() => null}
          </Answered>
        </section>
      </Page>
    );
  }
  return isSeen(person) ? <SeenPerson key={id} person={person} /> : <NamedPerson person={person} />;
}

const forReaders = { work: personWords.work, facts: personWords.about };
const forOwners = { ...forReaders, details: personWords.changeDetails, access: personWords.roleAndAccess };

function SeenPerson({ person }: { readonly person: FullPerson }) {
  const session = useSession();
  const isOwn = session.person.id === person.id;
  const [part, parts] = useParts<keyof typeof forOwners>(
    (isOwner(session) ? forOwners : forReaders) as typeof forOwners,
  );
  const work = useOwnWork(person);
  return (
    <Page
      title={person.name}
      beside={isOwn ? 'you' : (person.job_title ?? '')}
      hasControls={part === 'work'}
      isOfPerson
      sentence={work.figures.some(({ error }) => error) ? notLoaded : personSentence(work.figures, isOwn)}
      isSentenceOld={isAnyOld(work.figures)}
    >
      {parts}
      {part === 'work' && <OwnWork person={person} work={work} />}
      {part === 'facts' && <PersonFacts person={person} />}
      {part === 'details' && <PersonDetails person={person} />}
      {part === 'access' && <PersonAccess person={person} />}
    </Page>
  );
}

/** A person whose work this reader does not see: name and teams, and the reason why there is no more. */
function NamedPerson({ person }: { readonly person: FullPerson }) {
  return (
    <Page title={person.name} hasControls={false} sentence={teamsOf(person)}>
      <section className="card">
        <NotAllowed what={personWords.workOthers} needs={personWords.forOwnersManagers} />
      </section>
    </Page>
  );
}

const teamsOf = ({ teams }: FullPerson): string =>
  teams.length === 0 ? personWords.inNoTeam : personWords.in(teams.map(({ name }) => name).join(', '));
