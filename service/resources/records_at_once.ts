/** How many records one command ends; its job runs again at once for the rest (rules/records#19). */
export const recordsAtOnce = 200;
