import type { Script } from './people_scripts.ts';

const daySeconds = 86_400;

/** Events of time alone. Their scripts move the Tenant's clock, and so all that is due on the way. */
export const timeScripts = {
  'statement.available': async ({ approved, advance, simulate }) => {
    const { account_id } = await approved();
    await advance({ seconds: daySeconds });
    await simulate('statement.available', String(account_id));
  },
  'reconciliation_report.available': async ({ confirmedPayment, advance, nextBusinessDay }) => {
    await confirmedPayment();
    await advance({ to: await nextBusinessDay() });
  },
} as const satisfies Readonly<Record<string, Script>>;

/** How far each moves the clock. */
export const clockMoves: Readonly<Record<keyof typeof timeScripts, string>> = {
  'statement.available': 'by a day',
  'reconciliation_report.available': 'to 06:00 Eastern Time of the next business day',
};
