import { randomUUID } from 'node:crypto';
import type { SimulateName } from '@tenant-payments/contract/catalog.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Flow } from '@tenant-payments/contract/resources/sessions.ts';
import { fingerprintOf } from '../../../engine/batch/idempotency.ts';
import { ApiError } from '../../../engine/fail.ts';
import { instantOf } from '../../../engine/time/instant.ts';
import type { ClaimedJobRow } from '../../../engine/work_types.ts';
import { closingJob } from '../../../service/flows/closing.ts';
import { openInbound } from '../../../service/inbound/inbound.ts';
import { type Job, staticJobs } from '../../../service/jobs/registry.ts';
import { closeBankMessage } from '../../../service/rails/bank_messages.ts';
import type { BankOutcome } from '../../../service/rails/facts.ts';
import { adjustAccount } from '../../../service/resources/accounts/adjust.ts';
import {
  placeLegalHold,
  releaseLegalHold,
} from '../../../service/resources/accounts/legal_hold.ts';
import { creditJob } from '../../../service/resources/disputes/deadline_jobs.ts';
import { liabilityMerchant, liabilityPlatform } from '../../../service/resources/disputes/moves.ts';
import { removeLinkedAccount } from '../../../service/resources/linked_accounts/remove.ts';
import { exchangeSession } from '../../../service/resources/sessions/exchange.ts';
import { openFlow, signOfLife, takeResult } from '../../../service/resources/sessions/open_flow.ts';
import { matchSuspense, returnSuspense } from '../../../service/resources/suspense/moves.ts';
import type { Service } from '../../../service/service.ts';
import { resendWebhookEvent } from '../../../service/webhooks/resend.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import { linkBank, openPeople, type Person } from '../customers.ts';
import { openVerbs } from '../races/verbs.ts';
import { openSender, recordOf, type Sender } from '../sender.ts';
import type { Records } from './records.ts';
import { uuidIn } from './results.ts';

const leaseMs = 30_000;

/** Sends without a retry: a refusal is a result, with all that it says; another error is thrown. */
function sendOnce(
  service: Service,
  tenantId: string,
  held: ClaimedJobRow | null,
  keyOfAll?: string,
): Sender['send'] {
  return async (command, input, sending) => {
    const key = keyOfAll ?? sending?.key;
    const fingerprint = fingerprintOf('POST', command.name, input);
    const idempotency = key === undefined ? null : { keyHash: key, fingerprint };
    const submission = { tenantId, input, idempotency, held };
    try {
      const { body, replayed } = await service.engine.submit(command, submission);
      return { code: 'done', text: body, replayed };
    } catch (error) {
      if (!(error instanceof ApiError && error.status < 500)) throw error;
      const { status, code, param, details } = error;
      return { code, refusal: JSON.stringify({ status, code, param, details }) };
    }
  };
}

/** Every job that an operation can run by its name. */
export const jobNames: readonly string[] = [
  ...Object.keys(staticJobs),
  'account_closing',
  'dispute_credit',
].sort();

/** The records that the service makes beside its reply: prefix of the id, table, column that names the record. */
const foundBy = {
  linked_account: ['la', 'linked_accounts', 'customer_id'],
  document: ['dacc', 'documents', 'customer_id'],
  owner: ['own', 'owners', 'customer_id'],
  withdrawal: ['wd', 'withdrawals', 'account_id'],
  event: ['evt', 'events', 'object_id'],
  instruction: ['instruction', 'instructions', 'source_id'],
  suspense: ['suspense', 'suspense', 'source_id'],
  bank_message: ['message', 'bank_messages', 'source_id'],
} as const;

const isPerson = (record: ReplyBody): record is Person => typeof record.accountId === 'string';
const customerIdOf = ({ customerId, id }: ReplyBody): string => customerId ?? id;

/** The uuid of the record that a job is scheduled for. */
function refOf(job: string, record: ReplyBody): string {
  if (isPerson(record)) return record.accountId;
  const { confirmation_session, onboarding_session, id } = record;
  return uuidIn(job === 'session_end' ? (confirmation_session ?? onboarding_session).id : id);
}

let applicants = 0;
function applicant(type: Person['type']) {
  applicants += 1;
  return {
    type,
    external_ref: `customer-${9_000_000 + applicants}`,
    email: 'customer-1@example.com',
    mobile_number: `+1${3_125_550_100 + applicants}`,
  };
}

interface ActorOptions {
  /** Runs between the claim of a job and its run. */
  readonly claimed?: () => Promise<void>;
  /** Idempotency key of every command. */
  readonly key?: string;
}

/** Everything that a step can name; each side of an interleaving has one, on a service of its own. */
export function openActor(service: Service, tenantId: string, options: ActorOptions = {}) {
  const { claimed = async () => {}, key: keyOfAll } = options;
  const sender = openSender([service], tenantId);
  const { commands, query } = sender;
  const send = sendOnce(service, tenantId, null, keyOfAll);
  const verbs = openVerbs({ commands, send }, () => 0);
  const jobs: Readonly<Record<string, Job>> = {
    ...staticJobs,
    account_closing: closingJob(service),
    dispute_credit: creditJob(service),
  };
  const person = async (type: Person['type'], cents: number) =>
    (await openPeople(sender, 1, type, cents))[0];
  const createCustomer = (body: ReturnType<typeof applicant>) =>
    send(commands.createCustomer, body);

  /** Runs a job as a worker does: the row is claimed first, and removed only as it was claimed. */
  async function runJob(name: string, ref: string) {
    const found = jobs[name];
    if (!found) throw new Error(`there is no job ${name}`);
    const lease = instantOf(Date.now() + leaseMs);
    await service.pool.query(
      'update jobs set lease_until = $4 where tenant_id = $1 and name = $2 and ref = $3',
      [tenantId, name, ref, lease],
    );
    await claimed();
    return sendOnce(service, tenantId, { name, ref, lease })(found, { ref });
  }

  return {
    ...verbs,
    query,
    runJob,
    job: (name: string, record: ReplyBody) => runJob(name, refOf(name, record)),
    individual: (cents: number) => person('individual', cents),
    business: (cents: number) => person('business', cents),
    applicant: async (type: Person['type']) => applicant(type),
    key: async () => randomUUID(),
    /** The newest row of this kind that belongs to a record. */
    async found(kind: keyof typeof foundBy, record: ReplyBody) {
      const [prefix, table, column] = foundBy[kind];
      const ref = column === 'account_id' ? record.accountId : uuidIn(customerIdOf(record));
      const [row] = await query<{ id: string }>(
        `select id from ${table} where tenant_id = $1 and ${column} = $2 order by id desc limit 1`,
        ref,
      );
      if (!row) throw new Error(`no row of ${table} where ${column} is ${ref}`);
      return { id: `${prefix}_${row.id.replaceAll('-', '')}` };
    },
    /** Repeats a step under a key. */
    under: (key: string, verb: string, ...given: ReplyBody[]) =>
      methodOf(openActor(service, tenantId, { key }), verb)(...given),

    simulate(event: SimulateName, record: ReplyBody) {
      const id = event.startsWith('customer.')
        ? customerIdOf(record)
        : isPerson(record)
          ? publicId('account', record.accountId)
          : record.id;
      return verbs.simulate(event, { id });
    },
    createCustomer,
    createLike: (body: ReplyBody, other: ReplyBody, field: string) =>
      createCustomer({ ...body, [field]: other[field] }),
    flow: (flow: Exclude<Flow, 'payment_confirm'>, customer: ReplyBody) =>
      send(commands.createSession, { flow, customer_id: customerIdOf(customer) }),
    newSession: (customer: Person, { object: type, id }: ReplyBody) =>
      send(commands.createSession, {
        flow: 'payment_confirm',
        customer_id: customer.customerId,
        target: { type, id },
      }),
    openFlow: ({ confirmation_session: { token } }: ReplyBody) => send(openFlow, { token }),
    signOfLife: ({ bearer }: ReplyBody) => send(signOfLife, { bearer }),
    takeResult: ({ bearer }: ReplyBody) => send(takeResult, { bearer }),
    exchange: ({ result_token }: ReplyBody, key?: string) =>
      send(exchangeSession, { result_token }, key === undefined ? {} : { key }),
    exchangeTestToken: ({ confirmation_session: { id } }: ReplyBody) =>
      send(exchangeSession, { result_token: `rt_test_${id}` }),
    close: (customer: ReplyBody) => verbs.close({ customerId: customerIdOf(customer) }),
    linkBank: (customer: Person) => linkBank(sender, customer),
    link: ({ customerId }: Person) =>
      send(commands.createLinkedAccount, {
        id: customerId,
        public_token: 'public-sandbox-standard',
      }),
    unlink: ({ customerId }: Person, { id }: ReplyBody) =>
      send(removeLinkedAccount, { id: customerId, linked_account_id: id }),
    dispute: ({ customerId }: Person, { id }: ReplyBody) =>
      send(commands.createDispute, {
        customer_id: customerId,
        type: 'unauthorized_transfer',
        payment_id: id,
        description: 'It was not me',
        notice_received_at: '2026-01-20T14:00:00Z',
      }),
    liability: (whose: 'merchant' | 'platform', { id }: ReplyBody) =>
      send(whose === 'merchant' ? liabilityMerchant : liabilityPlatform, { id: uuidIn(id) }),
    adjust: ({ accountId: id }: Person, amount: number) => send(adjustAccount, { id, amount }),
    placeHold: ({ accountId: id }: Person) => send(placeLegalHold, { id }),
    releaseHold: ({ accountId: id }: Person) => send(releaseLegalHold, { id }),
    match: ({ id }: ReplyBody, other?: Person) =>
      send(matchSuspense, { id: uuidIn(id), account_id: other?.accountId ?? null }),
    giveBack: ({ id }: ReplyBody) => send(returnSuspense, { id: uuidIn(id) }),
    closeMessage: ({ id }: ReplyBody) => send(closeBankMessage, { id: uuidIn(id) }),
    resend: ({ id }: ReplyBody) => send(resendWebhookEvent, { id }),
    /** A fact of the bank; the same words are a copy of the same fact. */
    async bank({ id }: ReplyBody, outcome: BankOutcome['outcome'], amount = 0) {
      const said = (
        outcome === 'failed' ? { outcome, reason: 'AC04' } : { outcome, amount }
      ) as BankOutcome;
      const orderId = uuidIn(id);
      const fact = { ...said, id: `${outcome} ${amount} ${orderId}`, orderId };
      const decision = await openInbound({ ...service, asks: false }).bank(tenantId, fact);
      return { code: 'done', text: JSON.stringify(decision), replayed: false } as const;
    },
  };
}
export type Actor = ReturnType<typeof openActor>;

type Method = (...given: readonly ReplyBody[]) => Promise<unknown>;

/** @throws when the actor has no such method */
export function methodOf(actor: Actor, verb: string): Method {
  const method = (actor as unknown as Readonly<Record<string, Method>>)[verb];
  if (!method) throw new Error(`an actor cannot ${verb}`);
  return method;
}

function argumentOf(records: Records, word: string): ReplyBody {
  const [name = '', field] = word.split('/');
  const record = records[name];
  if (record === undefined) return /^-?\d+$/.test(word) ? Number(word) : word;
  return field === undefined ? record : record[field];
}

export const stepsOf = (text: string): string[] => text.trim().split(/,\s*/);

/** Runs a step: a method with names of records, `record/field`, numbers or words. */
export async function perform(actor: Actor, records: Records, step: string): Promise<unknown> {
  const [verb = '', ...words] = step.split(' ');
  return methodOf(actor, verb)(...words.map((word) => argumentOf(records, word)));
}

/** Makes the records of a scenario; `name = step` keeps a result. @throws when a step is refused */
export async function setUp(actor: Actor, steps: string): Promise<Records> {
  const records: Record<string, ReplyBody> = {};
  for (const step of stepsOf(steps)) {
    const [made = '', name] = step.split(' = ').reverse();
    const result = (await perform(actor, records, made)) as ReplyBody;
    const isOutcome = typeof result === 'object' && 'code' in result;
    if (isOutcome && result.code !== 'done') throw new Error(`${step}: ${JSON.stringify(result)}`);
    if (name !== undefined) records[name] = isOutcome ? recordOf(result) : result;
  }
  return records;
}
