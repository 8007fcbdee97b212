/** The address of an alarm's runbook: lines of the log and the console lead there. */
export const runbookOf = (alarm: string): string => `/docs/guide/operating/alarms#${alarm}`;
