import { createHash } from 'node:crypto';
import type { Secrets } from '../../service/config/config.ts';
import { signingKeyPem } from '../../service/config/key_rings.ts';

const keyOf = (what: string): Buffer =>
  createHash('sha256').update(`the kept rows of a release: ${what}`).digest();

/** The keys of every kept release: what is sealed in its rows opens by them, and nothing else does. */
export const releaseKeys: Secrets = {
  pinPeppers: [{ id: 'kept', key: keyOf('PIN_PEPPER') }],
  sealingKeys: [{ id: 'kept', key: keyOf('SEALING_KEY') }],
  qrSigningKeys: [{ id: 'kept', key: signingKeyPem(keyOf('QR_SIGNING_KEY')) }],
  identityKeys: [{ id: 'kept', key: keyOf('IDENTITY_KEY') }],
};
