import { firstUses } from '@tenant-payments/contract/core/request_uses.ts';
import { defaultSettings, type Settings } from '@tenant-payments/contract/core/settings.ts';
import { type Actor, serviceActor } from '@tenant-payments/engine/actor.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { consoleSite, docsSite } from '@tenant-payments/service/config/sites.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import { beginCalendar } from '@tenant-payments/service/jobs/calendar.ts';
import { securityEvent } from '@tenant-payments/service/operations/security_events.ts';
import { fillReserve } from '@tenant-payments/service/resources/accounts/sandbox_reserve.ts';
import { publishSamples } from '@tenant-payments/service/resources/customers/documents/samples/samples.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  type ClientCredentials,
  issueClient,
  replaceCredentials as replaceClient,
} from '@tenant-payments/service/tenants/credentials.ts';
import {
  addWebhookSecret,
  type NewWebhookSecret,
} from '@tenant-payments/service/webhooks/secrets.ts';
import type { Kysely } from 'kysely';
import { beside } from '../audit/beside.ts';
import { platform, queryableOf } from '../people/scope.ts';
import { sandboxSignInLink } from '../people/sign_in/sandbox_link.ts';

/** The facts that an integrator needs: the content of `sandbox.json` (rules/sandbox#24). */
export interface TenantFacts extends ClientCredentials {
  readonly base_url: string;
  readonly webhook_secret: string;
  readonly portal_url: string;
  /** Signs in once as the sample person; null in production. */
  readonly portal_sign_in_url: string | null;
  /** null: no shop is open here. */
  readonly shop_url: string | null;
  /** null: the documentation is not served. */
  readonly docs_url: string | null;
}

export interface NewTenant {
  readonly name: string;
  /** Requests in 60 s; absent: 6,000. */
  readonly rateLimit?: number | undefined;
  /** The settings that differ from their defaults. */
  readonly settings?: Partial<Settings>;
  /** Its id; absent: a new one. */
  readonly tenantId?: string;
  /**
   * How far its clock begins behind real time, and from when on its daily jobs recur: both in ms before
   * now. Only a sandbox's may; absent: neither.
   */
  readonly past?: { readonly clockMs: number; readonly dailyMs: number };
}

/** Settings of a new Tenant: in production without the uses that its bank must permit (rules/request-uses#3). */
const settingsAtFirst = ({ environment }: Maker, name: string): Partial<Settings> =>
  environment === 'sandbox'
    ? {}
    : {
        flows: { ...defaultSettings(name).flows, payments_bank: false },
        request_uses: firstUses,
      };

/** The settings to store, exactly those that were set: the rest follows the defaults (rules/operations#74). */
const settingsGiven = (
  maker: Maker,
  { name, rateLimit, settings }: NewTenant,
): Partial<Settings> => ({
  ...settingsAtFirst(maker, name),
  ...(rateLimit !== undefined && { rate_limit_per_minute: rateLimit }),
  ...settings,
});

/** The addresses of this deployment. The shop's is another site than that of the hosted pages. */
export function addressesOf({ config }: Pick<Service, 'config'>) {
  const base = config.publicUrl;
  const hasShop = config.environment === 'sandbox' && config.shop !== 'off';
  const shop = new URL(base);
  if (shop.hostname === 'localhost') shop.hostname = '127.0.0.1';
  return {
    base_url: base,
    portal_url: `${consoleSite(config)}/portal`,
    shop_url: hasShop ? `${shop.origin}/shop` : null,
    docs_url: docsSite(config),
  };
}

const newId = idMaker();

/** Made anew at each start of a sandbox (rules/sign-in#16). */
export const signInLinkOf = async (maker: Maker, tenantId: string): Promise<string | null> =>
  maker.environment === 'sandbox' ? sandboxSignInLink(maker, tenantId) : null;

type Secrets = ClientCredentials & Pick<TenantFacts, 'webhook_secret'>;

/** The facts that an integrator gets beside the secrets. */
async function factsOf(maker: Maker, tenantId: string, secrets: Secrets): Promise<TenantFacts> {
  return {
    ...secrets,
    portal_sign_in_url: await signInLinkOf(maker, tenantId),
    ...addressesOf(maker),
  };
}

/** The parts of the service that make a Tenant. */
type Maker = Pick<
  Service,
  | 'config'
  | 'environment'
  | 'clocks'
  | 'db'
  | 'pool'
  | 'vault'
  | 'log'
  | 'engine'
  | 'platformEngine'
>;

interface MadeTenant {
  readonly tenantId: string;
  readonly facts: TenantFacts;
}

/**
 * Makes a Tenant in one transaction with what else belongs to it.
 * @param actor who asks for it
 */
async function plantTenant<T>(
  maker: Maker,
  tenant: NewTenant,
  actor: Actor,
  also: (connection: Queryable, tenantId: string) => Promise<T>,
): Promise<{ readonly tenantId: string; readonly made: T }> {
  const { clocks, environment } = maker;
  const { tenantId = newId(clocks.realNow()), past = { clockMs: 0, dailyMs: 0 } } = tenant;
  const before = (ms: number) => instantOf(clocks.realNow() - ms);
  const now = before(past.clockMs);
  const settings = JSON.stringify(settingsGiven(maker, tenant));
  const entry = { scope: platform, actor, act: 'createTenant', record: tenantId };
  const plant = async (tx: Kysely<Database>): Promise<T> => {
    const connection = queryableOf(tx);
    await connection.query(
      `insert into tenants (tenant_id, name, settings, created_at, clock_offset_ms)
       values ($1, $2, $3, $4, $5)`,
      [tenantId, tenant.name, settings, now, -past.clockMs],
    );
    await beginCalendar(connection, environment, tenantId, before(past.dailyMs), past.clockMs);
    await publishSamples(connection, tenantId, now);
    return also(connection, tenantId);
  };
  return { tenantId, made: await beside(maker, () => [entry], plant) };
}

/** Makes a Tenant with a client and a first webhook secret. */
export async function makeTenant(
  maker: Maker,
  tenant: NewTenant,
  actor: Actor,
): Promise<MadeTenant> {
  const { tenantId, made } = await plantTenant(maker, tenant, actor, (connection, id) =>
    issueClient(connection, maker, id),
  );
  const add = addWebhookSecret(maker.vault);
  const { body } = await maker.engine.submit(add, { tenantId, input: {} });
  const { secret: webhook_secret }: NewWebhookSecret = JSON.parse(body);
  return { tenantId, facts: await factsOf(maker, tenantId, { ...made, webhook_secret }) };
}

const withReserve = async ({ engine }: Pick<Service, 'engine'>, tenantId: string) =>
  engine.submit(fillReserve, { tenantId, input: {} });

/**
 * Makes a Tenant of a sandbox that nobody can reach yet, to take another one's place.
 * @returns its id
 */
export async function createUnreachable(
  service: Service,
  tenant: NewTenant,
  actor: Actor,
): Promise<string> {
  const { tenantId } = await plantTenant(service, tenant, actor, async () => null);
  await withReserve(service, tenantId);
  return tenantId;
}

/**
 * Makes a Tenant and, in the sandbox, its reserve. The tenant's row is written without the engine,
 * which needs a tenant for every command.
 * @param actor who asks for it
 */
export async function createTenant(
  service: Service,
  tenant: NewTenant,
  actor: Actor = serviceActor,
): Promise<MadeTenant> {
  const made = await makeTenant(service, tenant, actor);
  const { tenantId } = made;
  if (service.environment === 'sandbox') await withReserve(service, tenantId);
  return made;
}

/** Replaces credentials that were lost, and retires the old ones. The operator's start does it. */
export async function replaceCredentials(service: Service, tenantId: string): Promise<TenantFacts> {
  const replace = replaceClient(service.vault);
  const { body } = await service.engine.submit(replace, { tenantId, input: {} });
  const secrets: Secrets = JSON.parse(body);
  const { client_id } = secrets;
  securityEvent(service.log, 'credentials_replaced', {
    actor: 'operator',
    tenant_id: tenantId,
    client_id,
  });
  return factsOf(service, tenantId, secrets);
}
