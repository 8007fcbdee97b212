import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { atMost } from '@tenant-payments/engine/at_most.ts';
import { openKnownIds } from '@tenant-payments/engine/known_ids.ts';
import { settingsOf } from '@tenant-payments/engine/settings.ts';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database.ts';
import { shownLogo } from '../../tenants/logos/logos.ts';

/** The Tenant's data in the HTML of a page. */
export interface Shell {
  readonly branding: Pick<Settings['branding'], 'name' | 'primary_color'>;
  /** The path of the logo on this server; null: none is shown. */
  readonly logo: string | null;
  readonly frameOrigins: readonly string[];
}

const defaultShell: Shell = {
  branding: { name: 'Tenant Payments', primary_color: '#1f5eff' },
  logo: null,
  frameOrigins: [],
};

/** Changed settings take effect within this time. */
const believedMs = 1_000;
const maximumCached = 10_000;
const tenantForm = /^[0-9a-f]{32}$/;
/** The id of the Tenant in a path; null where there can be none. */
export const tenantIn = (hex: string): string | null =>
  tenantForm.test(hex) ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : null;

const readIds = async (db: Kysely<Database>): Promise<ReadonlyMap<string, true>> => {
  const rows = await db.selectFrom('tenants').select('tenant_id').execute();
  return new Map(rows.map(({ tenant_id }) => [tenant_id, true]));
};

/** @returns the data of the Tenant whose id stands in a path; a default where there is none */
export function openTenantShells(db: Kysely<Database>): (hex: string) => Promise<Shell> {
  const isTenant = openKnownIds(() => readIds(db));
  const cache = new LRUCache<string, Promise<Shell>>({ ...atMost(maximumCached), ttl: believedMs });

  async function read(id: string): Promise<Shell> {
    const row = await db
      .selectFrom('tenants')
      .where('tenant_id', '=', id)
      .select(['name', 'settings'])
      .executeTakeFirstOrThrow();
    const { branding, frame_origins } = settingsOf(id, row);
    return {
      branding,
      logo: branding.logo_url === null ? null : await shownLogo(db, id, branding.logo_url),
      frameOrigins: frame_origins.map((address) => new URL(address).origin),
    };
  }

  return async (hex) => {
    const id = tenantIn(hex);
    const before = id === null ? undefined : cache.get(id);
    if (before) return before;
    if (id === null || !(await isTenant(id))) return defaultShell;
    const shell = read(id);
    cache.set(id, shell);
    shell.catch(() => cache.delete(id));
    return shell;
  };
}
