import { counted } from '../../view/format.ts';

export const answersWords = {
  noAnswer: '(no answer)',
  notShownGroupsFewer: (many: string, minRespondents: number, hidden: number) =>
    `${many} not shown: groups of fewer than ${minRespondents} people are hidden${hidden === 2 ? ', and where that is only one, the next smallest with it' : ''}.`,
} as const;

export const surveysWords = {
  noSurveyWasSent: 'No survey was sent in this window.',
  tooFewPeople: 'Too few people were asked to show anything.',
  surveys: 'Surveys',
  surveyResultsForOwners: 'Survey results are for Owners and Managers,',
  soThatAnswersStay: 'so that answers stay among few.',
  listSurveys: 'The list of surveys',
  surveysWhat: 'surveys',
  answers: 'Answers of',
  groupsFewerThanPeople: (least: number) => `Groups of fewer than ${least} people are hidden here.`,
  surveyPrivacySet: (hidden: string) =>
    `${hidden} Survey privacy is set to anonymous: answers are shown once a survey is closed, or 14 days after its last one, and only by whole groups of people.`,
  surveyPrivacySetToRole: (hidden: string) =>
    `${hidden} Survey privacy is set to role: the API still answers Owners and Managers about smaller groups.`,
} as const;

export const participationWords = {
  participation: 'Participation',
  of: (recipients: number) => `of ${counted(recipients, 'recipient', 'recipients')}`,
  recipients: 'Recipients',
  askedInThisWindow: 'asked in this window',
  completed: 'Completed',
  submittedTheirFinalAnswers: 'submitted their final answers',
  recipientsByDay: 'Recipients by the day they were added to a survey. Completed ones submitted a final response.',
  stillOpen: 'Still open:',
  answersComeInUntil: '. Answers come in until it is closed. Then it is compared with the window before.',
  surveysInThisWindow: 'Surveys in this window',
  survey: 'Survey',
  shownBelow: (name: string) => `${name}, shown below`,
  state: 'State',
  hiddenToProtectAnonymity: 'Hidden to protect anonymity',
  numbers: (hidden: number) => `Numbers of ${counted(hidden, 'survey are', 'surveys are')}`,
  newestFirst: 'Newest first',
} as const;

export const questionCardWords = {
  average: (average: string) => `average ${average}`,
  severalCouldBeChosen: 'several could be chosen',
  inOrderAlphabet: 'in alphabetical order',
  times: (count: number) => `${count} times`,
  show: (texts: number) => `Show all ${texts}`,
  whatToShow: (text: string) => `${text}: what to show`,
  apiRequest: 'API request',
} as const;

export const questionsOfSurveyWords = {
  numberAnswers: 'The number of answers',
  noAnswersYet: 'No answers yet',
  wasSent: (name: string) => `${name} was sent and has no final answers, with the filters above.`,
  answers: 'Answers',
} as const;

export const teamScoresWords = {
  ratingsByTeam: 'Ratings by team',
  averageTeamsByName: 'Average, teams by name · people in two teams count in both',
  team: 'Team',
  peopleWhoAnswered: 'People who answered',
  chooseThemWithFilter: (count: number) =>
    `${counted(count, 'more team', 'more teams')}: choose them with the filter above.`,
  hiddenToProtectAnonymity: 'Hidden to protect anonymity',
  team2: 'team is',
  teams: 'teams are',
  request: (team: string) => `The request for ${team}`,
} as const;
