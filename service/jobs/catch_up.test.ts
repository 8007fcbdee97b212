import { beforeAll, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import type { Person } from '../../test/kit/person.ts';
import { openServer } from '../../test/kit/server.ts';
import { openCatchUp } from './catch_up.ts';
import { openNightly } from './nightly.ts';

/** Jobs that records of an earlier release lack (rules/linking#36). */

const removed: string[] = [];
const server = await openServer({
  own: true,
  manual: true,
  onLog: () => {},
  tenant: { calendar: false },
});
const { api, engine, rails, service } = server;
const offers = { withdrawal: true, load: true };
const aggregator = Object.assign(rails.aggregator, {
  refresh: async () => offers,
  remove: async (reference: string) => void removed.push(reference),
});
const night = () =>
  openNightly(service, { rests: 0, catchUp: openCatchUp(service, { aggregator }) }).verifyNow();
const day = 86_400;

let used: Person;
let gone: Person;
let closed: Person;
beforeAll(async () => {
  [used, gone, closed] = [
    await api.banked('individual'),
    await api.banked('individual'),
    await api.banked('individual'),
  ];
  await api.remove(`/v1/customers/${gone.customerId}/linked-accounts/${gone.linkedAccountId}`);
  await api.close(closed);
  await server.runJobs();
  // As 1.0 leaves them, which knows no such jobs.
  await server.owner.query(
    `delete from jobs where tenant_id = $1 and name in ('link_refresh', 'link_consent')`,
    [engine.tenantId],
  );
});

const idOf = ({ linkedAccountId }: Person) => uuid('linked_account', linkedAccountId ?? '');
const jobsOf = async (person: Person) =>
  (await engine.jobs(idOf(person))).filter(({ name }) => name !== 'withdrawal_hold');

test('links that an earlier release has made or ended are refreshed and forgotten as those of this one', async () => {
  expect((await api.get(`/v1/accounts/${closed.accountId}`)).status).toBe('closed');
  for (const person of [used, gone, closed]) expect(await jobsOf(person)).toEqual([]);
  await night();
  const made = await Promise.all([used, gone, closed].map(jobsOf));
  expect(made.map((jobs) => jobs.map(({ name }) => name))).toEqual([
    ['link_refresh'],
    ['link_consent'],
    ['link_consent', 'link_refresh'],
  ]);
  // Another night leaves them as they are.
  await night();
  expect(await Promise.all([used, gone, closed].map(jobsOf))).toEqual(made);
  await api.advance(181 * day);
  expect(removed).toHaveLength(2);
  const kept = await engine.query(
    `select id, reference_sealed is not null as reference from linked_accounts
      where tenant_id = $1 and id = any (string_to_array($2, ',')::uuid[]) order by created_at, id`,
    [used, gone, closed].map(idOf).join(','),
  );
  expect(kept.map(({ reference }) => reference)).toEqual([true, false, false]);
  // Nothing is left to do for them.
  await night();
  expect((await jobsOf(gone)).length).toBe(0);
});
