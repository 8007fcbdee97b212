import {
  type RequestUse,
  requestUses,
  useOfPayment,
} from '@tenant-payments/contract/core/request_uses.ts';
import { firstIdAt, lastIdAt } from '@tenant-payments/engine/new_id.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { PaymentRow } from './payments/table.ts';

/** Requests for Payment of a time, by how they stand now (rules/request-uses#6). */
export interface RequestVolume {
  readonly use_case: RequestUse;
  readonly sent: number;
  readonly paid: number;
  /** By the customer or their bank, without those that opted out. */
  readonly refused: number;
  readonly opted_out: number;
  readonly expired: number;
}
type Counts = Omit<RequestVolume, 'use_case'>;

interface Found extends Counts {
  /** Null: loads. */
  readonly type: PaymentRow['type'] | null;
  readonly invoiced: boolean;
}

const failedBy = (code: string) => sql`count(*) filter (where failure_code = ${code})::int`;

const counts = sql`count(*)::int as sent,
  count(*) filter (where status not in ('processing', 'failed'))::int as paid,
  count(*) filter (where status = 'failed'
    and failure_code not in ('customer_opted_out', 'request_expired'))::int as refused,
  ${failedBy('customer_opted_out')} as opted_out, ${failedBy('request_expired')} as expired`;

/** The longest time from making a request to confirming it, by which its id is found. */
const madeBeforeMs = 24 * 3_600_000;

function during(tenantId: string, from: Instant, to: Instant): RawBuilder<unknown> {
  const first = firstIdAt(instantOf(Date.parse(from) - madeBeforeMs));
  return sql`tenant_id = ${tenantId} and id >= ${first} and id <= ${lastIdAt(to)}
    and confirmed_at >= ${from} and confirmed_at < ${to}`;
}

const none: Counts = { sent: 0, paid: 0, refused: 0, opted_out: 0, expired: 0 };

const sum = (one: Counts, other: Counts): Counts => ({
  sent: one.sent + other.sent,
  paid: one.paid + other.paid,
  refused: one.refused + other.refused,
  opted_out: one.opted_out + other.opted_out,
  expired: one.expired + other.expired,
});

/** Counts a Tenant's requests that were confirmed in a time of its clock, for each use. */
export async function readVolumes(
  db: Kysely<Database>,
  tenantId: string,
  from: Instant,
  to: Instant,
): Promise<readonly RequestVolume[]> {
  const { rows } = await sql<Found>`
    select null as type, false as invoiced, ${counts} from loads where ${during(tenantId, from, to)}
    union all select type, invoice_reference is not null, ${counts} from payments
      where ${during(tenantId, from, to)} and source = 'bank_account'
      group by type, invoice_reference is not null`.execute(db);
  const useOf = ({ type, invoiced }: Found) =>
    type === null ? 'account_to_account' : useOfPayment(type, invoiced ? 'an invoice' : null);
  return requestUses.map((use_case) => ({
    use_case,
    ...rows.filter((row) => useOf(row) === use_case).reduce<Counts>(sum, none),
  }));
}

/** All uses together. */
export const totalOf = (volumes: readonly Counts[]): Counts => volumes.reduce(sum, none);

/** From so many requests of a day on a share says something. */
const fromRequests = 50;
/** Shares of a day, in percent, above which the networks ask questions. */
const most = { refused: 20, opted_out: 1 } as const;

/** Why a person must look at the requests of a day; empty: nobody must. */
export function concerns(volumes: readonly Counts[]): readonly (keyof typeof most)[] {
  const total = totalOf(volumes);
  if (total.sent < fromRequests) return [];
  return (Object.keys(most) as (keyof typeof most)[]).filter(
    (of) => total[of] * 100 > most[of] * total.sent,
  );
}
