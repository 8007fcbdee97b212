import type { Script } from './people_scripts.ts';

/** Events of time alone. Their scripts move the Tenant's clock, and so all that is due on the way. */
export const timeScripts = {
  'statement.available': async ({ approved, stated }) => {
    await stated(String((await approved()).account_id));
  },
  'reconciliation_report.available': async ({ confirmedPayment, advance, nextBusinessDay }) => {
    await confirmedPayment();
    await advance(await nextBusinessDay());
  },
} as const satisfies Readonly<Record<string, Script>>;

/** How far each moves the clock. */
export const clockMoves: Readonly<Record<keyof typeof timeScripts, string>> = {
  'statement.available': 'to the end of the day in Eastern Time',
  'reconciliation_report.available': 'to 06:00 Eastern Time of the next business day',
};
