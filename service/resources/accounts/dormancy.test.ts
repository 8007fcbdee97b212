import { beforeEach, expect, test } from 'vitest';
import { endCalendar } from '../../../test/kit/calendar.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';

/** Accounts whose customer has confirmed what the bank has not yet moved (rules/accounts#8). */

const server = await openServer({ manual: true, bank: { take: async () => {} } });
const { api } = server;
const daySeconds = 86_400;
let ana: Person;
beforeEach(async () => {
  ana = await api.funded('individual', 50_00);
  await endCalendar(server);
});

const statusOf = async ({ customerId }: Person) =>
  (await api.get(`/v1/accounts?customer_id=${customerId}`)).data[0].status;

test.each([
  ['load', () => api.load(ana, 20_00)],
  ['withdrawal', () => api.withdraw(ana, 20_00)],
])(
  'an account whose %s was confirmed and is on its way does not become dormant',
  async (_kind, make) => {
    await api.advance(365 * daySeconds - 3_600);
    await api.confirmed(make());
    await api.advance(2 * 3_600);
    expect(await statusOf(ana)).toBe('active');
  },
);
