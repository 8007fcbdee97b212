import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { newCodes } from './secrets.ts';
import { storedCode } from './stored_secrets.ts';

/** Makes ten recovery codes; those before stop working. @returns them, this once */
export async function replaceCodes(
  connection: Queryable,
  parts: Pick<Service, 'clocks' | 'vault'>,
  personId: string,
): Promise<string[]> {
  const codes = newCodes();
  await connection.query('delete from control.recovery_codes where person_id = $1', [personId]);
  await connection.query(
    `insert into control.recovery_codes (person_id, code_hash, created_at)
     select $1, hash, $3 from unnest($2::text[]) as hash`,
    [personId, codes.map((code) => storedCode(parts, code)), instantOf(parts.clocks.realNow())],
  );
  return codes;
}
