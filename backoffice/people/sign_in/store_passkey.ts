import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import { refused } from '@tenant-payments/service/flows/hosted/passkeys/challenge.ts';
import type { OwnPasskey } from '../../contract/people/my.ts';
import { type Context, type MadePasskey, maximumPasskeys } from './passkeys.ts';

const newId = idMaker();

/** What the audit keeps of a passkey that was made: the proof of the night holds the row against it. */
export const madePasskey = (
  { id }: Pick<OwnPasskey, 'id'>,
  { public_key }: Pick<MadePasskey, 'public_key'>,
) => ({ passkey_id: id, key: tokenHash(public_key) });

/** Stores a passkey that was made for a person. @throws ApiError parameter_invalid, invalid_state */
export async function storePasskey(
  connection: Queryable,
  { clocks }: Context,
  personId: string,
  made: MadePasskey,
  name: string,
): Promise<OwnPasskey> {
  const nowMs = clocks.realNow();
  const { rows: had } = await connection.query<{ count: number }>(
    'select count(*) as count from control.person_passkeys where person_id = $1',
    [personId],
  );
  if ((had[0]?.count ?? 0) >= maximumPasskeys)
    throw fail('invalid_state', { details: { reason: 'too_many_passkeys' } });
  const { rows } = await connection.query<OwnPasskey>(
    `insert into control.person_passkeys
       (id, person_id, credential_id, public_key, counter, transports, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (credential_id) do nothing
     returning id, name, created_at, last_used_at`,
    [
      newId(nowMs),
      personId,
      made.credential_id,
      made.public_key,
      made.counter,
      made.transports,
      name,
      instantOf(nowMs),
    ],
  );
  const [stored] = rows;
  if (!stored) throw refused('known_credential');
  return stored;
}
