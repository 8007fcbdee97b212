import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, IdInput, Instant, Nullable } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The keys that QR codes and payment links are signed with (rules/keys#12). */

export const QrKey = Closed({
  id: Type.String({ description: 'As in QR_SIGNING_KEY' }),
  object: Type.Literal('qr_key'),
  signs: Type.Boolean({ description: 'It signs new codes' }),
  revoked_at: Nullable(Instant('Since when its codes are refused; in real time')),
});
export type QrKey = Static<typeof QrKey>;

const ofPlatform = { idempotent: 'none', may: ['admin'], of: 'platform' } as const;

export const listQrKeys = portalEndpoint({
  id: 'listQrKeys',
  method: 'GET',
  path: '/portal/api/qr-keys',
  summary: 'List the keys of QR codes, the one that signs first',
  ...ofPlatform,
  success: { status: 200, schema: List(QrKey) },
  errors: [],
});

export const revokeQrKey = portalEndpoint({
  id: 'revokeQrKey',
  method: 'POST',
  path: '/portal/api/qr-keys/:id/revoke',
  summary: 'Refuse every code of a key; in production a second admin approves it',
  ...ofPlatform,
  stepUp: true,
  params: Closed({ id: IdInput('The key, as in QR_SIGNING_KEY') }),
  success: { status: 200, schema: QrKey },
  errors: ['parameter_invalid', 'not_found', 'invalid_state'],
});
