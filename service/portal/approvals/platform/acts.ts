import type { platformMoves } from '@tenant-payments/contract/portal/operate/approvals.ts';
import type { Kysely } from 'kysely';
import type { Config } from '../../../config/config.ts';
import { fail } from '../../../core/fail.ts';
import type { Instant } from '../../../core/time/instant.ts';
import { assertRevocable, revokeQrKey } from '../../../keys/revoked_qr_keys.ts';
import type { SecurityEventName } from '../../../operations/security_events.ts';
import type { Database } from '../../../resources/database.ts';
import { assertNotSuspended, suspendTenant, suspensionOf } from '../../../tenants/suspension.ts';
import type { Seen } from '../seen.ts';

type Db = Kysely<Database>;

/** An act on the platform: outside the engine, in a transaction of its own with the approval. */
export interface PlatformAct {
  /**
   * What it would do to this record now; nothing is locked.
   * @throws ApiError not_found; invalid_state where it cannot be done
   */
  look(db: Db, id: string): Promise<Seen>;
  /** Does it; what has changed since the look refuses it. @returns what the audit shows */
  run(tx: Db, id: string, why: { readonly note: string; readonly now: Instant }): Promise<object>;
  readonly event: SecurityEventName;
}

type Moves = typeof platformMoves;
type Name = { readonly [R in keyof Moves]: `${R}.${Moves[R][number]}` }[keyof Moves];

const switched = (object: string, id: string, field: string): Seen => ({
  facts: {},
  effect: { postings: [], changes: [{ object, id, field, before: false, after: true }] },
});

const tableOf = ({
  qrSigningKeys,
}: Pick<Config, 'qrSigningKeys'>): Readonly<Record<Name, PlatformAct>> => ({
  'tenants.suspend': {
    async look(db, id) {
      assertNotSuspended(await suspensionOf(db, id));
      return switched('tenant', id, 'suspended');
    },
    run: async (tx, id, { note, now }) => ({
      tokens_ended: await suspendTenant(tx, id, note, now),
    }),
    event: 'tenant_suspended',
  },
  'qr-keys.revoke': {
    async look(db, id) {
      await assertRevocable(db, qrSigningKeys, id);
      return switched('qr_key', id, 'revoked');
    },
    async run(tx, id, { now }) {
      await revokeQrKey(tx, id, now);
      return { revoked_at: now };
    },
    event: 'qr_key_revoked',
  },
});

/** Finds the act that is asked for. */
export function openPlatformActs(config: Pick<Config, 'qrSigningKeys'>) {
  const acts = tableOf(config);
  /** @throws ApiError not_found, param resource or move */
  return ({ resource, move }: { readonly resource: string; readonly move: string }) => {
    const name = `${resource}.${move}`;
    if (Object.hasOwn(acts, name)) return acts[name as Name];
    const isResource = Object.keys(acts).some((one) => one.startsWith(`${resource}.`));
    throw fail('not_found', { param: isResource ? 'move' : 'resource' });
  };
}

/** What one admin is told who does such an act alone. */
export const platformApprovalNeeded = <R extends keyof Moves>(
  resource: R,
  move: Moves[R][number],
) =>
  fail('invalid_state', {
    details: { current_status: null, allowed: [], reason: 'approval_required' },
    message: `a second admin must approve this: ask by POST /portal/api/platform-approvals with resource ${resource}, move ${move}`,
  });
