import { timingSafeEqual } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tokenHash } from '../core/vault.ts';
import type { Service } from '../service.ts';
import { addressesOf, createTenant, replaceCredentials, type TenantFacts } from './create.ts';

const sampleName = 'Sample Tenant';

/** The only copy of the sample tenant's secrets (surfaces: Start). */
export const sandboxFile = (dataDir: string): string => join(dataDir, 'sandbox.json');

/** Replaced as a whole, so that a crash leaves the old file or the new one. */
async function write(path: string, facts: TenantFacts): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** What the file holds, or null when it is not there or was damaged. */
async function read(path: string): Promise<TenantFacts | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}

/** The tenant whose client the file names, when this database knows it with that secret. */
async function tenantOfFile({ db }: Service, facts: TenantFacts | null): Promise<string | null> {
  if (!facts?.client_id || !facts.client_secret || !facts.webhook_secret) return null;
  const client = await db
    .selectFrom('clients')
    .where('client_id', '=', facts.client_id)
    .where('retired_at', 'is', null)
    .select(['tenant_id', 'secret_hash'])
    .executeTakeFirst();
  if (!client) return null;
  const given = Buffer.from(tokenHash(facts.client_secret));
  return timingSafeEqual(given, Buffer.from(client.secret_hash)) ? client.tenant_id : null;
}

const firstTenant = ({ db }: Service) =>
  db.selectFrom('tenants').orderBy('tenant_id').select('tenant_id').limit(1).executeTakeFirst();

/**
 * The sample tenant of this sandbox: as the file says; with new credentials when the file is gone;
 * made now when the database has none. `save` writes the file, last of all, so that a start that
 * was cut short is taken up again by the next one.
 */
export async function sandboxTenant(service: Service) {
  const path = sandboxFile(service.config.dataDir);
  const saved = await read(path);
  const known = await tenantOfFile(service, saved);
  if (saved && known) {
    const facts: TenantFacts = { ...saved, ...addressesOf(service), tenant_id: known };
    return { facts, isNew: false, save: () => write(path, facts) };
  }
  const first = await firstTenant(service);
  const facts = first
    ? await replaceCredentials(service, first.tenant_id)
    : await createTenant(service, { name: sampleName, sample: true });
  return { facts, isNew: true, save: () => write(path, facts) };
}
