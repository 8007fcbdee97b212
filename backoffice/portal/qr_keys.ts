import { fail } from '@tenant-payments/engine/fail.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import {
  assertRevocable,
  readRevokedQrKeys,
  revokeQrKey,
} from '@tenant-payments/service/resources/payment_requests/revoked_qr_keys.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { platformApprovalNeeded } from '../approvals/platform/needed.ts';
import { ownTenant } from '../approvals/platform/requests.ts';
import type { QrKey } from '../contract/operate/qr_keys.ts';

type Caller = Pick<ReadContext, 'actor' | 'tenantId' | 'db'>;

/** The keys of QR codes that this process has, and what of them is revoked (rules/keys#12). */
export const qrKeys = ({ clocks, config }: Pick<Service, 'clocks' | 'config'>) => {
  async function list({ db }: Pick<Caller, 'db'>): Promise<Page<QrKey>> {
    const revoked = await readRevokedQrKeys(db);
    return wholeList(
      config.qrSigningKeys.map(({ id }, place) => ({
        id,
        object: 'qr_key',
        signs: place === 0,
        revoked_at: revoked.get(id) ?? null,
      })),
    );
  }
  return {
    list,
    /**
     * @throws ApiError not_found; forbidden to a program: the key is every Tenant's; invalid_state,
     *   reason `signs_new_codes`, `already_revoked`, `approval_required`
     */
    async revoke(caller: Caller, { id }: { id: string }): Promise<QrKey> {
      await assertRevocable(caller.db, config.qrSigningKeys, id);
      if (ownTenant(caller) !== null) throw fail('forbidden', { details: { reason: 'no_person' } });
      if (config.approvals) throw platformApprovalNeeded('qr-keys', 'revoke');
      const revoked_at = instantOf(clocks.realNow());
      await revokeQrKey(caller.db, id, revoked_at);
      return { id, object: 'qr_key', signs: false, revoked_at };
    },
  };
};
