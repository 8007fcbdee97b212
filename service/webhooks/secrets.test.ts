import { beforeEach, expect, test } from 'vitest';
import { openServer, type TestTenant } from '../../test/kit/server.ts';
import {
  addWebhookSecret,
  listSecrets,
  type NewWebhookSecret,
  retireWebhookSecret,
  secretUuidOf,
} from './secrets.ts';
import { openSigningSecrets } from './signing.ts';

let tenant: TestTenant;
let clock = { ms: 0 };

const server = await openServer({ workers: false });
beforeEach(async () => {
  tenant = await server.anotherTenant();
  clock = { ms: 0 };
});

const open = (service: Parameters<typeof openSigningSecrets>[0] = server.service) =>
  openSigningSecrets(service, () => clock.ms);

async function addSecret(): Promise<NewWebhookSecret> {
  const { engine, vault } = server.service;
  const { tenantId } = tenant;
  return JSON.parse((await engine.submit(addWebhookSecret(vault), { tenantId, input: {} })).body);
}

/** Adds a secret and retires the first. @returns the new one */
async function replaceFirst(): Promise<string> {
  const [first] = await listSecrets(server.service.pool, tenant.tenantId);
  const { secret } = await addSecret();
  const { tenantId } = tenant;
  const input = { id: first?.id ?? '' };
  await server.service.engine.submit(retireWebhookSecret, { tenantId, input });
  return secret;
}

test('what another process changes is known a second later at the latest', async () => {
  const secrets = open();
  expect(await secrets.of(tenant.tenantId)).toEqual([tenant.webhook_secret]);
  const { secret } = await addSecret();
  clock.ms = 999;
  expect(await secrets.of(tenant.tenantId)).toEqual([tenant.webhook_secret]);
  clock.ms = 1_000;
  expect((await secrets.of(tenant.tenantId)).toSorted()).toEqual(
    [tenant.webhook_secret, secret].toSorted(),
  );
});

test('what this process changes is known at once', async () => {
  const secrets = open();
  await secrets.of(tenant.tenantId);
  const replacement = await replaceFirst();
  secrets.forget(tenant.tenantId);
  expect(await secrets.of(tenant.tenantId)).toEqual([replacement]);
});

test('secrets that took a second to read are read again: one may be retired by then', async () => {
  let asked = 0;
  let replacement = '';
  const { pool, vault, log } = server.service;
  const slow = Object.create(pool, {
    query: {
      value: async (...given: Parameters<typeof pool.query>) => {
        const answer = await pool.query(...given);
        asked += 1;
        if (asked > 1) return answer;
        replacement = await replaceFirst();
        clock.ms += 1_000;
        return answer;
      },
    },
  });
  expect(await open({ pool: slow, vault, log }).of(tenant.tenantId)).toEqual([replacement]);
  expect(asked).toBe(2);
});

test('a secret that cannot be read in time signs nothing', async () => {
  const { pool, vault, log } = server.service;
  const slow = Object.create(pool, {
    query: {
      value: async (...given: Parameters<typeof pool.query>) => {
        clock.ms += 1_000;
        return pool.query(...given);
      },
    },
  });
  await expect(open({ pool: slow, vault, log }).of(tenant.tenantId)).rejects.toThrow('in time');
});

test('tenants requested in one turn share one query, and each gets its own secrets', async () => {
  const other = await server.anotherTenant();
  const { pool, vault, log } = server.service;
  let asked = 0;
  const counted = Object.create(pool, {
    query: {
      value: (...given: Parameters<typeof pool.query>) => {
        asked += 1;
        return pool.query(...given);
      },
    },
  });
  const secrets = open({ pool: counted, vault, log });
  const both = await Promise.all([tenant, other].map(({ tenantId }) => secrets.of(tenantId)));
  expect(both).toEqual([[tenant.webhook_secret], [other.webhook_secret]]);
  expect(asked).toBe(1);
});

test('a secret that cannot be opened raises an alarm, and the others still sign', async () => {
  const { id, secret } = await addSecret();
  const other = await server.anotherTenant();
  // Moved from another row, the sealed text is whole but not bound to this one.
  await server.service.pool.query(
    `update webhook_secrets set sealed = (select sealed from webhook_secrets where tenant_id = $2)
     where tenant_id = $1 and id <> $3`,
    [tenant.tenantId, other.tenantId, secretUuidOf(id)],
  );
  const lines: unknown[] = [];
  const log = Object.create(server.service.log, {
    error: { value: (facts: unknown) => lines.push(facts) },
  });
  expect(await open({ ...server.service, log }).of(tenant.tenantId)).toEqual([secret]);
  expect(lines).toEqual([expect.objectContaining({ alarm: 'sealed_secret' })]);
});
