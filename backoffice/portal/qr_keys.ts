import { command } from '@tenant-payments/engine/command.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import {
  assertRevocable,
  loadRevocation,
  readRevokedQrKeys,
  revokeQrKey,
} from '@tenant-payments/service/resources/payment_requests/revoked_qr_keys.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { QrKey } from '../contract/operate/qr_keys.ts';
import { platformApprovalNeeded } from '../people/second_admin_needed.ts';

type Parts = Pick<Service, 'config'>;

/** GET /portal/api/qr-keys: those that this process has, and what of them is revoked (rules/keys#12). */
export const listQrKeys =
  ({ config }: Parts) =>
  async ({ db }: Pick<ReadContext, 'db'>): Promise<Page<QrKey>> => {
    const revoked = await readRevokedQrKeys(db);
    return wholeList(
      config.qrSigningKeys.map(({ id }, place) => ({
        id,
        object: 'qr_key',
        signs: place === 0,
        revoked_at: revoked.get(id) ?? null,
      })),
    );
  };

/**
 * POST /portal/api/qr-keys/{id}/revoke
 * @throws ApiError not_found; invalid_state, reason `signs_new_codes`, `already_revoked`, `approval_required`
 */
export const revokeKey = ({ config }: Parts) =>
  command('revoke_qr_key', {
    load: (read, { id }: { readonly id: string }) => loadRevocation(read, id),
    decide: (work, revoked, { id }) => {
      assertRevocable(config.qrSigningKeys, id, revoked);
      if (config.approvals) throw platformApprovalNeeded('qr-keys', 'revoke');
      const { revoked_at } = revokeQrKey(work, id, work.now);
      const value: QrKey = { id, object: 'qr_key', signs: false, revoked_at };
      return { value };
    },
  });
