import { beforeEach, expect, test } from 'vitest';
import { onboard } from '../../test/kit/engine.ts';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';
import type { LinkCheck } from '../rails/aggregator.ts';
import type { IdentityCheck } from '../rails/identity.ts';
import {
  approveCustomer,
  holdCustomerForReview,
  rejectCustomer,
  requestMore,
} from '../resources/customers/moves.ts';
import { getCustomer, listOwners } from '../resources/customers/read.ts';
import { createLinkedAccount } from '../resources/linked_accounts/create.ts';
import { holdLinkForReview } from '../resources/linked_accounts/moves.ts';
import { openSandboxAggregator } from '../sandbox/rails/aggregator.ts';
import { customerCheckJob, linkCheckJob, ownerCheckJob } from './check_jobs.ts';

let asked: (IdentityCheck | LinkCheck)[] = [];
/** The act of another process while a request is under way. */
let meanwhile: () => Promise<unknown> = async () => {};

const server = await openServer({ manual: true });
const { api, engine } = server;
beforeEach(() => {
  asked = [];
  meanwhile = async () => {};
});

async function hear(question: IdentityCheck | LinkCheck): Promise<void> {
  asked.push(question);
  await meanwhile();
}

function asking() {
  const { db, vault } = server.service;
  const collect = async () => '';
  const aggregator = { ...openSandboxAggregator(server.service.vault), verify: hear };
  return { db, vault, identity: { collect, check: hear }, aggregator };
}

async function applied(type: 'individual' | 'business') {
  const { id: wire } = await api.customer(type);
  const id = uuid('customer', wire);
  await engine.run(onboard, { id });
  return { id, wire: { id: wire as string } };
}

const jobs = async (id: string) => (await engine.jobs(id)).map(({ name }) => name);
const askAbout = (ref: string) => engine.run(customerCheckJob(asking()), { ref });
const sinceOf = async (wire: { id: string }) =>
  (await getCustomer(engine.context(), wire)).verification.updated_at;

test('the provider is called about a customer once it has applied, with its id only', async () => {
  const { tenantId } = server.tenant;
  const { id, wire } = await applied('individual');
  expect(await jobs(id)).toEqual(['customer_check']);
  await askAbout(id);
  const since = await sinceOf(wire);
  expect(asked).toEqual([{ tenantId, subject: 'customer', subjectId: id, since, reference: null }]);
  expect(await jobs(id)).toEqual([]);
});

test('the same application is the same check, a new one is another', async () => {
  const { id } = await applied('individual');
  await askAbout(id);
  await askAbout(id);
  expect(asked[1]).toEqual(asked[0]);
  await engine.run(rejectCustomer, { id });
  await engine.moveClock(24 * 3600 + 1);
  await engine.run(onboard, { id });
  await askAbout(id);
  expect(asked[2]).not.toEqual(asked[0]);
});

test('no check is requested for a customer that is decided, or must send more data', async () => {
  const decided = await applied('individual');
  await engine.run(approveCustomer, { id: decided.id });
  const more = await applied('individual');
  await engine.run(holdCustomerForReview, { id: more.id });
  await engine.run(requestMore, { id: more.id });
  for (const { id } of [decided, more]) {
    await askAbout(id);
    expect(await jobs(id)).toEqual([]);
  }
  expect(asked).toEqual([]);
  await engine.run(onboard, { id: more.id });
  await askAbout(more.id);
  expect(asked).toHaveLength(1);
});

test('an application that comes while the previous one is being requested is checked too', async () => {
  const { id } = await applied('individual');
  meanwhile = async () => {
    await engine.run(rejectCustomer, { id });
    await engine.moveClock(24 * 3600 + 1);
    await engine.run(onboard, { id });
  };
  await askAbout(id);
  expect(await jobs(id)).toEqual(['customer_check']);
  meanwhile = async () => {};
  await askAbout(id);
  expect(asked).toHaveLength(2);
  expect(await jobs(id)).toEqual([]);
});

test('the job of a check that cannot be requested stays due', async () => {
  const { id } = await applied('individual');
  meanwhile = async () => {
    throw new Error('the provider is away');
  };
  await expect(askAbout(id)).rejects.toThrow('away');
  expect(await jobs(id)).toEqual(['customer_check']);
});

test('the owners of a business are checked too, each separately', async () => {
  const { id, wire } = await applied('business');
  expect(await jobs(id)).toEqual(['customer_check']);
  const { data } = await listOwners(engine.context(), wire);
  const ref = uuid('owner', data[0]?.id ?? '');
  expect(await jobs(ref)).toEqual(['owner_check']);
  await engine.run(ownerCheckJob(asking()), { ref });
  expect(asked).toMatchObject([{ subject: 'owner', subjectId: ref, since: data[0]?.updated_at }]);
  expect(await jobs(ref)).toEqual([]);
});

test('the aggregator is called about a pending link with its own id of the account', async () => {
  const { customerId } = await api.approved('individual');
  const link = await engine.run(
    createLinkedAccount(openSandboxAggregator(server.service.vault), server.service.vault),
    {
      id: customerId,
      public_token: 'public-sandbox-two_accounts',
      aggregator_account_id: 'acc_savings',
    },
  );
  const ref = uuid('linked_account', link.id);
  const check = () => engine.run(linkCheckJob(asking()), { ref });
  expect(await jobs(ref)).toEqual(['link_check', 'link_numbers']);
  await check();
  const { tenantId } = server.tenant;
  const reference = 'public-sandbox-two_accounts/acc_savings';
  const whose = { legalName: 'Ana Reyes', kind: 'individual' };
  expect(asked).toEqual([{ tenantId, linkId: ref, reference, ...whose }]);
  expect(await jobs(ref)).toEqual(['link_numbers']);
  await engine.run(holdLinkForReview, { id: ref });
  await check();
  expect(asked).toHaveLength(1);
});
