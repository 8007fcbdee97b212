import type { Passkey } from '@tenant-payments/contract/hosted/view.ts';
import type { PasskeyRow } from '../../../resources/customers/credentials/passkeys.ts';

/**
 * Well-known keepers of passkeys, by the model that they name
 * (github.com/passkeydeveloper/passkey-authenticator-aaguids). Others say nothing of themselves, and
 * are shown by the way in which they are reached.
 */
const keepers: Readonly<Record<string, string>> = {
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'iCloud Keychain',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
};

/** The kind of device that keeps a passkey, from its transports (WebAuthn Level 3, 5.8.4). */
function kindOf(transports: string): Passkey['kind'] {
  const ways = transports.split(',');
  if (ways.includes('internal')) return 'device';
  if (ways.includes('hybrid')) return 'phone';
  return transports === '' ? 'unknown' : 'security_key';
}

export const passkeyView = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: keepers[row.aaguid] ?? null,
  kind: kindOf(row.transports),
  created_at: row.created_at,
  last_used_at: row.last_used_at,
});
