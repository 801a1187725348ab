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
  soThatAnswersStay: 'so that few people see answers.',
  listSurveys: 'The list of surveys',
  surveysWhat: 'surveys',
  answers: 'Answers of',
  groupsFewerThanPeople: (least: number) => `Groups of fewer than ${least} people are hidden here.`,
  surveyPrivacySet: (hidden: string) =>
    `${hidden} Survey privacy is anonymous: answers are shown by group only, once a survey is closed or 14 days after its last answer.`,
  surveyPrivacySetToRole: (hidden: string) =>
    `${hidden} Survey privacy is by role: Owners and Managers still get smaller groups from the API.`,
} as const;

export const participationWords = {
  participation: 'Participation',
  of: (recipients: number) => `of ${counted(recipients, 'recipient', 'recipients')}`,
  recipients: 'Recipients',
  askedInThisWindow: 'asked in this window',
  completed: 'Completed',
  submittedTheirFinalAnswers: 'submitted their final answers',
  recipientsByDay: 'Recipients by the day they were added to a survey. Completed means they submitted final answers.',
  stillOpen: 'Still open:',
  answersComeInUntil: '. Answers come in until it closes. Then it’s compared with the window before.',
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
  answers: 'Answers',
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
