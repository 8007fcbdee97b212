import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Sealer } from '@tenant-payments/engine/vault.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import {
  type IdentityDocumentRow,
  identityDocumentSeal,
} from '../../resources/identity/documents.ts';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

const boundTo = (tenantId: string, id: string) =>
  Buffer.from(`${tenantId}|${identityDocumentSeal(id)}`);

/** Content under a key of its own, and that key sealed: a new key of the ring seals keys alone anew. */
export function sealContent(sealer: Sealer, tenantId: string, id: string, plain: Buffer) {
  const [key, nonce] = [randomBytes(keyBytes), randomBytes(nonceBytes)];
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(boundTo(tenantId, id));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return {
    key_sealed: sealer.seal(tenantId, identityDocumentSeal(id), key.toString('base64')),
    content: Buffer.concat([nonce, cipher.getAuthTag(), text]),
  };
}

/** @throws where it is another's, or was altered */
export async function openContent(
  { db, sealer }: { readonly db: Kysely<Database>; readonly sealer: Sealer },
  tenantId: string,
  { id, key_sealed }: Pick<IdentityDocumentRow, 'id' | 'key_sealed'>,
): Promise<Buffer | null> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from identity_contents where tenant_id = ${tenantId} and id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const sealedKey = sealer.open(tenantId, identityDocumentSeal(id), key_sealed);
  const key = Buffer.from(String(sealedKey), 'base64');
  const { content } = row;
  const decipher = createDecipheriv('aes-256-gcm', key, content.subarray(0, nonceBytes));
  decipher.setAAD(boundTo(tenantId, id));
  decipher.setAuthTag(content.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = decipher.update(content.subarray(nonceBytes + tagBytes));
  return Buffer.concat([text, decipher.final()]);
}
