import { type IdKind, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import { type Command, command } from '../../service/core/command.ts';
import { ApiError } from '../../service/core/fail.ts';
import { completeConfirmation } from '../../service/flows/complete.ts';
import { readTarget } from '../../service/flows/confirm.ts';
import { decline, leave } from '../../service/flows/end_session.ts';
import { openPages } from '../../service/http/pages.ts';
import type { Aggregator } from '../../service/rails/aggregator.ts';
import { createCustomer } from '../../service/resources/customers/create.ts';
import { approveCustomer } from '../../service/resources/customers/moves.ts';
import { readOnboarding, submitOnboarding } from '../../service/resources/customers/onboarding.ts';
import { approveOwner } from '../../service/resources/customers/owners/moves.ts';
import { createLinkedAccount } from '../../service/resources/linked_accounts/create.ts';
import { verifyLink } from '../../service/resources/linked_accounts/moves.ts';
import { createLoad } from '../../service/resources/loads/create.ts';
import { settleLoad } from '../../service/resources/loads/moves.ts';
import { sessions } from '../../service/resources/sessions/table.ts';
import { openSandboxAggregator } from '../../service/sandbox/aggregator.ts';
import { sampleSubmission } from '../../service/sandbox/sample_submission.ts';
import type { ReadContext } from '../../service/service.ts';
import type { ReplyBody } from './http.ts';
import { startTestService, type TestService, type TestServiceOptions } from './server.ts';

/** The uuid behind a wire id that a reply showed. */
export function uuid(kind: IdKind, id: string): string {
  const found = uuidOf(kind, id);
  if (found === null) throw new Error(`${id} is no id of a ${kind}`);
  return found;
}

/** A refusal as a test states it. */
export interface Refused {
  readonly code: string;
  readonly param: string | null;
  readonly details: unknown;
}

/** What the customer does in the hosted pages, without its session. */
export const onboard = command('onboard', {
  load: (read, { id }: { id: string }) => readOnboarding(read, id),
  decide: (work, rows) => {
    const first = rows.pin ? {} : { pinHash: 'a hash' };
    submitOnboarding(work, rows, { ...sampleSubmission(rows.customer), ...first });
    return { record: rows.customer };
  },
});

type Ending = 'confirm' | 'decline' | 'leave';

/** What the customer does with a record that waits for it, in its hosted session. */
export const answer = (ending: Ending, type: TargetType = 'load') =>
  command('answer', {
    load: async (read, { id }: { id: string }) => {
      const target = await readTarget(read, type, id);
      return { target, session: await read.one(sessions, target.sessionId ?? '') };
    },
    decide: (work, { target, session }) => {
      if (ending === 'confirm') completeConfirmation(work, session, target);
      else if (ending === 'decline') decline(work, session, target);
      else leave(work, session, target);
      return { value: target.status() };
    },
  });

/** A service whose commands a test runs one by one, as one tenant and without workers. */
export interface House {
  /** The sandbox's, as the service under test has it. */
  readonly aggregator: Aggregator;
  readonly test: TestService;
  /** Runs a command and gives its reply. @throws ApiError */
  run<I, L, P>(command: Command<I, L, P>, input: NoInfer<I>): Promise<ReplyBody>;
  /** Runs a command that must be refused. */
  refusal<I, L, P>(command: Command<I, L, P>, input: NoInfer<I>): Promise<Refused>;
  /** Where reads look, as the route `path` with this query would hand it on. */
  context(path?: string, query?: object): ReadContext;
  change(settings: Partial<Settings>): Promise<void>;
  /** Moves the tenant's clock; nothing that falls due meanwhile is run. */
  advance(seconds: number): Promise<void>;
  /** The types of a record's events, in order. */
  events(id: string): Promise<string[]>;
  /** The jobs of a record. */
  jobs(id: string): Promise<{ name: string; due_at: string }[]>;
  customer(type: 'individual' | 'business', more?: Partial<Applicant>): Promise<ReplyBody>;
  /** A customer who is approved; `bank` links and verifies an account of it. */
  approved(type: 'individual' | 'business', bank?: string): Promise<Person>;
  /** Links and verifies a further account. @returns its id */
  link(person: Person, bank: string): Promise<string>;
  /** Loads a person's account from its linked bank. */
  fund(person: Person, cents: number): Promise<void>;
}

interface Applicant {
  readonly external_ref: string;
  readonly mobile_number: string;
  readonly prefill: { first_name?: string; last_name?: string; legal_name?: string };
}

export interface Person {
  /** As the wire writes them. */
  readonly customerId: string;
  readonly accountId: string;
  readonly linkedAccountId: string | null;
}

const names = {
  individual: { first_name: 'Ana', last_name: 'Reyes' },
  business: { legal_name: 'Corner Cafe LLC' },
};

/** Numbers that exist in no exchange; each customer needs one of its own. */
const mobileOf = (index: number) => `+1202${5_550_100 + index}`;

/** Time runs, but from a morning in New York on: no test meets a midnight that it did not ask for. */
function sinceMorning(): () => number {
  const begun = Date.now();
  return () => Date.parse('2026-01-20T15:00:00Z') + Date.now() - begun;
}

export async function openHouse(
  options: Pick<TestServiceOptions, 'onLog' | 'database' | 'realNow'> = {},
): Promise<House> {
  const realNow = sinceMorning();
  const test = await startTestService({ workers: false, realNow, ...options });
  const { engine, pool, db, vault, clocks } = test.service;
  const { tenantId } = test.tenant;
  const aggregator = openSandboxAggregator();
  let applicants = 0;

  const run: House['run'] = async (what, input) =>
    JSON.parse((await engine.submit(what, { tenantId, input })).body);

  const refusal: House['refusal'] = async (what, input) => {
    try {
      await run(what, input);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { code: error.code, param: error.param, details: error.details };
    }
    throw new Error('the command was accepted');
  };

  async function now(): Promise<string> {
    const facts = await db
      .selectFrom('tenants')
      .where('tenant_id', '=', tenantId)
      .select(['clock_offset_ms', 'clock_at'])
      .executeTakeFirstOrThrow();
    return clocks.at(tenantId, facts).now;
  }

  const update = (set: string, value: unknown) =>
    pool.query(`update tenants set ${set}, revision = revision + 1 where tenant_id = $1`, [
      tenantId,
      value,
    ]);

  const customer: House['customer'] = (type, more = {}) => {
    applicants += 1;
    return run(createCustomer(vault), {
      type,
      external_ref: `ref-${applicants}`,
      email: 'someone@example.com',
      mobile_number: mobileOf(applicants),
      prefill: names[type],
      ...more,
    });
  };

  async function approveOwners(customerId: string): Promise<void> {
    const { rows } = await pool.query<{ id: string }>(
      'select id from owners where tenant_id = $1 and customer_id = $2',
      [tenantId, customerId],
    );
    for (const { id } of rows) await run(approveOwner, { id });
  }

  async function link(customerId: string, bank: string): Promise<string> {
    const linked = await run(createLinkedAccount(aggregator, vault), {
      id: customerId,
      public_token: `public-sandbox-${bank}`,
    });
    await run(verifyLink, { id: uuid('linked_account', linked.id) });
    return linked.id;
  }

  const approved: House['approved'] = async (type, bank) => {
    const created = await customer(type);
    const id = uuid('customer', created.id);
    await run(onboard, { id });
    await approveOwners(id);
    const { account_id } = await run(approveCustomer, { id });
    const linkedAccountId = bank === undefined ? null : await link(created.id, bank);
    return { customerId: created.id, accountId: account_id, linkedAccountId };
  };

  const fund: House['fund'] = async ({ customerId }, amount) => {
    const load = await run(createLoad, { customer_id: customerId, amount });
    const id = { id: uuid('load', load.id) };
    await run(answer('confirm'), id);
    await run(settleLoad, id);
  };

  return {
    test,
    aggregator,
    fund,
    link: ({ customerId }, bank) => link(customerId, bank),
    run,
    refusal,
    customer,
    approved,
    context: (path = '/', query = {}) => ({
      tenantId,
      db,
      now,
      pages: openPages(vault, tenantId, path, query),
    }),
    change: async (settings) =>
      void (await update('settings = settings || $2', JSON.stringify(settings))),
    advance: async (seconds) =>
      void (await update('clock_offset_ms = clock_offset_ms + $2::bigint', seconds * 1000)),
    events: async (id) => {
      const { rows } = await pool.query<{ type: string }>(
        'select type from events where tenant_id = $1 and object_id = $2 order by version',
        [tenantId, id],
      );
      return rows.map(({ type }) => type);
    },
    jobs: async (id) => {
      const { rows } = await pool.query<{ name: string; due_at: string }>(
        'select name, due_at from jobs where tenant_id = $1 and ref = $2 order by name',
        [tenantId, id],
      );
      return rows;
    },
  };
}
