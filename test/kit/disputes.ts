import { openInbound } from '../../service/inbound/inbound.ts';
import type { BankOutcome } from '../../service/rails/facts.ts';
import type { ReplyBody } from './http.ts';
import { uuid } from './ids.ts';
import type { Person } from './person.ts';
import { startTestServer, type TestServer } from './server.ts';
import { openWire, type Wire } from './wire.ts';

/** What tests of disputes do and look at. */
export interface DisputeDesk {
  readonly server: TestServer;
  readonly wire: Wire;
  /** A payment from a balance, confirmed. */
  paid(payer: Person, payee: Person, amount: number): Promise<ReplyBody>;
  /** Forwards a notice of a customer, an hour old: an unauthorized transfer unless `more` says else. */
  notice(customer: Person, more: object): Promise<ReplyBody>;
  /** Simulates `dispute.<step>`, one after the other; each must be accepted. */
  play(dispute: ReplyBody, ...steps: string[]): Promise<void>;
  /** The dispute as the API shows it now, and with its case as the portal does. */
  shown(dispute: ReplyBody): Promise<ReplyBody>;
  case(dispute: ReplyBody): Promise<ReplyBody>;
  /** What was posted of it: step, pocket, cents, and the Transaction's type where it is one. */
  entries(dispute: ReplyBody): Promise<string[]>;
  balances(...people: Person[]): Promise<{ available: number; earmarked: number }[]>;
  transactions(person: Person, type: string): Promise<ReplyBody[]>;
  /** Takes money out of an account, to its bank. */
  drain(person: Person, amount: number): Promise<void>;
  /** Runs what is due. */
  settle(): Promise<void>;
  /** Moves the tenant's clock to an instant, with all that falls due up to there. */
  until(instant: string): Promise<void>;
  /** So many seconds from now, on the tenant's clock. */
  at(seconds: number): string;
  /** The bank says what became of a credit that was sent to it. */
  tellBank(dispute: ReplyBody, outcome: BankOutcome): Promise<void>;
  /** The sums of a dispute that are held in suspense. */
  suspended(dispute: ReplyBody): Promise<number[]>;
  unlink(person: Person): Promise<void>;
  /** The alarms that the log held of a dispute since the last look, by name. */
  alarms(dispute: ReplyBody): string[];
}

export async function openDisputeDesk(): Promise<DisputeDesk> {
  const lines: string[] = [];
  const server = await startTestServer({ manual: true, onLog: (line) => lines.push(line) });
  const wire = openWire(server);
  const { service, workers, tenant } = server;
  const { tenantId } = tenant;
  const { pool } = service;
  await server.engine.change({ confirmation_grace_seconds: 0, fees: [] });
  const inbound = openInbound(service);
  const query = async <Row extends object>(text: string, ...more: unknown[]) =>
    (await pool.query<Row>(text, [tenantId, ...more])).rows;
  const { rows } = await pool.query<{ offset_ms: number }>(
    'select clock_offset_ms as offset_ms from tenants where tenant_id = $1',
    [tenantId],
  );
  let offsetMs = Number(rows[0]?.offset_ms ?? 0);
  const at = (seconds: number) =>
    new Date(service.clocks.realNow() + offsetMs + seconds * 1000).toISOString();
  const advance = wire.advance;

  const listed = async (path: string, { id }: ReplyBody): Promise<ReplyBody> => {
    const { data } = await wire.get(path);
    return data.find((one: ReplyBody) => one.id === id);
  };

  return {
    server,
    wire: {
      ...wire,
      advance: async (seconds) => {
        offsetMs += seconds * 1000;
        return advance(seconds);
      },
    },
    at,
    async paid(payer, payee, amount) {
      const payment = await wire.pay(payer, { payee_customer_id: payee.customerId, amount });
      await wire.confirm(payment);
      return payment;
    },
    notice: ({ customerId }, more) =>
      wire.post('/v1/disputes', {
        customer_id: customerId,
        type: 'unauthorized_transfer',
        description: 'It was not me',
        notice_received_at: at(-3600),
        ...more,
      }),
    async play({ id }, ...steps) {
      for (const step of steps) {
        const reply = await wire.simulate(`dispute.${step}`, id);
        if (reply.status !== 'accepted') throw new Error(`${step}: ${JSON.stringify(reply)}`);
      }
    },
    shown: (dispute) =>
      listed(`/v1/disputes?limit=100&customer_id=${dispute.customer_id}`, dispute),
    case: (dispute) => listed('/portal/api/disputes?limit=100', dispute),
    async entries({ id }) {
      const entries = await query<{ line: string }>(
        `select concat_ws(' ', step, pocket, delta, transaction_type) as line from entries
         where tenant_id = $1 and source_id = $2 order by id`,
        uuid('dispute', id),
      );
      return entries.map(({ line }) => line);
    },
    balances: (...people) =>
      Promise.all(
        people.map(async (person) => {
          const { available, earmarked } = await wire.balanceOf(person);
          return { available, earmarked };
        }),
      ),
    transactions: async ({ accountId }, type) =>
      (await wire.get(`/v1/accounts/${accountId}/transactions?type=${type}`)).data,
    async drain(person, amount) {
      const withdrawal = await wire.withdraw(person, amount);
      await wire.confirm(withdrawal);
      await wire.simulate('withdrawal.settled', withdrawal.id);
    },
    settle: () => workers.jobs.runDueJobs(tenantId),
    async until(to) {
      const { now } = await wire.post('/portal/api/clock/advance', { to });
      if (now === undefined) throw new Error(`the clock does not go to ${to}`);
      offsetMs = Date.parse(now) - service.clocks.realNow();
    },
    async tellBank({ id }, outcome) {
      const [order] = await query<{ id: string }>(
        'select id from instructions where tenant_id = $1 and source_id = $2',
        uuid('dispute', id),
      );
      const verdict = await inbound.bank(tenantId, {
        id: `fact ${id}`,
        orderId: order?.id ?? '',
        ...outcome,
      });
      if (verdict !== 'taken') throw new Error(`the bank's answer was ${verdict}`);
    },
    suspended: async ({ id }) => {
      const held = await query<{ amount: number }>(
        `select amount from suspense where tenant_id = $1 and source_id = $2 and status = 'held'`,
        uuid('dispute', id),
      );
      return held.map(({ amount }) => Number(amount));
    },
    async unlink({ customerId, linkedAccountId }) {
      const path = `/v1/customers/${customerId}/linked-accounts/${linkedAccountId}`;
      await server.call('DELETE', path);
    },
    alarms({ id }) {
      const said = lines.map((line) => JSON.parse(line));
      const own = said.filter(({ dispute_id }) => dispute_id === uuid('dispute', id));
      lines.length = 0;
      return own.map(({ alarm }) => String(alarm));
    },
  };
}
