import { isoText } from '../../calendar.ts';
import { grownBy } from './chapters.ts';
import type { Contributor } from './contributors.ts';
import type { DemoWorld } from './demo-world.ts';
import { hour, isoTextOrNull } from './working-calendar.ts';

/** Identifier, section, type, share of those who answer at all who answer this question, and its text. */
const questions = [
  ['flow-satisfaction', 'Flow', 'rating', 1, 'How satisfied are you with how quickly your work gets to production?'],
  ['flow-obstacle', 'Flow', 'single_choice', 0.9, 'What slows you down most?'],
  ['tools-used', 'Tools', 'multi_choice', 0.75, 'Which tools helped you this quarter?'],
  ['team-safe', 'Team', 'yes_no', 0.85, 'Can you say openly in your team when something goes wrong?'],
  ['open-question', 'Team', 'text', 0.3, 'What should we change first?'],
] as const;
const obstacles = ['Waiting for reviews', 'Flaky tests', 'Unclear requirements', 'Meetings', 'Slow builds', 'Other'];
const tools = ['AI assistant', 'Preview environments', 'Code search', 'Dashboards', 'Pairing'];
const wishes = ['Fewer meetings.', 'Faster builds, please.', 'Smaller pull requests.', 'One tracker instead of two.'];

/** A survey of everybody who is there on the day and of two guests. Stops after every recipient. */
export function* writeSurvey(world: DemoWorld, day: number, quarter: string): Generator<void> {
  const people = world.workforce.contributors.filter(
    ({ isOnboarded, emails, joinedDay }) => isOnboarded && emails.length > 0 && joinedDay <= day,
  );
  for (const [index, person] of [...people, undefined, undefined].entries()) {
    writeRecipient(world, day, quarter, index + 1, person);
    yield;
  }
}

function writeRecipient(world: DemoWorld, day: number, quarter: string, number: number, person?: Contributor): void {
  const { random, calendar } = world;
  const survey_id = `survey-${quarter.toLowerCase().replace(' ', '-')}`;
  const survey_recipient_id = `${survey_id}/${number}`;
  const createdAt = calendar.startOf(day) + 9 * hour;
  const sentAt = createdAt + hour;
  const answeredAt = calendar.later(sentAt, random.between(0.1, 70) * hour, person?.phase ?? 0);
  const hasAnswered = random.chance(0.6);
  const survey_name = `Developer pulse ${quarter}`;
  const survey_status = 'closed';
  const recipient_type = person ? 'user' : 'external';
  const sent_at = isoText(sentAt);
  const final_response_submitted_at = isoTextOrNull(hasAnswered ? answeredAt : null);
  // Written out: spreading what the two records share takes a third of all memory that the history takes.
  world.give('survey_recipients', {
    survey_id,
    survey_recipient_id,
    survey_name,
    survey_status,
    recipient_type,
    sent_at,
    final_response_submitted_at,
    created_at: isoText(createdAt),
    survey_email_sent_at: isoText(sentAt + random.integer(5, 300)),
    person_email: person?.emails[0] ?? `guest${number}@partner-survey.example`,
  });
  if (!hasAnswered) return;
  for (const [index, [id, section, response_type, share, question_text]] of questions.entries()) {
    if (!random.chance(share)) continue;
    const answer_value = drawAnswer(world, response_type, day, person);
    world.give('survey_responses', {
      survey_id,
      survey_recipient_id,
      survey_name,
      survey_status,
      recipient_type,
      sent_at,
      final_response_submitted_at,
      survey_response_id: `${survey_recipient_id}/${id}`,
      section_id: section.toLowerCase(),
      section_title: section,
      survey_template_question_id: id,
      question_order: index + 1,
      question_text,
      response_type,
      answer_value,
      answer_comment: random.chance(0.06) ? random.pick(wishes) : null,
      answer_other_text: answer_value === 'Other' ? 'Too many tools' : null,
      response_created_at: isoText(answeredAt - random.integer(30, 400)),
      response_updated_at: isoText(answeredAt),
    });
  }
}

function drawAnswer(world: DemoWorld, type: string, day: number, person?: Contributor): string {
  const { random, workforce } = world;
  const isSlow = workforce.isSlow(person, day);
  if (type === 'rating') {
    // People who wait for everything are less content; all are a little more content than before.
    const mood = (isSlow ? 2.4 : 3.4) + 0.5 * grownBy(day) + random.between(-1.4, 1.4);
    return String(Math.min(5, Math.max(1, Math.round(mood))));
  }
  if (type === 'single_choice') return isSlow && random.chance(0.6) ? 'Waiting for reviews' : random.pick(obstacles);
  if (type === 'multi_choice') return JSON.stringify(random.sample(tools, random.integer(1, 3)));
  return type === 'yes_no' ? (random.chance(0.82) ? 'yes' : 'no') : random.pick(wishes);
}
