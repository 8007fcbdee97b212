import type { Command } from '@tenant-payments/engine/command.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/kit/database/database.ts';
import { onboard } from '../../../test/kit/engine.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import { newVersion } from '../../../test/kit/legal_texts.ts';
import { startTestServer, type TestServer } from '../../../test/kit/server.ts';
import { createCustomer } from './create.ts';
import { publishDocument } from './documents/moves.ts';
import { documentPublicationJob, publishForAll } from './documents/publication.ts';
import { approveCustomer, holdCustomerForReview, requestMore } from './moves.ts';
import { nameOwner } from './owners/invitations.ts';
import { approveOwner } from './owners/moves.ts';

/** Two processes that change one customer at the same time have the result of one order. */

let database: Awaited<ReturnType<typeof testDatabase>>;
let first: TestServer;
let second: TestServer;
beforeAll(async () => {
  database = await testDatabase();
  first = await startTestServer({ database, workers: false });
  const secrets = first.service.config;
  second = await startTestServer({ database, secrets, workers: false });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
  await database.drop();
});

const rounds = 12;
let applicants = 0;

const runOn =
  ({ service }: TestServer) =>
  async <I, L, P>(command: Command<I, L, P>, input: NoInfer<I>): Promise<ReplyBody> => {
    const { tenantId } = first.tenant;
    return JSON.parse((await service.engine.submit(command, { tenantId, input })).body);
  };
const here: ReturnType<typeof runOn> = (command, input) => runOn(first)(command, input);
const there: ReturnType<typeof runOn> = (command, input) => runOn(second)(command, input);

async function registered(type: 'individual' | 'business'): Promise<string> {
  applicants += 1;
  const { id } = await here(createCustomer(first.service.vault), {
    type,
    external_ref: `race-${applicants}`,
    email: 'someone@example.com',
    mobile_number: `+1202555${String(applicants).padStart(4, '0')}`,
  });
  return uuid('customer', id);
}

/** The rows of a table of one customer, oldest first. */
async function rowsOf(table: 'owners' | 'documents', customer: string): Promise<ReplyBody[]> {
  const { rows } = await first.service.pool.query(
    `select * from ${table} where customer_id = $1 order by ${orders[table]}`,
    [customer],
  );
  return rows;
}
const orders = { owners: 'id', documents: 'document_version' };

const one = async (customer: string): Promise<ReplyBody> => {
  const { rows } = await first.service.pool.query('select * from customers where id = $1', [
    customer,
  ]);
  return rows[0];
};

test('the first two customers of a Tenant submit at the same time', async () => {
  const both = [await registered('individual'), await registered('individual')];
  const [a = '', b = ''] = both;
  await Promise.all([here(onboard, { id: a }), there(onboard, { id: b })]);
  for (const id of both) expect((await one(id)).status).toBe('pending');
});

test('a business is approved or gets a new owner that the approval did not see, never both', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const id = await registered('business');
    await here(onboard, { id });
    const [owner] = await rowsOf('owners', id);
    await here(approveOwner, { id: owner.id });
    await here(holdCustomerForReview, { id });
    await here(requestMore, { id });
    const person = { name: 'Late Comer', role: 'owner', ownershipPercent: 50 } as const;
    const outcomes = await Promise.allSettled([
      here(approveCustomer, { id }),
      there(nameOwner, { id, owner: person }),
    ]);
    const [approved, named] = outcomes.map(({ status }) => status === 'fulfilled');
    expect(approved).not.toBe(named);
    const { status, owners_status } = await one(id);
    const became = approved ? ['approved', 'complete'] : ['pending', 'pending'];
    expect([status, owners_status]).toEqual(became);
  }
});

test('owners are not complete when one is named while the last is approved', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const id = await registered('business');
    await here(onboard, { id });
    const [owner] = await rowsOf('owners', id);
    const person = { name: 'Late Comer', role: 'owner', ownershipPercent: 50 } as const;
    const naming = there(nameOwner, { id, owner: person });
    const [approved] = await Promise.allSettled([here(approveOwner, { id: owner.id }), naming]);
    expect(approved.status).toBe('fulfilled');
    // After the approval no owner can be named: the business is complete.
    const all = await rowsOf('owners', id);
    expect((await one(id)).owners_status).toBe(all.length === 1 ? 'complete' : 'pending');
  }
});

test('two owners approved at the same time make the owners complete', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const id = await registered('business');
    await here(onboard, { id });
    const person = { name: 'Second Owner', role: 'owner', ownershipPercent: 50 } as const;
    await here(nameOwner, { id, owner: person });
    const [a, b] = await rowsOf('owners', id);
    await Promise.all([here(approveOwner, { id: a.id }), there(approveOwner, { id: b.id })]);
    expect((await one(id)).owners_status).toBe('complete');
  }
});

test('of two versions published to one customer at the same time only the later is pending', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const customer = await registered('individual');
    await here(onboard, { id: customer });
    const [{ id, document_type }] = await rowsOf('documents', customer);
    await Promise.all([here(publishDocument, { id }), there(publishDocument, { id })]);
    const rows = await rowsOf('documents', customer);
    const ofType = rows.filter((row) => row.document_type === document_type);
    expect(ofType.map(({ status }) => status)).toEqual([
      'accepted',
      'superseded',
      'pending_acceptance',
    ]);
  }
});

test('a customer who submits during a publication has the version accepted or pending', async () => {
  const type = 'cip_notice';
  const { db } = first.service;
  for (let round = 0; round < rounds; round += 1) {
    const customer = await registered('individual');
    await Promise.all([
      here(onboard, { id: customer }),
      there(publishForAll({ db }), { document_type: type, ...newVersion(`${2030 + round}-01`) }),
    ]);
    const { rows } = await first.service.pool.query<{ ref: string }>(
      `select ref from jobs where name = 'publication_spread'`,
    );
    for (const { ref } of rows) {
      const job = documentPublicationJob({ db });
      // One run asks a hundred customers, and there are fewer.
      await here(job, { ref });
      await there(job, { ref });
    }
    const { rows: versions } = await first.service.pool.query<{ in_force: string }>(
      'select in_force from document_versions where document_type = $1',
      [type],
    );
    const documents = await rowsOf('documents', customer);
    const newest = documents.filter((row) => row.document_type === type).at(-1);
    expect(newest.document_version).toBe(versions[0]?.in_force);
  }
});
