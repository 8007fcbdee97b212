import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import { requestCollection } from '@tenant-payments/contract/emit/collection/collection.ts';
import { moneyFolders } from '@tenant-payments/contract/emit/collection/money.ts';
import { setupFolders } from '@tenant-payments/contract/emit/collection/setup.ts';
import { afterAll, expect, test } from 'vitest';
import { runNode } from '../kit/processes/run_node.ts';
import { openServer } from '../kit/server.ts';

const require = createRequire(import.meta.url);
const newman = require.resolve('newman/bin/newman.js');
const steps = [...setupFolders, ...moneyFolders].flatMap((folder) => folder.steps);
const server = await openServer();
const folder = mkdtempSync(join(tmpdir(), 'tpay-collection-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

test('every operation of the catalog stands in the collection', () => {
  const used = new Set<string>(steps.map(({ operation }) => operation));
  expect(Object.keys(endpoints).filter((id) => !used.has(id))).toEqual([]);
});

test('what a step names was kept by a step before it', () => {
  const known = new Set(['base_url', 'client_id', 'client_secret', '$guid']);
  for (const { operation, name, keep = {}, ...rest } of steps) {
    for (const variable of ['external_ref', 'mobile_number', 'now', 'past_day'])
      if (rest.before) known.add(variable);
    const named = [...JSON.stringify(rest).matchAll(/\{\{([$\w]+)\}\}/g)].map(([, word]) => word);
    for (const word of named) expect(known, `${name ?? operation}: ${word}`).toContain(word);
    for (const variable of Object.keys(keep)) known.add(variable);
  }
});

interface Failure {
  readonly source?: { readonly name?: string };
  readonly error: { readonly message: string; readonly test?: string };
}
interface Run {
  readonly stats: Record<'requests' | 'assertions', { total: number; failed: number }>;
  readonly failures: readonly Failure[];
}

async function play(collection: object): Promise<Run> {
  const file = join(folder, 'collection.json');
  const report = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(collection));
  const { client_id, client_secret } = server.tenant;
  const variables = { base_url: server.baseUrl, client_id, client_secret };
  const given = Object.entries(variables).flatMap(([key, value]) => [
    '--env-var',
    `${key}=${value}`,
  ]);
  const args = ['run', file, ...given, '--reporters', 'json', '--reporter-json-export', report];
  await runNode([newman, ...args], { cwd: folder });
  return JSON.parse(readFileSync(report, 'utf8')).run;
}

test('the collection runs from top to bottom with three variables, and again', async () => {
  const reply = await fetch(`${server.baseUrl}/collection.json`);
  const served = (await reply.json()) as { readonly item: readonly { item: unknown[] }[] };
  const total = served.item.flatMap(({ item }) => item).length;
  expect(served).toEqual(requestCollection({ baseUrl: server.service.config.publicUrl }));
  for (const _ of ['on an empty tenant', 'beside what the first run left']) {
    const { stats, failures } = await play(served);
    const told = failures.map(
      ({ source, error }) => `${source?.name}: ${error.test} ${error.message}`,
    );
    expect(told).toEqual([]);
    expect(stats.requests).toMatchObject({ total, failed: 0 });
    expect(stats.assertions.total).toBeGreaterThan(2 * total);
  }
});
