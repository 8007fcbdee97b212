import { createTenant as contract } from '@tenant-payments/backoffice/contract/operate/tenants.ts';
import { SettingsChanges } from '@tenant-payments/backoffice/contract/settings/settings.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { sql } from 'kysely';
import { platform } from '../../backoffice/people/scope.ts';
import { checkSettings } from '../../backoffice/settings/checks.ts';
import { getWebhookEndpoint } from '../../backoffice/settings/webhook_endpoint.ts';
import { makeTenant } from '../../backoffice/tenants/create.ts';
import { openPool } from '../../engine/database/pool.ts';
import { fail } from '../../engine/fail.ts';
import { wholeList } from '../../engine/pages.ts';
import { obeying } from '../../engine/production.ts';
import { tellAudit } from '../../engine/write/append_audit.ts';
import { urlOfCell } from '../../fleet/cells.ts';
import { type MoveStep, moveTenant } from '../../fleet/move/move.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import { verifyLedger } from '../../service/invariants/verify.ts';
import {
  resumeTenant,
  type SuspendedTenant,
  type Suspension,
  suspendTenant,
} from '../../service/tenants/suspension.ts';
import { commandLine } from './actor.ts';
import type { Deployment, OpenDatabase } from './deployment.ts';
import { logOperatorEvent } from './operator_event.ts';
import { progress } from './progress.ts';
import { submitted } from './submit.ts';
import { checkedId, checkReason, findTenant, type OfTenant } from './tenant.ts';

interface TenantRow extends Suspension {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

const rowsOf = ({ db }: Pick<OpenDatabase, 'db'>) =>
  db
    .selectFrom('tenants')
    .select(['tenant_id as id', 'name', 'created_at', 'suspended_at', 'suspended_reason']);

/** The Tenant as `tenants show` shows it. */
async function shown(database: OpenDatabase, id: string) {
  const { db } = database;
  await findTenant(database, id);
  const row: TenantRow = await rowsOf(database)
    .where('tenant_id', '=', id)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ client_id: string }>`
    select client_id from clients where tenant_id = ${id} and retired_at is null
    order by client_id`.execute(db);
  const counted = await sql<{ customers: number }>`
    select count(*)::integer as customers from customers where tenant_id = ${id}`.execute(db);
  const endpoint = await getWebhookEndpoint({ tenantId: id, db });
  return {
    ...row,
    client_ids: rows.map(({ client_id }) => client_id),
    webhook_endpoint: endpoint,
    customers: counted.rows[0]?.customers ?? 0,
  };
}

const verifiedWithinMs = 600_000;

interface NewTenant {
  readonly name: string;
  readonly rate_limit?: number;
  readonly settings?: Partial<Settings>;
}

/** The next step, for whoever waits. */
const stepLines: Readonly<Partial<Record<MoveStep, string>>> = {
  begun: 'Copying while the tenant is served …',
  copied: 'Copied. Stopping the tenant …',
  stopped: 'Stopped. Copying the rest …',
  switched: 'Moved, and served again. Clearing the old cell …',
  cleared: 'Verifying its ledger …',
};

/** Proves a Tenant's ledger in a cell. */
async function verifyIn(url: string, tenantId: string) {
  const pool = openPool(url, { max: 1, statementTimeoutMs: verifiedWithinMs });
  try {
    return await verifyLedger(pool, { tenantId });
  } finally {
    await pool.end();
  }
}

export const operations = {
  /** Only of production: a sandbox's Tenant is made by the running service, with its reserve. */
  async create(deployment: Deployment, { settings = {}, ...body }: NewTenant) {
    assertShape(contract.body, body);
    assertShape(SettingsChanges, settings);
    const parts = await deployment.parts();
    checkSettings(settings, obeying(parts.environment));
    const tenant = { name: body.name, rateLimit: body.rate_limit, settings };
    const engines = {
      engine: await deployment.engine(),
      platformEngine: await deployment.platformEngine(),
    };
    const maker = { ...parts, ...engines, log: deployment.log };
    const { tenantId, facts } = await makeTenant(maker, tenant, commandLine());
    logOperatorEvent(deployment, 'tenant_made', { tenant_id: tenantId });
    return { tenant_id: tenantId, ...facts };
  },

  async list(deployment: Deployment) {
    const rows: TenantRow[] = await rowsOf(await deployment.database())
      .orderBy('created_at', 'desc')
      .orderBy('tenant_id', 'desc')
      .execute();
    return wholeList(rows);
  },

  show: async (deployment: Deployment, { tenant }: OfTenant) =>
    shown(await deployment.database(), tenant),

  async suspend(deployment: Deployment, given: OfTenant & { readonly reason: string }) {
    const { tenant, reason } = given;
    checkReason(reason);
    const parts = await deployment.parts();
    const told = { act: 'suspendTenant', event: 'tenant_suspended', scope: platform } as const;
    const { tokens_ended } = await submitted<SuspendedTenant, { reason: string }>(
      deployment,
      tenant,
      told,
      suspendTenant(parts),
      { reason },
    );
    return { ...(await shown(parts, tenant)), tokens_ended };
  },

  /**
   * Moves a Tenant to another cell while it is served (rules/cells#15).
   * @throws ApiError as `moveTenant` does; parameter_invalid {param: to} where processes of these settings
   *   do not serve both cells
   */
  async move(deployment: Deployment, { tenant, to }: OfTenant & { readonly to: string }) {
    const { cells } = deployment.settings;
    if (!cells.includes(to))
      throw fail('parameter_invalid', {
        param: 'to',
        details: { reason: 'unknown_cell', allowed: cells },
        message:
          cells.length === 0
            ? 'CELLS names no cells; a Tenant moves between cells that one process serves'
            : `CELLS names no cell ${to}; it names ${cells.join(', ')}`,
      });
    const { log } = deployment;
    const owners = await deployment.owners();
    const moved = await moveTenant(
      owners,
      { tenantId: checkedId(tenant), to, actor: commandLine() },
      {
        at: (step) => {
          const line = stepLines[step];
          if (line !== undefined) progress(line);
        },
        audited: (rows) => tellAudit(log, rows),
      },
    );
    logOperatorEvent(deployment, 'tenant_moved', { tenant_id: tenant });
    const { ok, checked, violations } = await verifyIn(
      urlOfCell(owners.remote.get(to) ?? owners.control, to),
      tenant,
    );
    return { ...moved, ledger: { ok, checked, violations } };
  },

  async resume(deployment: Deployment, { tenant }: OfTenant) {
    const told = { act: 'resumeTenant', event: 'tenant_resumed', scope: platform } as const;
    await submitted(deployment, tenant, told, resumeTenant, {});
    return shown(await deployment.database(), tenant);
  },
};
