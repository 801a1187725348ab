import type { SeededRandom } from '../seeded-random.ts';
import { isoText, isoTextOrNull } from './clock-text.ts';
import type { Contributor } from './contributors.ts';
import { hour } from './delays.ts';
import type { World } from './world.ts';

interface Question {
  readonly id: string;
  readonly section: string;
  readonly text: string;
  readonly type: 'rating' | 'single_choice' | 'multi_choice' | 'text' | 'yes_no';
  /** How many of those who answer at all answer this one. */
  readonly share: number;
}

const questions: readonly Question[] = [
  {
    id: 'flow-satisfaction',
    section: 'Flow',
    text: 'How satisfied are you with how quickly your work gets to production?',
    type: 'rating',
    share: 1,
  },
  {
    id: 'flow-obstacle',
    section: 'Flow',
    text: 'What slows you down most?',
    type: 'single_choice',
    share: 0.9,
  },
  {
    id: 'tools-used',
    section: 'Tools',
    text: 'Which tools helped you this quarter?',
    type: 'multi_choice',
    share: 0.75,
  },
  {
    id: 'team-safe',
    section: 'Team',
    text: 'Can you say openly in your team when something goes wrong?',
    type: 'yes_no',
    share: 0.85,
  },
  { id: 'open-question', section: 'Team', text: 'What should we change first?', type: 'text', share: 0.3 },
];
const obstacles = ['Waiting for reviews', 'Flaky tests', 'Unclear requirements', 'Meetings', 'Slow builds', 'Other'];
const tools = ['AI assistant', 'Preview environments', 'Code search', 'Dashboards', 'Pairing'];
const wishes = ['Fewer meetings.', 'Faster builds, please.', 'Smaller pull requests.', 'One tracker instead of two.'];

const openDays = 14;

/** Writes a survey: whom it was sent to, and what those who took part answered. */
export class SurveyWriter {
  readonly #world: World;
  readonly #random: SeededRandom;

  constructor(world: World, random: SeededRandom) {
    this.#world = world;
    this.#random = random;
  }

  /** Everybody who is there on the day, one after the other, and a few people from outside. */
  *write(day: number, quarter: string): Generator<void> {
    const { workforce } = this.#world;
    let count = 0;
    for (const person of workforce.contributors) {
      if (!person.isOnboarded || person.emails.length === 0 || person.joinedDay > day) continue;
      count += 1;
      this.#recipient(day, quarter, count, person, person.emails[0] ?? '');
      yield;
    }
    for (let guest = 1; guest <= 2; guest += 1) {
      count += 1;
      this.#recipient(day, quarter, count, undefined, `guest${guest}@partner-survey.example`);
      yield;
    }
  }

  #recipient(day: number, quarter: string, count: number, person: Contributor | undefined, email: string): void {
    const random = this.#random;
    const { calendar, weaver } = this.#world;
    const survey = `survey-${quarter.toLowerCase().replace(' ', '-')}`;
    const createdAt = calendar.startOf(day) + 9 * hour;
    const sentAt = createdAt + hour;
    const answeredAt = calendar.later(sentAt, random.between(0.1, 70) * hour, person?.phase ?? 0);
    const hasAnswered = random.chance(0.6) && answeredAt < calendar.endAt;
    const common = {
      survey_id: survey,
      survey_name: `Developer pulse ${quarter}`,
      survey_status: day + openDays < calendar.days ? 'closed' : 'active',
      recipient_type: person ? 'user' : 'external',
      sent_at: isoText(sentAt),
      final_response_submitted_at: isoTextOrNull(hasAnswered ? answeredAt : null),
    };
    const recipient = `${survey}/${count}`;
    weaver.add('survey_recipients', {
      ...common,
      survey_recipient_id: recipient,
      created_at: isoText(createdAt),
      survey_email_sent_at: isoText(sentAt + random.integer(5, 300)),
      person_email: email,
    });
    if (!hasAnswered) return;
    for (const [index, question] of questions.entries()) {
      if (!random.chance(question.share)) continue;
      const answer = this.#answer(question, day, person);
      weaver.add('survey_responses', {
        ...common,
        survey_response_id: `${recipient}/${question.id}`,
        survey_recipient_id: recipient,
        section_id: question.section.toLowerCase(),
        section_title: question.section,
        survey_template_question_id: question.id,
        question_order: index + 1,
        question_text: question.text,
        response_type: question.type,
        answer_value: answer,
        answer_comment: random.chance(0.06) ? random.pick(wishes) : null,
        answer_other_text: answer === 'Other' ? 'Too many tools' : null,
        response_created_at: isoText(answeredAt - random.integer(30, 400)),
        response_updated_at: isoText(answeredAt),
      });
    }
  }

  #answer({ type }: Question, day: number, person: Contributor | undefined): string {
    const random = this.#random;
    const { workforce, calendar } = this.#world;
    switch (type) {
      case 'rating': {
        // Those who wait for everything are less content; all are a little more so than two years ago.
        const mood = (person && workforce.isSlow(person) ? 2.4 : 3.4) + (0.5 * day) / calendar.days;
        return String(Math.min(5, Math.max(1, Math.round(mood + random.between(-1.4, 1.4)))));
      }
      case 'single_choice':
        return person && workforce.isSlow(person) && random.chance(0.6)
          ? 'Waiting for reviews'
          : random.pick(obstacles);
      case 'multi_choice':
        return JSON.stringify(random.sample(tools, random.integer(1, 3)));
      case 'yes_no':
        return random.chance(0.82) ? 'yes' : 'no';
      case 'text':
        return random.pick(wishes);
    }
  }
}
