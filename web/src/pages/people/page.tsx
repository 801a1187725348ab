import { lazy, Suspense } from 'react';
import { peoplePath, type PeoplePage as RosterPage } from '../../ask/people-answers.ts';
import { useJson } from '../../ask/use-answer.ts';
import { useGroups } from '../../ask/use-groups.ts';
import { isOwner, useSession } from '../../page-session.ts';
import { Page } from '../../view/page.tsx';
import { useParts } from '../../view/subpages.tsx';
import { AddPerson } from './add-person.tsx';
import { GroupTree } from './group-tree.tsx';
import { Roster } from './roster.tsx';
import { peopleSentence, peopleWords } from './words.ts';

/** Parts of the page for Owners alone, loaded when one is chosen. */
const Matching = lazy(() => import('./matching.tsx'));
const Onboarding = lazy(() => import('./onboarding.tsx'));

const forEveryone = { roster: peopleWords.roster, groups: peopleWords.teamsAndSquads };
const forOwners = {
  ...forEveryone,
  onboarding: peopleWords.includeInMetrics,
  matching: peopleWords.possibleDuplicates,
  add: 'Add a person',
};

/** The people of the organisation, their teams and squads, and who is onboarded. Nobody is ranked. */
export default function PeoplePage() {
  const session = useSession();
  const [part, parts] = useParts<keyof typeof forOwners>(
    (isOwner(session) ? forOwners : forEveryone) as typeof forOwners,
  );
  const all = useJson<RosterPage>(peoplePath({ limit: 1 }));
  const onboarded = useJson<RosterPage>(peoplePath({ limit: 1, state: 'onboarded' }));
  const groups = useGroups();
  return (
    <Page
      title={peopleWords.people}
      hasControls={false}
      sentence={peopleSentence(all.data?.total, onboarded.data?.total, groups.data)}
    >
      {parts}
      {part === 'roster' && <Roster />}
      {part === 'groups' && <GroupTree />}
      <Suspense fallback={<div className="skeleton page-waiting" aria-busy="true" />}>
        {part === 'onboarding' && <Onboarding />}
        {part === 'matching' && <Matching />}
      </Suspense>
      {part === 'add' && <AddPerson />}
    </Page>
  );
}
