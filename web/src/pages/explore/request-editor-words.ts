export const requestEditorWords = {
  thisTooMuch: 'This is too long for a page address.',
  editRequest: 'Edit the request',
  changeItAndApply: 'Edit and apply, or paste another request',
  requestAsCurl: 'Request as curl',
  apply: 'Apply',
  undoChanges: 'Undo changes',
} as const;

export const requestPartsWords = {
  quoteNotClosed: 'A quote is not closed.',
  thereNoAddress: 'There is no address with /metrics/ and the name of a metric in it.',
  exploreAsksOneMetric: (metric: string) => `Explore asks one metric at a time. Ask ${metric} with the curl itself.`,
  metricDoesNotExist: (metric: string) => `Metric '${metric}' does not exist.`,
  thereNoBodyD: 'There is no body: -d and a JSON object with filters.',
  bodyBehindDNot: 'The body behind -d is not a JSON object.',
  exploreDoesNotTake: (unknown: string, known: string) => `Explore does not take '${unknown}' here. It takes ${known}.`,
  filtersMustBeObject: 'filters must be an object.',
  groupByMust: 'group_by must be a list of columns.',
  aggregation: (aggregations: string) => `aggregation is one of ${aggregations}.`,
  dateLevel: (dateLevels: string) => `date_level is one of ${dateLevels}.`,
  startDateAndEnd: 'start_date and end_date are days such as 2026-01-31, the first not after the last.',
} as const;
