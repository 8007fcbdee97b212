import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultSettings, type Settings } from '@tenant-payments/contract/core/settings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../harness/service.ts';
import { openPeople } from './customers.ts';
import { openModel } from './model_book.ts';
import { playMove } from './model_moves.ts';
import { learnPayouts, newcomer, openingCents } from './model_moves_money.ts';
import type { Twin } from './model_play.ts';
import { dayMs } from './model_types.ts';
import { type Choices, choicesOf, seedOf } from './seeded.ts';
import { openSender } from './sender.ts';

const seed = seedOf(process.env);
const steps = Number(process.env.STEPS ?? 1_500);
const modelMs = 240_000;

const { limits } = defaultSettings('');
const few = (individual: number, business: number) => ({ individual, business });

/** Unlike each other where money depends on it: grace, limits, and who bears which fees. */
const tenants: readonly Partial<Settings>[] = [
  {
    confirmation_grace_seconds: 0,
    fees: [fee('platform', 'consumer_to_merchant', 50, 0, 'payee')],
    limits: {
      ...limits,
      payment_daily: few(150_000, 300_000),
      withdrawal_daily: few(60_000, 120_000),
    },
  },
  {
    confirmation_grace_seconds: 120,
    fees: [
      fee('platform', 'consumer_to_merchant', 29, 30, 'payer'),
      fee('tenant', 'consumer_to_merchant', 150, 10, 'payee'),
      fee('platform', 'merchant_to_merchant', 0, 25, 'payee'),
      fee('platform', 'consumer_to_merchant', 30, 5, 'payee', 'bank_account'),
    ],
  },
];

function fee(
  type: 'platform' | 'tenant',
  payment_type: 'consumer_to_merchant' | 'merchant_to_merchant',
  basis_points: number,
  fixed: number,
  paid_by: 'payer' | 'payee',
  source: 'balance' | 'bank_account' = 'balance',
): Settings['fees'][number] {
  return { type, payment_type, source, basis_points, fixed, paid_by };
}

/** The machine's clock stands still, so that a tenant's clock goes only where an advance moves it. */
const startMs = Date.UTC(2026, 10, 20, 15);

/** A tenant with the time that its clock shows. */
interface TenantTwin extends Twin {
  readonly tenantId: string;
  nowMs: number;
}

let house: TestService;
const twins: TenantTwin[] = [];

async function openTwin(settings: Partial<Settings>): Promise<void> {
  const { tenantId } = await house.anotherTenant({ settings });
  const sender = openSender([house.service], tenantId);
  const opened = [
    ...(await openPeople(sender, 4, 'individual', openingCents.individual)),
    ...(await openPeople(sender, 3, 'business', openingCents.business)),
  ];
  const [row] = await sender.query<{ settings: Settings }>(
    'select settings from tenants where tenant_id = $1',
  );
  if (!row) throw new Error('the tenant is not there');
  const model = openModel(row.settings, opened.map(newcomer));
  twins.push({ tenantId, sender, model, accepted: [], nowMs: startMs });
}

beforeAll(async () => {
  house = await startTestService({ workers: false, realNow: () => startMs });
  for (const settings of tenants) await openTwin(settings);
}, modelMs);

// Throws when any invariant of the whole book is violated.
afterAll(() => house.stop(), modelMs);

/** After so long an account without movement becomes dormant, of which the model knows nothing. */
const longestMs = 330 * dayMs;

/**
 * Mostly within the life of a session; rarely past the day of a limit, or to just before or after the
 * end of refunds that wait for money.
 */
function secondsOf({ nowMs, model }: TenantTwin, choices: Choices): number {
  const isRare = choices.percent(model.refunds.some(({ waitingMs }) => waitingMs) ? 12 : 2);
  if (isRare && nowMs - startMs < longestMs - 35 * dayMs)
    return choices.pick([29.6 * 86_400, 0.5 * 86_400, 31 * 86_400]);
  if (choices.percent(5)) return 30_000;
  return choices.below(choices.percent(65) ? 60 : 1_000);
}

/** Moves the tenant's clock; the model goes from due instant to due instant (decisions 2.5). */
async function advance(twin: TenantTwin, choices: Choices): Promise<string> {
  const { tenantId, model } = twin;
  const seconds = secondsOf(twin, choices);
  const targetMs = twin.nowMs + seconds * 1_000 + choices.below(1_000);
  const to = new Date(targetMs).toISOString();
  const { now, pending } = await house.workers.advance.advance(tenantId, { to });
  expect({ now, pending }).toEqual({ now: to, pending: 0 });
  for (let at = model.nextDueMs(); at <= targetMs; at = model.nextDueMs()) model.runDue(at);
  twin.nowMs = targetMs;
  return `the clock goes to ${to}`;
}

/** Compares the latest records of a kind, by status and reason. */
async function compareRecords({ sender, model }: Twin): Promise<void> {
  for (const kind of ['payment', 'withdrawal', 'refund'] as const) {
    const recent = model[`${kind}s`]
      .slice(-40)
      .map((one) => ({ ...one, uuid: uuidOf(kind, one.id) }));
    const rows = await sender.query<{ id: string; status: string; failure_code: string | null }>(
      `select id, status, failure_code from ${kind}s where tenant_id = $1 and id = any($2)`,
      recent.map(({ uuid }) => uuid),
    );
    const found = new Map(rows.map((row) => [row.id, [row.status, row.failure_code]]));
    for (const { id, uuid, status, failureCode } of recent)
      expect([id, found.get(uuid ?? '')]).toEqual([id, [status, failureCode]]);
  }
}

/** What the service holds of a tenant, and what the model says that it holds. */
async function compare(twin: Twin): Promise<void> {
  const { sender, model } = twin;
  await learnPayouts(twin);
  const accounts = await sender.query<{ id: string }>(
    `select account_id as id, available, pending_outgoing as pending, earmarked, status
     from balances b join accounts a on a.tenant_id = b.tenant_id and a.id = b.account_id
     where b.tenant_id = $1 and account_id = any($2)`,
    model.people.map(({ accountId }) => accountId),
  );
  const byId = new Map(accounts.map((row) => [row.id, row]));
  for (const { accountId: id, available, pending, earmarked, status } of model.people)
    expect(byId.get(id)).toEqual({ id, available, pending, earmarked, status });
  await compareRecords(twin);
}

test(
  `${steps} random commands of two tenants do to replies, states and balances what the model says, and the whole book holds`,
  async () => {
    const told: string[] = [];
    for (let step = 0; step < steps; step += 1) {
      const choices = choicesOf(seed, `model ${step}`);
      const twin = choices.pick(twins);
      try {
        if (choices.percent(10)) told.push(await advance(twin, choices));
        else {
          const move = await playMove(twin, choices, twin.nowMs);
          if (!move) continue;
          told.push(`${move.told}: ${move.actual}`);
          expect(move.actual).toBe(move.expected);
          // What a command brought is due at once; a worker would run it within a second.
          await house.workers.due.runDueNow(twin.tenantId);
        }
        await compare(twin);
      } catch (cause) {
        const { message } = cause as Error;
        const story = told.slice(-12).join('\n');
        throw new Error(`step ${step}, SEED=${seed}: ${message}\nafter:\n${story}`, { cause });
      }
    }
  },
  modelMs,
);
