import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { findClient } from '@tenant-payments/service/tenants/client_secrets.ts';
import { sandboxFile } from '@tenant-payments/service/tenants/files.ts';
import { openSigningSecrets } from '@tenant-payments/service/webhooks/signing.ts';
import {
  addressesOf,
  createTenant,
  replaceCredentials,
  signInLinkOf,
  type TenantFacts,
} from './create.ts';

const sampleName = 'Sample Tenant';
/** Its open request is the last record of the sample. */
const lastMerchant = 'sample-books';

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

/** The Tenant of the file's client; null when this database has no such client with that secret. */
async function tenantOf({ db }: Service, facts: TenantFacts): Promise<string | null> {
  if (!facts.client_id || !facts.client_secret || !facts.webhook_secret) return null;
  const client = await findClient(db, facts.client_id, facts.client_secret);
  return client !== null && client.secretId !== null ? client.tenantId : null;
}

/** The newest secret with which events are signed: the one that was written may be retired by now. */
async function signingSecretOf(
  cell: Pick<Service, 'pool' | 'vault' | 'log'>,
  tenantId: string,
  { webhook_secret }: TenantFacts,
): Promise<string> {
  return (await openSigningSecrets(cell).of(tenantId)).at(-1) ?? webhook_secret;
}

/** Writes the secret that signs from now on, where the file is of the Tenant that has rotated (rules/sandbox#24). */
export async function noteRotation(service: Service, tenantId: string): Promise<void> {
  if (service.environment !== 'sandbox') return;
  const path = sandboxFile(service.config.dataDir);
  const saved = await read(path);
  if (!saved || (await tenantOf(service, saved)) !== tenantId) return;
  const webhook_secret = await signingSecretOf(service, tenantId, saved);
  if (webhook_secret !== saved.webhook_secret) await write(path, { ...saved, webhook_secret });
}

/**
 * The tenant with a complete sample, or null. A start that ended before that leaves a tenant whose
 * secrets are lost.
 */
async function sampleTenant({ db }: Service): Promise<string | null> {
  const found = await db
    .selectFrom('customers')
    .innerJoin('payment_requests', (join) =>
      join
        .onRef('payment_requests.tenant_id', '=', 'customers.tenant_id')
        .onRef('payment_requests.merchant_customer_id', '=', 'customers.id'),
    )
    .innerJoin('tenants', 'tenants.tenant_id', 'customers.tenant_id')
    .where('customers.external_ref', '=', lastMerchant)
    // One that was reset has lost its credentials to another.
    .where('tenants.suspended_at', 'is', null)
    .orderBy('customers.tenant_id')
    .select('customers.tenant_id')
    .limit(1)
    .executeTakeFirst();
  return found?.tenant_id ?? null;
}

/**
 * The first cell of this process in which a Tenant is found: it may have been moved (rules/cells#15).
 * @throws ApiError 503 where it may be in one that is away
 */
async function inCells(
  { peers, control }: Service,
  find: (cell: Service) => Promise<string | null>,
): Promise<{ readonly cell: Service; readonly tenantId: string } | null> {
  for (const cell of peers.open) {
    const tenantId = await find(cell);
    if (tenantId !== null) return { cell, tenantId };
  }
  const sql = 'select from control.tenants where cell = any ($1) limit 1';
  if ((await control.query(sql, [[...peers.away]])).rowCount !== 0) peers.all();
  return null;
}

/** The sample of a new sandbox (rules/sandbox#20). */
export interface Sample {
  readonly settings: Partial<Settings>;
  /** Of the Tenant that the first start makes. */
  brand(tenantId: string): Promise<void>;
  seed(tenantId: string): Promise<void>;
}

/** Reads the facts from the file, else makes new credentials, else a new tenant with the sample. */
async function factsOf(service: Service, path: string, sample: Sample): Promise<TenantFacts> {
  const saved = await read(path);
  const known = saved && (await inCells(service, (cell) => tenantOf(cell, saved)));
  // The addresses may have changed with the settings.
  if (saved && known) {
    const webhook_secret = await signingSecretOf(known.cell, known.tenantId, saved);
    const portal_sign_in_url = await signInLinkOf(known.cell, known.tenantId);
    return { ...saved, webhook_secret, portal_sign_in_url, ...addressesOf(service) };
  }
  const existing = await inCells(service, sampleTenant);
  if (existing !== null) return replaceCredentials(existing.cell, existing.tenantId);
  const { settings } = sample;
  const { tenantId, facts } = await createTenant(service, { name: sampleName, settings });
  await sample.brand(tenantId);
  await sample.seed(tenantId);
  return facts;
}

/** The sample tenant of this sandbox, its sample made and its file written. */
export async function sandboxTenant(service: Service, sample: Sample): Promise<TenantFacts> {
  const path = sandboxFile(service.config.dataDir);
  const facts = await factsOf(service, path, sample);
  await write(path, facts);
  return facts;
}
