/** Something that no text of the interface says, and what it says instead. */
export interface VoiceRule {
  readonly form: RegExp;
  readonly instead: string;
}

/** The rules of plain product English that a machine can hold, for every text, wherever it stands. */
export const voiceRules: readonly VoiceRule[] = [
  { form: /[\p{L}\p{N}…’'”`)\]}]; ?(?=[\p{L}\p{N}…“`(]|$)/u, instead: 'two sentences, or a comma' },
  { form: /\b(?:some|any|every|no)body\b/i, instead: 'someone, anyone, everyone, no one' },
  { form: /\bone[’']s own\b/i, instead: 'your own' },
  { form: /\b(?:data (?:are|were|have)|these data|those data|there are no data)\b/i, instead: 'data is' },
  { form: /\b(?:one|names) a line\b|\bone a (?:day|person|row)\b/i, instead: 'one per line' },
  { form: /\bplease\b|\bsorry\b|\boops\b/i, instead: 'what to do' },
  { form: /\p{L}!(?=\s|$)/u, instead: 'a full stop' },
  { form: /\p{L} ?\.\.\.(?=\s|$)/u, instead: '…' },
  // Commands line up what they print: more than two spaces, or two behind a label of one word.
  { form: /\S* \p{L}+[.,]? {2}\p{L}+ \p{Ll}/u, instead: 'one space' },
  { form: /[^\s…] [,.:?](?=\s|$)/, instead: 'no space before a mark' },
  {
    form: /\b(?:organiz|behavior|canceled|canceling|favorite|analyz|summariz|recogniz|customiz|prioritiz|categoriz|utiliz|initializ|normaliz|synchroniz|center(?:ed)?\b|gray\b|labeled|labeling|modeling|traveled|catalog\b|dialog box)/i,
    instead: 'British spelling',
  },
  { form: /\b(?:awesome|great|congratulations|successfully done|well done)\b/i, instead: 'the fact alone' },
];

/** Phrases that pages once had and that people stumbled over. */
export const oldPhrases: readonly RegExp[] = [
  /demo data|made up and the same everywhere/i,
  /Own range|Connect something|Still needed|Share of the rate limit|The other side[’']s limit|goes on by itself/i,
  /A read-only token is enough|shown to nobody again|It is set; leave this empty/i,
  /How new the data|Streams that could not be read|Accounts that belong to no ?one|Metrics leave out/i,
  /fills by itself|^Against the |Choose a comparison|No team and no repository|What changed most/,
  /What was left out and why|have no part in the number|The request of th|How each clock was read/i,
  /Open where it comes from|Click or Enter: the rows|one dot a person|darker is more|Size against time/i,
  /Started against completed|Failed and passed on one commit|What became of merged|\bKnown from\b|What it carried/i,
  /You among others|Least value|add a column|Same person\?|Onboard and offboard|Take access from|Let them sign in/i,
  /Nobody is found|You may not see this|Nothing is at this address|History is arriving|Go through the first steps/i,
];

/** Names that others have given, as they spell them. */
const foreignNames =
  /Data Center|--set organization=|\bOrganization (?:>|Copilot)|^(?:organization is missing|.*setting organization\.)$/g;

/** What a text says that no text says, each with the words around it. */
export function brokenRules(said: string): string[] {
  const text = said.replaceAll(foreignNames, 'Name');
  const around = (at: number) => `“${text.slice(Math.max(0, at - 30), at + 40)}”`;
  const broken = voiceRules.flatMap(({ form, instead }) => {
    const found = form.exec(text);
    return found ? [`${around(found.index)}: ${instead}`] : [];
  });
  const old = oldPhrases.flatMap((form) => {
    const found = form.exec(text);
    return found ? [`${around(found.index)}: a phrase that people stumbled over`] : [];
  });
  return [...broken, ...old];
}

/** People count in metrics or do not: only the fields of the interface for programs are called after onboarding. */
const onboarding = /\b(?:on|off)board(?:s|ed|ing)?\b/i;

export const saysOnboarding = (text: string): boolean => onboarding.test(text);

/** An apostrophe of a typewriter. */
export const hasPlainApostrophe = (text: string): boolean => /\p{L}'(?:s|t|re|ve|ll|d)\b(?!')/u.test(text);

/** Names that keep their capital wherever they stand. */
const names =
  /^(?:[A-Z0-9]{2,}s?|I|Owners?|Managers?|Engineers?|Squad|Leads?|Plumb|GitHub|GitLab|Git|Bitbucket|Azure|DevOps|Jira|Linear|Asana|Slack|Jenkins|CircleCI|PagerDuty|Opsgenie|Rootly|Cursor|Claude|Code|Copilot|Codex|Gemini|Windsurf|Aider|OpenCode|OpenID|Connect|Enterprise|Personal|Service|Management|ClickHouse|PostgreSQL|DuckDB|TypeScript|Grafana|Parquet|Overview|Explore|Ctrl|Enter|Escape|Esc|Tab|Prometheus|Docker|Atlassian|Cloud|Actions|Export|JSON|Console)$/;

/** A heading or a button whose words begin with capitals. */
export function isTitleCase(text: string): boolean {
  const [, ...others] = text.split(/[:.?·]\s/, 1)[0]?.match(/[\p{L}\p{N}’']+/gu) ?? [];
  return others.some((word) => /^\p{Lu}\p{L}+/u.test(word) && !names.test(word));
}
