import type { SimulateName } from '@tenant-payments/contract/catalog.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { Target, TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import { fingerprintOf } from '../../../service/core/batch/idempotency.ts';
import type { Command } from '../../../service/core/command.ts';
import { ApiError } from '../../../service/core/fail.ts';
import { instantOf } from '../../../service/core/instant.ts';
import type { ClaimedJobRow } from '../../../service/core/work_types.ts';
import { openInbound } from '../../../service/inbound/inbound.ts';
import { type Job, staticJobs } from '../../../service/jobs/registry.ts';
import type { BankOutcome } from '../../../service/rails/facts.ts';
import { creditJob } from '../../../service/resources/disputes/deadline_jobs.ts';
import { removeLinkedAccount } from '../../../service/resources/linked_accounts/remove.ts';
import type { Service } from '../../../service/service.ts';
import type { ReplyBody } from '../../kit/http.ts';
import { uuid } from '../../kit/ids.ts';
import { linkBank, openPeople, type Person } from '../customers.ts';
import { openVerbs, type Verbs } from '../races/verbs.ts';
import { type Outcome, openSender, recordOf, type Sender } from '../sender.ts';

/** What came of an operation: a reply, a refusal with all that it says, or a fault of ours. */
export type Told =
  | { readonly code: 'done'; readonly text: string; readonly replayed: boolean }
  | { readonly code: string; readonly refusal: string };

/** Whoever acts in a race: each side has one, on a service of its own. */
export interface Actor extends Verbs {
  readonly service: Service;
  readonly tenantId: string;
  readonly commands: Sender['commands'];
  /** Runs a command, with a key where it is given one. */
  run<I, L, P>(command: Command<I, L, P>, input: NoInfer<I>, key?: string): Promise<Outcome>;
  /** Runs a job as whoever has claimed it. */
  runJob(name: string, ref: string): Promise<Outcome>;
  /** What the reviewer or a provider does to an account, or to its customer. */
  toAccount(event: SimulateName, person: Person): Promise<Outcome>;
  toCustomer(event: SimulateName, person: Person): Promise<Outcome>;
  newSession(customer: Person, type: TargetType, record: ReplyBody): Promise<Outcome>;
  link(person: Person): Promise<Outcome>;
  unlink(person: Person, link: ReplyBody): Promise<Outcome>;
  notice(customer: Person, payment: ReplyBody): Promise<Outcome>;
  /** A fact of the outside, under its own name: a copy is the same fact. */
  bankFact(orderId: string, name: string, told: BankOutcome): Promise<Outcome>;
}

/** Records by what they are called in the scene: people, what the service replied, and uuids. */
export type Cast = Readonly<Record<string, ReplyBody>>;

export type Act<C> = (actor: Actor, cast: C) => Promise<unknown>;

/** A record in one of its states with all that stands around it, and what can happen to it. */
export interface Scene<C = Cast> {
  readonly name: string;
  readonly settings?: Partial<Settings>;
  /** How long everybody waits after it was made; what falls due meanwhile is not run. */
  readonly lateSeconds?: number;
  /** True: what making it has brought at once is still due, so that it meets the acts. */
  readonly isFresh?: boolean;
  /** True: every event has its delivery, which nobody makes. */
  readonly delivers?: boolean;
  build(stage: Stage): Promise<C>;
  readonly acts: Readonly<Record<string, Act<C>>>;
}

/** A scene whose acts know its cast. In the list it is one of many. */
export const scene = <C extends Cast>(parts: Scene<C>): Scene => parts as unknown as Scene;

/** What makes a scene, on a service without a gate. */
export interface Stage extends Actor {
  /** An approved customer; one with cents has a linked bank too. */
  person(type: Person['type'], cents: number): Promise<Person>;
  /** A bank that can do everything, verified. */
  linkBank(person: Person): Promise<void>;
  query: Sender['query'];
  /** The uuid of the newest row that the service made beside what it replied. */
  found(table: string, column: string, ref: string): Promise<string>;
}

/** A refusal in one line; ids and times are taken out later. */
const refusalOf = ({ status, code, param, details }: ApiError): string =>
  JSON.stringify({ status, code, param, details });

const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500;

const leaseMs = 30_000;

/** Sends without trying again: a refusal and a fault are outcomes, and both are compared. */
function sendingTo(
  service: Service,
  tenantId: string,
  held: ClaimedJobRow | null = null,
): Sender['send'] {
  return async (command, input, { key } = {}) => {
    const fingerprint = fingerprintOf('POST', command.name, input);
    const idempotency = key === undefined ? null : { keyHash: key, fingerprint };
    try {
      const { body, replayed } = await service.engine.submit(command, {
        tenantId,
        input,
        idempotency,
        held,
      });
      return { code: 'done', text: body, replayed };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { code: error.code, refusal: refusalOf(error) };
    }
  };
}

/** Every job that an act or a drain can run by its name. */
export const jobNames: readonly string[] = [...Object.keys(staticJobs), 'dispute_credit'].sort();

/** Jobs that look into the database before they decide are bound to a service. */
const jobsOf = ({ db, log }: Service): Readonly<Record<string, Job>> => ({
  ...staticJobs,
  dispute_credit: creditJob({ db, log }),
});

/** @param claimed what happens between a job's claim and its run */
export function openActor(
  service: Service,
  tenantId: string,
  claimed: () => Promise<void> = async () => {},
): Actor {
  const sender = openSender([service], tenantId);
  const send = sendingTo(service, tenantId);
  const simulate: Sender['simulate'] = (event, object_id, { failure_code, ...sending } = {}) =>
    send(
      sender.commands.simulate,
      { event, object_id, ...(failure_code ? { failure_code } : {}) },
      sending,
    );
  const known = jobsOf(service);
  const inbound = openInbound(service);
  return {
    ...openVerbs({ ...sender, send, simulate }, () => 0),
    service,
    tenantId,
    commands: sender.commands,
    run: (command, input, key) => send(command, input, key === undefined ? {} : { key }),
    runJob: async (name, ref) => {
      const found = known[name];
      if (!found) throw new Error(`there is no job ${name}`);
      // As a worker runs it: the row is claimed first, and only as it was claimed taken away.
      const lease = instantOf(Date.now() + leaseMs);
      await service.pool.query(
        'update jobs set lease_until = $4 where tenant_id = $1 and name = $2 and ref = $3',
        [tenantId, name, ref, lease],
      );
      await claimed();
      return sendingTo(service, tenantId, { name, ref, lease })(found, { ref });
    },
    toAccount: (event, { accountId }) => simulate(event, publicId('account', accountId)),
    toCustomer: (event, { customerId }) => simulate(event, customerId),
    newSession: ({ customerId }, type, { id }) => {
      const target: Target = { type, id };
      return send(sender.commands.createSession, {
        flow: 'payment_confirm',
        customer_id: customerId,
        target,
      });
    },
    link: ({ customerId }) =>
      send(sender.commands.createLinkedAccount, {
        id: customerId,
        public_token: 'public-sandbox-standard',
      }),
    unlink: ({ customerId }, { id }) =>
      send(removeLinkedAccount, { id: customerId, linked_account_id: id }),
    notice: ({ customerId }, { id }) =>
      send(sender.commands.createDispute, {
        customer_id: customerId,
        type: 'unauthorized_transfer',
        payment_id: id,
        description: 'It was not me',
        notice_received_at: '2026-01-20T14:00:00Z',
      }),
    bankFact: async (orderId, name, told) => {
      const verdict = await inbound.bank(tenantId, { ...told, id: `${name} ${orderId}`, orderId });
      return { code: 'done', text: JSON.stringify(verdict), replayed: false };
    },
  };
}

export function openStage(service: Service, tenantId: string): Stage {
  const sender = openSender([service], tenantId);
  return {
    ...openActor(service, tenantId),
    query: sender.query,
    async found(table, column, ref) {
      const [row] = await sender.query<{ id: string }>(
        `select id from ${table} where tenant_id = $1 and ${column} = $2 order by id desc limit 1`,
        ref,
      );
      if (!row) throw new Error(`no row of ${table} where ${column} is ${ref}`);
      return row.id;
    },
    linkBank: (person) => linkBank(sender, person),
    async person(type, cents) {
      const [person] = await openPeople(sender, 1, type, cents);
      if (!person) throw new Error('nobody was made');
      return person;
    },
  };
}

/** The uuid of the session that a record was made with. */
export const sessionOf = (record: ReplyBody): string =>
  uuid('session', record.confirmation_session.id);

/** As they are in a race's first reply. */
export { recordOf };
