import { type PeoplePage, peoplePath } from '../../ask/people-answers.ts';
import { useJson } from '../../ask/use-answer.ts';
import { counted } from '../../view/format.ts';
import { PageLink } from '../../view/page-link.tsx';
import { Answered } from '../../view/states.tsx';

/** The people in metrics. They arrive with records; the reader only looks. */
export function PeopleStep() {
  const all = useJson<PeoplePage>(peoplePath({ limit: 1 }));
  const absent = useJson<PeoplePage>(peoplePath({ limit: 1, state: 'not-onboarded' }));
  return (
    <>
      <Answered answer={all} what="The number of people" height={40}>
        {({ total }) => (
          <p>
            {total <= 1
              ? 'Only you are known so far. People arrive with the records of connections and imports, and count at once.'
              : `${counted(total, 'person is', 'people are')} known${absent.data ? `, ${absent.data.total} of them not in metrics` : ''}.`}
          </p>
        )}
      </Answered>
      <ul className="stack">
        <li>
          <PageLink to="/people">Look through the roster</PageLink>
        </li>
        <li>
          <PageLink to="/people" own={{ part: 'onboarding' }}>
            Include or exclude by email or login
          </PageLink>
        </li>
        <li>
          <PageLink to="/people" own={{ part: 'matching' }}>
            See who may be there twice
          </PageLink>
        </li>
        <li>
          <PageLink to="/settings/organisation">Decide whether those who arrive count by themselves</PageLink>
        </li>
      </ul>
    </>
  );
}
