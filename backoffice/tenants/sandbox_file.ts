import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { ParsedConfig } from '@tenant-payments/service/config/config.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { findClient, listClientSecrets } from '@tenant-payments/service/tenants/client_secrets.ts';
import type { ClientCredentials } from '@tenant-payments/service/tenants/credentials.ts';
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

/** Reads the file's facts, or null when it is not there or was damaged. */
async function read(path: string): Promise<TenantFacts | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}

/** The client that the file names. */
interface NamedClient {
  readonly tenantId: string;
  /** The file has a secret that is active; false: another is. */
  readonly isCurrent: boolean;
}

/** null when this database has no such client with an active secret. */
async function namedClientOf({ db }: Service, facts: TenantFacts): Promise<NamedClient | null> {
  if (!facts.client_id || !facts.client_secret || !facts.webhook_secret) return null;
  const client = await findClient(db, facts.client_id, facts.client_secret);
  if (client === null) return null;
  const { tenantId } = client;
  if (client.secretId !== null) return { tenantId, isCurrent: true };
  const others = await listClientSecrets(db, tenantId);
  const isActive = others.some(
    ({ client_id, retired_at }) => client_id === facts.client_id && retired_at === null,
  );
  return isActive ? { tenantId, isCurrent: false } : null;
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
  if (!saved || (await namedClientOf(service, saved))?.tenantId !== tenantId) return;
  const webhook_secret = await signingSecretOf(service, tenantId, saved);
  if (webhook_secret !== saved.webhook_secret) await write(path, { ...saved, webhook_secret });
}

/** Writes a new client secret, where the file names its client (rules/sandbox#24). */
export async function noteClientSecret(
  { environment, dataDir }: Pick<ParsedConfig, 'environment' | 'dataDir'>,
  { client_id, client_secret }: ClientCredentials,
): Promise<void> {
  if (environment !== 'sandbox') return;
  const path = sandboxFile(dataDir);
  const saved = await read(path);
  if (saved?.client_id === client_id) await write(path, { ...saved, client_secret });
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
async function inCells<T>(
  { peers, control }: Service,
  find: (cell: Service) => Promise<T | null>,
): Promise<{ readonly cell: Service; readonly found: T } | null> {
  for (const cell of peers.open) {
    const found = await find(cell);
    if (found !== null) return { cell, found };
  }
  const sql = 'select from control.tenants where cell = any ($1) limit 1';
  if ((await control.query(sql, [[...peers.away]])).rowCount !== 0) peers.all();
  return null;
}

/** The sample of a new sandbox (rules/sandbox#20). */
export interface Sample {
  readonly settings: Partial<Settings>;
  /** Brands the Tenant that the first start makes. */
  brand(tenantId: string): Promise<void>;
  seed(tenantId: string): Promise<void>;
}

/** The sample tenant, as a start shows it. */
export interface SandboxStart {
  readonly facts: TenantFacts;
  /** The file has a client secret that is retired, and another is active, which nobody but its maker knows. */
  readonly isOutdated: boolean;
}

/** Reads the facts from the file, else makes new credentials, else a new tenant with the sample. */
async function startOf(service: Service, path: string, sample: Sample): Promise<SandboxStart> {
  const saved = await read(path);
  const known = saved && (await inCells(service, (cell) => namedClientOf(cell, saved)));
  // The addresses may have changed with the settings.
  if (saved && known) {
    const { tenantId, isCurrent } = known.found;
    const webhook_secret = await signingSecretOf(known.cell, tenantId, saved);
    const portal_sign_in_url = await signInLinkOf(known.cell, tenantId);
    const facts = { ...saved, webhook_secret, portal_sign_in_url, ...addressesOf(service) };
    return { facts, isOutdated: !isCurrent };
  }
  const existing = await inCells(service, sampleTenant);
  if (existing !== null)
    return { facts: await replaceCredentials(existing.cell, existing.found), isOutdated: false };
  const { settings } = sample;
  const { tenantId, facts } = await createTenant(service, { name: sampleName, settings });
  await sample.brand(tenantId);
  await sample.seed(tenantId);
  return { facts, isOutdated: false };
}

/** The advice where the file's client secret is retired. */
export const outdatedAdvice = (path: string) =>
  `${path} has a client secret that is retired, and another is active: write that one there as client_secret, or delete the file, and the next start makes new ones`;

/** The sample tenant of this sandbox, its sample made and its file written. */
export async function sandboxTenant(service: Service, sample: Sample): Promise<SandboxStart> {
  const path = sandboxFile(service.config.dataDir);
  const start = await startOf(service, path, sample);
  await write(path, start.facts);
  if (start.isOutdated) service.log.warn(outdatedAdvice(path));
  return start;
}
