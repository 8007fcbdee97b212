import { createHash } from 'node:crypto';
import { type AuditRow, auditColumns } from '@tenant-payments/engine/write/flush_audit.ts';
import type pg from 'pg';
import { hashedColumns } from '../contract/operate/audit.ts';

/** A number with the hash of its row, as it was logged or written down elsewhere. */
export interface Head {
  readonly number: number;
  readonly hash: string;
}

/** The faults that a chain can have (rules/audit#9). */
export const auditFaults = {
  missing: 'a row is missing before this number',
  changed: 'the hash is not that of the row and the hash before it',
  unlinked: 'the row does not follow the one before it',
  columns: 'the columns are not what the hashed text says',
  head: 'the end of the chain is not where its head says',
  known_head: 'the row is not the one that was known elsewhere',
} as const;

export interface AuditFault {
  readonly scope: string;
  readonly number: number;
  readonly fault: keyof typeof auditFaults;
}

export interface AuditProof {
  readonly ok: boolean;
  /** How many rows were read. */
  readonly checked: number;
  readonly heads: readonly ({ readonly scope: string } & Head)[];
  /** The first 20 of each chain. */
  readonly faults: readonly AuditFault[];
}

export interface AuditToVerify {
  /** The one chain to verify; absent: all. */
  readonly scope?: string;
  /** The head of that chain as it is known from elsewhere. */
  readonly head?: Head;
  /** Ends the verification. */
  readonly signal?: AbortSignal;
}

const pageSize = 1_000;
const faultsShown = 20;
const nothing: Head = { number: 0, hash: '0'.repeat(64) };

const hashOf = ({ previous_hash, body }: AuditRow): string =>
  createHash('sha256').update(Buffer.from(previous_hash, 'hex')).update(body, 'utf8').digest('hex');

const columns = ['scope', ...hashedColumns] as const;

function isAsHashed(row: AuditRow): boolean {
  try {
    const said = JSON.parse(row.body) as Readonly<Record<string, unknown>>;
    return columns.every((name) => said[name] === row[name]);
  } catch {
    return false;
  }
}

function faultsOf(row: AuditRow, last: Head, known: Head | undefined): AuditFault['fault'][] {
  const isNext = row.number === last.number + 1;
  return [
    ...(isNext ? [] : (['missing'] as const)),
    ...(isNext && row.previous_hash !== last.hash ? (['unlinked'] as const) : []),
    ...(hashOf(row) === row.hash ? [] : (['changed'] as const)),
    ...(isAsHashed(row) ? [] : (['columns'] as const)),
    ...(known?.number === row.number && known.hash !== row.hash ? (['known_head'] as const) : []),
  ];
}

async function* rowsOf(
  client: pg.ClientBase,
  scope: string,
  signal?: AbortSignal,
): AsyncGenerator<AuditRow> {
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await client.query<AuditRow>(
      `select ${auditColumns.join(', ')} from control.audit where scope = $1 and number > $2 order by number limit ${pageSize}`,
      [scope, after],
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last.number;
  }
}

/** Follows one chain from its first row to its head. */
async function verifyChain(
  client: pg.ClientBase,
  scope: string,
  { head: known, signal }: AuditToVerify,
) {
  const faults: AuditFault[] = [];
  const add = (number: number, fault: AuditFault['fault']) => {
    if (faults.length < faultsShown) faults.push({ scope, number, fault });
  };
  let last = nothing;
  let checked = 0;
  for await (const row of rowsOf(client, scope, signal)) {
    for (const fault of faultsOf(row, last, known)) add(row.number, fault);
    last = row;
    checked += 1;
  }
  const { rows } = await client.query<Head>(
    'select number, hash from control.audit_heads where scope = $1',
    [scope],
  );
  const [head = nothing] = rows;
  if (head.number !== last.number || head.hash !== last.hash) add(head.number, 'head');
  if (known && known.number > last.number) add(known.number, 'known_head');
  return { faults, checked, head: { scope, number: last.number, hash: last.hash } };
}

const scopes = `select scope from control.audit_heads
  union select scope from control.audit order by 1`;

/** Runs in the client's transaction, which should be one snapshot. */
async function verifyIn(client: pg.ClientBase, what: AuditToVerify): Promise<AuditProof> {
  const { scope } = what;
  const all =
    scope === undefined
      ? (await client.query<{ scope: string }>(scopes)).rows.map((row) => row.scope)
      : [scope];
  const proof = {
    checked: 0,
    heads: [] as AuditProof['heads'][number][],
    faults: [] as AuditFault[],
  };
  for (const one of all) {
    const found = await verifyChain(client, one, what);
    proof.checked += found.checked;
    proof.heads.push(found.head);
    proof.faults.push(...found.faults);
  }
  return { ok: proof.faults.length === 0, ...proof };
}

async function inSnapshot<T>(
  pool: pg.Pool,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    return await work(client);
  } finally {
    await client.query('rollback').catch(() => {});
    client.release();
  }
}

/**
 * Reads every chain of the audit, or one, and finds each row that was changed, removed or put in
 * (rules/audit#9). Rows that were cut from the end, with the head moved back, show only against a head
 * that is known from elsewhere.
 * @throws what the database throws, and when the signal ends it
 */
export const verifyAudit = (pool: pg.Pool, what: AuditToVerify = {}): Promise<AuditProof> =>
  inSnapshot(pool, (client) => verifyIn(client, what));

/** Advisory lock for a chain: a process that does not get it leaves the chain to the other. */
export const auditNightLock = 1_107_330_403;

/**
 * The same for one chain.
 * @returns null while another process verifies it
 */
export const verifyChainUnlessTaken = (
  pool: pg.Pool,
  scope: string,
  what: Omit<AuditToVerify, 'scope'>,
): Promise<AuditProof | null> =>
  inSnapshot(pool, async (client) => {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_xact_lock($1, hashtext($2)) as taken',
      [auditNightLock, scope],
    );
    return rows[0]?.taken ? verifyIn(client, { ...what, scope }) : null;
  });

/** All chains, in their order. */
export async function auditScopes(pool: pg.Pool): Promise<string[]> {
  return (await pool.query<{ scope: string }>(scopes)).rows.map(({ scope }) => scope);
}
