import type { Play } from './move.ts';

/** Raises or lowers what individuals may pay in a day, rarely at once for security. */
export const limitPayments: Play = async ({ client, model }, choices) => {
  const { limits } = model.settings;
  const { individual, business } = limits.payment_daily;
  const cents = choices.pick([120_000, 150_000, 200_000, 900_000, individual ?? 500_000]);
  const isForSecurity = choices.percent(15);
  const expected = model.limitPayments(cents, isForSecurity);
  const actual = await client.set('/portal/api/settings', {
    limits: { ...limits, payment_daily: { individual: cents, business } },
    ...(isForSecurity && { security_reason: 'Stolen phones' }),
  });
  return { what: `a daily limit of ${cents}`, expected, actual, leavesJobs: true };
};
