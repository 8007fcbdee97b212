import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Answer, Asking, Reply, Run } from '../command.ts';
import { furtherEndpointsOf } from '../delivers_to.ts';
import type { Entity } from '../entity.ts';
import { assert, fail, LoadAgain, StoredJsonError } from '../fail.ts';
import { keyOfRow, type Path, pathsOf } from '../load/path.ts';
import { openScope, type Query, type Reading, type Scope } from '../load/reader.ts';
import { connectionLost } from '../lost.ts';
import { recordWords } from '../packed_text/record_words.ts';
import type { RefusedInProduction } from '../production.ts';
import { settingsOf, unprovenSettings } from '../settings.ts';
import type { RowOf } from '../table.ts';
import type { TenantRow, tenants } from '../tenant.ts';
import type { Clocks } from '../time/clock.ts';
import { realInstantOf } from '../time/clock.ts';
import { type FlushInput, flushStatements } from '../write/flush.ts';
import type { Statement } from '../write/sql.ts';
import type { StagedWrites } from '../write/staged.ts';
import type { Redact } from './acts.ts';
import { beginWork } from './begin_work.ts';
import { mustRerun } from './conflicts.ts';
import {
  checkFingerprint,
  deleteExpired,
  type IdempotencyRow,
  idempotency,
  isKept,
} from './idempotency.ts';
import { type RenderedReply, render, type Seal, shownBy } from './render.ts';

/** Everything that a batch needs from the engine that runs it. */
export interface BatchHost {
  /**
   * Begins to read. A batch loads all rows in one snapshot, so that rows which change together
   * are read together, whatever other processes commit between two waves. `close` ends it, or `commit`.
   */
  readonly openSnapshot: () => { readonly query: Query; readonly close: () => void };
  /** Sends the statements as one transaction, in one write; resolves when the commit is known. */
  readonly commit: (statements: readonly Statement[]) => Promise<void>;
  readonly clocks: Clocks;
  readonly environment: 'sandbox' | 'production';
  readonly newSecret: (tenantId: string, prefix: string) => string;
  readonly seal: Seal;
  readonly redact?: Redact | undefined;
  /** Rebuilds a stored reply, without secrets that are no longer valid. */
  readonly revive: (tenantId: string, row: IdempotencyRow) => Promise<string>;
}

interface Loaded {
  readonly run: Run;
  readonly reading: Reading;
  readonly tenant: RowOf<typeof tenants>;
  readonly stored: IdempotencyRow | null;
  readonly value: unknown;
  readonly refusal: unknown;
}

/** Keys that a command of this batch found empty and an earlier one has filled. */
interface Filled {
  readonly missed: ReadonlySet<Path>;
  readonly keys: Set<string>;
}

type Decision =
  | { readonly kind: 'reply'; readonly run: Run; readonly reply: Reply }
  | { readonly kind: 'replay'; readonly run: Run; readonly stored: IdempotencyRow }
  | { readonly kind: 'refusal'; readonly run: Run; readonly error: unknown }
  | { readonly kind: 'asking'; readonly run: Run; readonly asking: Asking }
  | { readonly kind: 'deferred'; readonly run: Run };

/** A decided batch: what it will write, and the replies to send after the commit. */
export interface DecidedBatch {
  /** Empty when nothing changed. */
  readonly statements: readonly Statement[];
  readonly deferred: readonly Run[];
  readonly staged: StagedWrites;
  /** Sends every reply; only ever called after the commit. */
  readonly settle: () => void;
}

async function loadRun(scope: Scope, run: Run): Promise<Loaded> {
  const key = run.idempotency?.keyHash ?? null;
  const reading = scope.reading(run.tenantId, key);
  const early = run.ahead.flatMap(({ plan, id }) =>
    id === null ? [] : [scope.ahead(plan, run.tenantId, id)],
  );
  const load = () => run.load(reading);
  const [tenant, stored, outcome] = await Promise.all([
    reading.tenant(),
    reading.maybe(idempotency, key),
    (early.length > 0 ? Promise.all(early).then(load) : load()).then(
      (value) => ({ value, refusal: null }),
      (refusal: unknown) => {
        // Not a refusal of the command: the database went away, or the batch reads again.
        if (connectionLost(refusal) || mustRerun(refusal)) throw refusal;
        return { value: null, refusal };
      },
    ),
  ]);
  return { run, reading, tenant, stored, ...outcome };
}

/** The row with the settings in force; the fault where they cannot be read. */
function readSettings({ run, tenant: row }: Loaded): TenantRow | StoredJsonError {
  if (run.mendsSettings) return { ...row, settings: unprovenSettings(row) };
  try {
    return { ...row, settings: settingsOf(run.tenantId, row) };
  } catch (error) {
    if (error instanceof StoredJsonError) return error;
    throw error;
  }
}

const replyOf = (
  { body, stored }: RenderedReply,
  { told }: Exclude<Answer, Asking>,
  refusedInProduction: RefusedInProduction | null,
): Reply => ({ body, replayed: false, shownBy: shownBy(stored), told, refusedInProduction });

/** Decides one command on the scope, after those before it. Refusals leave no trace. */
function decideRun(
  host: BatchHost,
  scope: Scope,
  staged: StagedWrites,
  filled: Filled,
  loaded: Loaded,
): Decision {
  const { run, reading, stored } = loaded;
  const tenant = readSettings(loaded);
  // Only this Tenant's commands are refused: the others of the batch are decided.
  if (tenant instanceof StoredJsonError) return { kind: 'refusal', run, error: tenant };
  // An earlier command created what this one found missing: it reads again in the next batch.
  for (const miss of reading.misses) if (filled.keys.has(miss)) return { kind: 'deferred', run };
  const since = staged.events.length;
  const time = host.clocks.at(run.tenantId, tenant);
  const kept = stored !== null && isKept(stored, time.now) ? stored : null;
  // An earlier command used the expired key again: its stored reply is there in the next batch.
  if (stored && !kept && scope.peek(idempotency, run.tenantId, stored.key_hash)?.row !== stored)
    return { kind: 'deferred', run };
  const started = beginWork({
    scope,
    staged,
    tenant,
    tenantId: run.tenantId,
    actor: run.actor,
    act: run.act,
    redact: host.redact,
    requestId: run.actor.requestId && uuidOf('request', run.actor.requestId),
    trace: run.actor.trace ?? null,
    environment: host.environment,
    held: run.held,
    ...time,
    realNow: host.clocks.realNow,
    newSecret: (prefix, of = run.tenantId) => host.newSecret(of, prefix),
  });
  try {
    if (kept && run.idempotency) {
      checkFingerprint(kept, run.idempotency.fingerprint);
      const body = kept.body && recordWords.unpack(kept.body);
      return { kind: 'replay', run, stored: { ...kept, body } };
    }
    if (loaded.refusal) throw loaded.refusal;
    const answer = run.decide(started.work, loaded.value);
    assert(!run.isRead || started.isUnchanged(), 'what only reads changes nothing');
    announce(started.finish('ask' in answer), filled);
    for (const entity of reading.entities) entity.checked = true;
    // Not the command's effect yet, so the key stays free.
    if ('ask' in answer) {
      started.accept();
      return { kind: 'asking', run, asking: answer };
    }
    const rendered = render(host.seal, run, answer, staged, since);
    remember(scope, run, rendered, time.now, filled);
    started.accept();
    return { kind: 'reply', run, reply: replyOf(rendered, answer, started.refusedInProduction()) };
  } catch (error) {
    started.rollback();
    return error instanceof LoadAgain ? { kind: 'deferred', run } : { kind: 'refusal', run, error };
  }
}

/** Stores the key in the same transaction as the effect (rules/idempotency#11). */
function remember(
  scope: Scope,
  run: Run,
  rendered: RenderedReply,
  now: string,
  filled: Filled,
): void {
  if (!run.idempotency) return;
  const { keyHash, fingerprint } = run.idempotency;
  const { stored } = rendered;
  const body = stored.body && recordWords.pack(stored.body);
  const values = { key_hash: keyHash, fingerprint, ...stored, body, created_at: now };
  const entity = scope.adopt(idempotency, run.tenantId, values);
  entity.changed = true;
  announce([entity], filled);
}

/** Notes each created row under the keys by which a command of this batch looked for one. */
function announce(created: readonly Entity[], { missed, keys }: Filled): void {
  for (const { table, tenantId, row } of created)
    for (const path of pathsOf(table))
      if (missed.has(path)) keys.add(keyOfRow(path, tenantId, row));
}

/** Expired keys that were used again. */
function expiredKeys(loads: readonly Loaded[], decisions: readonly Decision[]) {
  return loads.flatMap(({ run: { tenantId }, stored }, index) =>
    stored && decisions[index]?.kind === 'reply' ? [{ tenantId, row: stored }] : [],
  );
}

function settleRun(host: BatchHost, decision: Decision): void {
  if (decision.kind === 'reply') decision.run.settle({ reply: decision.reply });
  else if (decision.kind === 'refusal') decision.run.settle({ error: decision.error });
  else if (decision.kind === 'asking') decision.run.settle(decision.asking);
  else if (decision.kind === 'replay')
    host.revive(decision.run.tenantId, decision.stored).then(
      (body) => decision.run.settle({ reply: { body, replayed: true, shownBy: null } }),
      (error: unknown) => decision.run.settle({ error }),
    );
}

/** How many commands are decided in one turn of the event loop. */
const sliceSize = 8;
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * One batch up to its flush: load all, then decide one command after the other. Nothing has been
 * written when it returns or throws, so it may be run again.
 */
export async function decideBatch(host: BatchHost, runs: readonly Run[]): Promise<DecidedBatch> {
  const snapshot = host.openSnapshot();
  try {
    const decided = await decideOn(host, openScope(snapshot.query, host.clocks), runs);
    if (decided.statements.length === 0) snapshot.close();
    return decided;
  } catch (error) {
    snapshot.close();
    throw error;
  }
}

async function decideOn(
  host: BatchHost,
  scope: Scope,
  runs: readonly Run[],
): Promise<DecidedBatch> {
  const loads = await Promise.all(runs.map((run) => loadRun(scope, run)));
  const staged: StagedWrites = {
    entries: [],
    events: [],
    jobs: [],
    audit: [],
    audited: [],
    counted: [],
  };
  const filled: Filled = {
    missed: new Set(loads.flatMap(({ reading }) => [...reading.missedPaths])),
    keys: new Set(),
  };
  const decisions: Decision[] = [];
  for (const loaded of loads) {
    // Between slices the batch before this one is written on: the socket does not take it at once.
    if (decisions.length % sliceSize === sliceSize - 1) await nextTurn();
    decisions.push(decideRun(host, scope, staged, filled, loaded));
  }
  const rows = new Map(loads.map(({ run, tenant }) => [run.tenantId, tenant]));
  const tenantOf = (tenantId: string): Loaded['tenant'] => {
    const row = rows.get(tenantId);
    if (!row) throw fail('not_found');
    return row;
  };
  const input: FlushInput = {
    scope,
    staged,
    realInstant: (tenantId, at) => realInstantOf(tenantOf(tenantId), at),
    delivers: (tenantId) => tenantOf(tenantId).delivers,
    furtherEndpoints: ({ tenantId, type }) =>
      furtherEndpointsOf(tenantId, tenantOf(tenantId), type),
  };
  const expired = expiredKeys(loads, decisions);
  return {
    statements: [
      ...(expired.length > 0 ? [deleteExpired(expired)] : []),
      ...flushStatements(input),
    ],
    deferred: decisions.filter((decision) => decision.kind === 'deferred').map(({ run }) => run),
    staged,
    settle: () => {
      for (const decision of decisions) settleRun(host, decision);
    },
  };
}
