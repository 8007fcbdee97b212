import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import {
  assertRevocable,
  loadRevocation,
  revokeQrKey,
} from '@tenant-payments/service/resources/payment_requests/revoked_qr_keys.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  assertNotSuspended,
  loadSuspending,
  suspend,
} from '@tenant-payments/service/tenants/suspension.ts';
import type { platformMoves } from '../../contract/operate/approvals.ts';
import type { Seen } from '../seen.ts';
import { type PlatformAct, platformAct } from './act.ts';
import { providerActs } from './provider.ts';
import { restoreActs } from './restores.ts';
import { staffActs, type Telling } from './staff.ts';

type Moves = typeof platformMoves;
type Name = { readonly [R in keyof Moves]: `${R}.${Moves[R][number]}` }[keyof Moves];

const switched = (object: string, id: string, field: string): Seen => ({
  facts: {},
  effect: { postings: [], changes: [{ object, id, field, before: false, after: true }] },
});

const tableOf = (service: Service, telling: Telling): Readonly<Record<Name, PlatformAct>> => ({
  ...staffActs(service, telling),
  ...providerActs(service),
  ...restoreActs,
  'tenants.suspend': platformAct({
    load: loadSuspending,
    look({ tenant }, { id }) {
      assertNotSuspended(tenant);
      return switched('tenant', id, 'suspended');
    },
    run: (work, loaded, _asked, { note, now }) => ({
      after: { tokens_ended: suspend(work, loaded, note, now) },
    }),
    event: 'tenant_suspended',
  }),
  'qr-keys.revoke': platformAct({
    load: (read, { id }) => loadRevocation(read, id),
    look(revoked, { id }) {
      assertRevocable(service.config.qrSigningKeys, id, revoked);
      return switched('qr_key', id, 'revoked');
    },
    run(work, _revoked, { id }, { now }) {
      const { revoked_at } = revokeQrKey(work, id, now);
      return { after: { revoked_at } };
    },
    event: 'qr_key_revoked',
  }),
});

/** Finds the act that is asked for. */
export function openPlatformActs(service: Service, telling: Telling) {
  const acts = tableOf(service, telling);
  /** @throws ApiError not_found, param resource or move */
  return ({ resource, move }: { readonly resource: string; readonly move: string }) => {
    const name = `${resource}.${move}`;
    const act = ownValue(acts, name);
    if (act) return act;
    const isResource = Object.keys(acts).some((one) => one.startsWith(`${resource}.`));
    throw fail('not_found', { param: isResource ? 'move' : 'resource' });
  };
}
