import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuid } from '../harness/people.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { openPeople } from './customers.ts';
import { type ModelPerson, openModel } from './model_book.ts';
import { playMove, type Twin } from './model_moves.ts';
import { type Choices, choicesOf, seedOf } from './seeded.ts';
import { openSender } from './sender.ts';

const seed = seedOf(process.env);
const steps = Number(process.env.STEPS ?? 2_000);
const modelMs = 240_000;
const openingCents = 200_000;

/** Unlike each other where a payment depends on it: grace, and who bears which fees. */
const tenants: readonly Partial<Settings>[] = [
  {
    confirmation_grace_seconds: 0,
    fees: [fee('platform', 'consumer_to_merchant', 50, 0, 'payee')],
  },
  {
    confirmation_grace_seconds: 120,
    fees: [
      fee('platform', 'consumer_to_merchant', 29, 30, 'payer'),
      fee('tenant', 'consumer_to_merchant', 150, 10, 'payee'),
      fee('platform', 'merchant_to_merchant', 0, 25, 'payee'),
    ],
  },
];

function fee(
  type: 'platform' | 'tenant',
  payment_type: 'consumer_to_merchant' | 'merchant_to_merchant',
  basis_points: number,
  fixed: number,
  paid_by: 'payer' | 'payee',
): Settings['fees'][number] {
  return { type, payment_type, source: 'balance', basis_points, fixed, paid_by };
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
    ...(await openPeople(sender, 4, 'individual', openingCents)),
    ...(await openPeople(sender, 3, 'business', openingCents)),
  ];
  const people = opened.map(
    (person): ModelPerson => ({
      ...person,
      available: openingCents,
      pending: 0,
      suspended: false,
      spentByDay: new Map(),
    }),
  );
  const [row] = await sender.query<{ settings: Settings }>(
    'select settings from tenants where tenant_id = $1',
  );
  if (!row) throw new Error('the tenant is not there');
  const model = openModel(row.settings, people);
  twins.push({ tenantId, sender, model, accepted: [], nowMs: startMs });
}

beforeAll(async () => {
  house = await startTestService({ workers: false, realNow: () => startMs });
  for (const settings of tenants) await openTwin(settings);
}, modelMs);

// Throws when any invariant of the whole book is violated.
afterAll(() => house.stop(), modelMs);

/** Moves the tenant's clock; the model goes from due instant to due instant (decisions 2.5). */
async function advance(twin: TenantTwin, choices: Choices): Promise<string> {
  const { tenantId, model } = twin;
  const seconds = choices.percent(5) ? 30_000 : choices.below(choices.percent(50) ? 60 : 1_000);
  const targetMs = twin.nowMs + seconds * 1_000 + choices.below(1_000);
  const to = new Date(targetMs).toISOString();
  const { now, pending } = await house.workers.advance.advance(tenantId, { to });
  expect({ now, pending }).toEqual({ now: to, pending: 0 });
  for (let at = model.nextDueMs(); at <= targetMs; at = model.nextDueMs()) model.runDue(at);
  twin.nowMs = targetMs;
  return `the clock goes to ${to}`;
}

/** What the service holds of a tenant, and what the model says that it holds. */
async function compare({ sender, model }: Twin): Promise<void> {
  const balances = await sender.query<{ id: string; available: number; pending: number }>(
    `select account_id as id, available, pending_outgoing as pending from balances
     where tenant_id = $1 and account_id = any($2)`,
    model.people.map(({ accountId }) => accountId),
  );
  const byId = new Map(balances.map((row) => [row.id, row]));
  for (const { accountId, available, pending } of model.people)
    expect(byId.get(accountId)).toEqual({ id: accountId, available, pending });
  const recent = model.payments.slice(-60);
  const rows = await sender.query<{ id: string; status: string; failure_code: string | null }>(
    'select id, status, failure_code from payments where tenant_id = $1 and id = any($2)',
    recent.map(({ id }) => uuid('payment', id)),
  );
  const states = new Map(rows.map((row) => [row.id, [row.status, row.failure_code]]));
  for (const { id, status, failureCode } of recent)
    expect([id, states.get(uuid('payment', id))]).toEqual([id, [status, failureCode]]);
}

test(
  `${steps} random commands of two tenants do to replies, states and balances what the model says, and the whole book holds`,
  async () => {
    const told: string[] = [];
    for (let step = 0; step < steps; step += 1) {
      const choices = choicesOf(seed, `model ${step}`);
      const twin = choices.pick(twins);
      try {
        if (choices.percent(12)) told.push(await advance(twin, choices));
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
