import { arrayParameter } from '../database/binary.ts';
import type { Entity } from '../entity.ts';
import type { Entry } from '../ledger.ts';
import type { Statement } from './sql.ts';

const keyOf = (tenantId: string, accountId: unknown) => `${tenantId}|${accountId}`;
const keyOfAccount = ({ tenantId, row }: Entity) => keyOf(tenantId, row.id);

/** Whether a row is an account to which the entries post: its balance proves its revision. */
export function postedTo(entries: readonly Entry[]): (entity: Entity) => boolean {
  const accounts = new Set(entries.map((entry) => keyOf(entry.tenantId, entry.accountId)));
  return (entity) => entity.table.proof === 'balance' && accounts.has(keyOfAccount(entity));
}

/** Carries the revisions of changed accounts over to their balances. */
export const reviseBalances = (accounts: readonly Entity[]): Statement => ({
  name: 'revise balances',
  text: `with done as (update balances t set account_revision = x.revision + 1
      from unnest($1::uuid[], $2::uuid[], $3::integer[]) x(tenant_id, account_id, revision)
      where t.tenant_id = x.tenant_id and t.account_id = x.account_id returning 1)
    select expect((select count(*) from done), $4)`,
  values: [
    arrayParameter(
      'uuid',
      accounts.map(({ tenantId }) => tenantId),
    ),
    arrayParameter(
      'uuid',
      accounts.map(({ row }) => row.id),
    ),
    arrayParameter(
      'integer',
      accounts.map(({ revision }) => revision),
    ),
    accounts.length,
  ],
});

interface Running {
  readonly tenantId: string;
  readonly accountId: string | null;
  /** The revision that its account must have; null: no decision depends on it. */
  readonly revision: number | null;
  readonly delta: Record<string, number>;
  ledger: number;
  count: number;
}

/**
 * Changes pockets by delta under their CHECKs, and numbers the entries from the counter of the
 * balance row under its lock: across processes only the counter follows the order of the running
 * balance, ids do not (rules/ledger#20).
 * @param proven accounts whose revisions their balances must carry (rules/records#12)
 */
export function writeLedger(entries: readonly Entry[], proven: readonly Entity[]): Statement {
  const revisions = new Map(proven.map((entity) => [keyOfAccount(entity), entity.revision]));
  const accounts = new Map<string, Running>();
  const offsets = entries.map((entry) => {
    if (entry.accountId === null) return { number: null, pocket: null, ledger: null };
    const key = keyOf(entry.tenantId, entry.accountId);
    let running = accounts.get(key);
    if (!running) {
      const delta = { available: 0, pending_outgoing: 0, earmarked: 0 };
      running = {
        tenantId: entry.tenantId,
        accountId: entry.accountId,
        revision: revisions.get(key) ?? null,
        delta,
        ledger: 0,
        count: 0,
      };
      accounts.set(key, running);
    }
    running.count += 1;
    running.ledger += entry.delta;
    running.delta[entry.pocket] = (running.delta[entry.pocket] ?? 0) + entry.delta;
    return {
      number: running.count,
      pocket: running.delta[entry.pocket] ?? 0,
      ledger: entry.type === null ? null : running.ledger,
    };
  });
  const rows = [...accounts.values()].sort((a, b) =>
    (a.accountId ?? '') < (b.accountId ?? '') ? -1 : 1,
  );
  const held = (type: string, pick: (row: Running) => unknown) =>
    arrayParameter(type, rows.map(pick));
  const column = (type: string, pick: (entry: Entry) => unknown) =>
    arrayParameter(type, entries.map(pick));
  return {
    name: 'write ledger',
    text: ledgerText,
    values: [
      held('uuid', (r) => r.tenantId),
      held('uuid', (r) => r.accountId),
      held('bigint', (r) => r.delta.available),
      held('bigint', (r) => r.delta.pending_outgoing),
      held('bigint', (r) => r.delta.earmarked),
      held('integer', (r) => r.count),
      column('uuid', (e) => e.tenantId),
      column('uuid', (e) => e.id),
      column('uuid', (e) => e.accountId),
      column('text', (e) => e.pocket),
      column('bigint', (e) => e.delta),
      arrayParameter(
        'integer',
        offsets.map((o) => o.number),
      ),
      arrayParameter(
        'bigint',
        offsets.map((o) => o.pocket),
      ),
      arrayParameter(
        'bigint',
        offsets.map((o) => o.ledger),
      ),
      column('text', (e) => e.sourceType),
      column('uuid', (e) => e.sourceId),
      column('text', (e) => e.step),
      column('smallint', (e) => e.leg),
      column('text', (e) => e.type),
      column('bigint', (e) => e.amount),
      column('bigint', (e) => e.fee),
      column('text', (e) => e.counterpart?.kind ?? null),
      column('uuid', (e) => e.counterpart?.id ?? null),
      column('timestamptz', (e) => e.begunAt ?? e.at),
      rows.length,
      column('timestamptz', (e) => (e.begunAt === null ? null : e.at)),
      held('integer', (r) => r.revision),
    ],
  };
}

const ledgerText = `with held as (
  update balances t set available = t.available + x.available,
    pending_outgoing = t.pending_outgoing + x.pending_outgoing,
    earmarked = t.earmarked + x.earmarked, entry_count = t.entry_count + x.count
  from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[], $27::integer[])
    x(tenant_id, account_id, available, pending_outgoing, earmarked, count, revision)
  where t.tenant_id = x.tenant_id and t.account_id = x.account_id
    and (x.revision is null or t.account_revision = x.revision)
  returning t.tenant_id, t.account_id, t.entry_count - x.count as number,
    t.available - x.available as available, t.pending_outgoing - x.pending_outgoing as pending_outgoing,
    t.earmarked - x.earmarked as earmarked),
written as (
  insert into entries (tenant_id, id, account_id, pocket, delta, number, balance_after, ledger_after,
    source_type, source_id, step, leg, transaction_type, amount, fee_amount, counterpart_kind,
    counterpart_id, created_at, posted_at)
  select x.tenant_id, x.id, x.account_id, x.pocket::entry_pocket, x.delta, h.number + x.number,
    x.running + case x.pocket when 'available' then h.available
      when 'pending_outgoing' then h.pending_outgoing else h.earmarked end,
    x.ledger + h.available + h.pending_outgoing + h.earmarked,
    x.source_type::entry_source, x.source_id, x.step::entry_step, x.leg, x.type::transaction_type,
    x.amount, x.fee, x.kind::counterpart_kind, x.counterpart, x.at,
    x.posted
  from unnest($7::uuid[], $8::uuid[], $9::uuid[], $10::text[], $11::bigint[], $12::integer[],
    $13::bigint[], $14::bigint[], $15::text[], $16::uuid[], $17::text[], $18::smallint[], $19::text[],
    $20::bigint[], $21::bigint[], $22::text[], $23::uuid[], $24::timestamptz[], $26::timestamptz[])
    x(tenant_id, id, account_id, pocket, delta, number, running, ledger, source_type, source_id, step,
      leg, type, amount, fee, kind, counterpart, at, posted)
  left join held h on h.tenant_id = x.tenant_id and h.account_id = x.account_id)
select expect((select count(*) from held), $25)`;
