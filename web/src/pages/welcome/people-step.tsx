import { Link } from 'wouter';
import { type PeoplePage, peoplePath } from '../../ask/people.ts';
import { useJson } from '../../ask/use-answer.ts';
import { counted } from '../../view/format.ts';
import { Answered } from '../../view/states.tsx';

/** Who counts. People arrive with records; what is left is to look. */
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
              : `${counted(total, 'person is', 'people are')} known${absent.data ? `, ${absent.data.total} of them not onboarded` : ''}.`}
          </p>
        )}
      </Answered>
      <ul className="stack">
        <li>
          <Link href="/people">Look through the roster</Link>
        </li>
        <li>
          <Link href="/people?part=onboarding">Onboard or offboard by address or login</Link>
        </li>
        <li>
          <Link href="/people?part=matching">See who may be there twice</Link>
        </li>
        <li>
          <Link href="/settings/organisation">Decide whether those who arrive count by themselves</Link>
        </li>
      </ul>
    </>
  );
}
