import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { refused } from '@tenant-payments/service/flows/hosted/passkeys/challenge.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { OwnPasskey } from '../../contract/people/my.ts';
import { type MadePasskey, maximumPasskeys } from './passkeys.ts';
import { newCodes } from './secrets.ts';
import { storedCode } from './stored_secrets.ts';
import { type PasskeyRow, passkeys, type RecoveryCodeRow, recoveryCodes } from './table.ts';

/** Parts of commands that keep and end what lets a person in: passkeys and recovery codes. */

/** The facts that the audit keeps of a new passkey: the proof of the night holds the row against it. */
export const madePasskey = ({ id, public_key }: Pick<PasskeyRow, 'id' | 'public_key'>) => ({
  passkey_id: id,
  key: tokenHash(public_key),
});

export const passkeyView = ({ id, name, created_at, last_used_at }: PasskeyRow): OwnPasskey => ({
  id,
  name,
  created_at,
  last_used_at,
});

/** Reads whose credential this is already, and what a person holds. */
export async function loadKeeping(
  read: Read,
  personId: string | null,
  { credential_id }: Pick<MadePasskey, 'credential_id'>,
) {
  const [held, known] = await Promise.all([
    personId === null ? [] : read.set(passkeys, 'person_id', personId),
    read.by(passkeys, 'credential', { credential_id }),
  ]);
  return { held, known };
}

/** Stores a passkey that was made for a person. @throws ApiError parameter_invalid, invalid_state */
export function storePasskey(
  work: Work,
  { held, known }: Awaited<ReturnType<typeof loadKeeping>>,
  { personId, made, name }: { personId: string; made: MadePasskey; name: string },
): PasskeyRow {
  if (held.filter(({ removed_at }) => removed_at === null).length >= maximumPasskeys)
    throw fail('invalid_state', { details: { reason: 'too_many_passkeys' } });
  if (known !== null) throw refused('known_credential');
  return work.create(passkeys, {
    id: work.newId(),
    person_id: personId,
    credential_id: made.credential_id,
    public_key: made.public_key,
    counter: made.counter,
    transports: made.transports,
    name,
    created_at: work.now,
    last_used_at: null,
    removed_at: null,
  });
}

/** Without its public key nothing is proven by it, whoever shows it again. */
export function removePasskeys(work: Work, rows: readonly PasskeyRow[]): void {
  for (const row of rows.filter(({ removed_at }) => removed_at === null))
    work.change<typeof passkeys>(row, { public_key: '', removed_at: work.now });
}

export function endRecoveryCodes(work: Work, rows: readonly RecoveryCodeRow[]): void {
  for (const row of rows.filter(({ used_at, ended_at }) => used_at === null && ended_at === null))
    work.change<typeof recoveryCodes>(row, { ended_at: work.now });
}

/** Makes ten recovery codes; those before stop working. @returns them, this once */
export function replaceRecoveryCodes(
  work: Work,
  parts: Pick<Service, 'vault'>,
  personId: string,
  before: readonly RecoveryCodeRow[],
): string[] {
  endRecoveryCodes(work, before);
  const codes = newCodes();
  for (const code of codes)
    work.create(recoveryCodes, {
      person_id: personId,
      code_hash: storedCode(parts, code),
      created_at: work.now,
      used_at: null,
      ended_at: null,
    });
  return codes;
}
