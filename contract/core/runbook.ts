/** Where the documentation says what to do about an alarm: lines of the log and the console lead there. */
export const runbookOf = (alarm: string): string => `/docs/guide/operating/alarms#${alarm}`;
