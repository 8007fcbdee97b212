import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import { endpoints, records } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { generalErrors } from '@tenant-payments/contract/core/errors.ts';
import { schemaMarks } from '@tenant-payments/contract/core/schema.ts';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, expect, test } from 'vitest';
import { eventFault } from '../kit/http/contract_check.ts';
import { runNode } from '../kit/processes/run_node.ts';
import { documents, faults, type Json, places } from './openapi/documents.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
const redocly = require.resolve('@redocly/cli/package.json');
const linter = join(redocly, '..', 'bin', 'cli.js');

const folder = mkdtempSync(join(tmpdir(), 'tpay-openapi-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Loaded before the linter: whoever opens a connection ends the process with a word about it. */
const guard = join(folder, 'guard.cjs');
writeFileSync(
  guard,
  `require('node:net').Socket.prototype.connect = function (to) {
    require('node:fs').writeSync(2, 'CONNECTS ' + JSON.stringify(to));
    process.exit(97);
  };`,
);
const offline = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NODE_OPTIONS: `--require ${guard}`,
};

test('the guard sees a connection', async () => {
  const call = ['--eval', "fetch('http://127.0.0.1:59999').catch(() => {})"];
  const { code, stderr } = await runNode(call, { cwd: folder, env: offline });
  expect([code, stderr]).toEqual([97, expect.stringContaining('CONNECTS')]);
});

test.each(['openapi.yaml', 'portal.openapi.yaml'])(
  '%s has no error and no warning by its linter, which asks nobody',
  async (name) => {
    const file = join(root, 'docs/reference', name);
    const config = join(root, 'redocly.yaml');
    const args = [linter, 'lint', file, '--config', config, '--format', 'json'];
    const { code, stdout, stderr } = await runNode(args, { cwd: root, env: offline });
    expect(stderr).not.toContain('CONNECTS');
    const { totals, problems } = JSON.parse(stdout);
    expect(problems).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, warnings: 0, ignored: 0 });
    expect(code).toBe(0);
  },
);

interface Operation {
  readonly operationId: string;
  readonly description: string;
}

const operationsOf = (document: Json): Operation[] =>
  Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((path) =>
    Object.values(path),
  );

test.each(Object.entries(documents))('%s: every place has an example that fits it', (name) => {
  const own = places.filter(({ document }) => document === name);
  expect(own.length).toBeGreaterThan(500);
  for (const place of own) {
    expect(place.examples.length, place.name).toBeGreaterThan(0);
    for (const example of place.examples)
      expect(faults(place.document, place.schema, example), place.name).toBe('');
  }
});

const catalogs = { contract: endpoints, portal: portalEndpoints };
const served = Object.entries(catalogs).flatMap(([document, catalog]) =>
  Object.values<EndpointDefinition>(catalog).map(
    (endpoint) => [document, endpoint.id, endpoint] as const,
  ),
);

const exact = new Ajv({ strict: true, keywords: schemaMarks });
addFormats.default(exact);

test.each(served)('%s %s: the example of its reply is exactly what it answers', (...given) => {
  const [document, id, { success }] = given;
  const validate = exact.compile(success.schema);
  const [reply] = places.filter(
    (place) => place.document === document && place.name === `${id} ${success.status}`,
  );
  expect(validate(reply?.examples[0]), exact.errorsText(validate.errors)).toBe(true);
});

test('the example of every webhook is exactly what is delivered', () => {
  const delivered = places.filter(({ name }) => /^receive\w+ body$/.test(name));
  expect(delivered.length).toBe(Object.keys(records).length);
  for (const { name, examples } of delivered)
    expect(eventFault(examples[0] as Parameters<typeof eventFault>[0]), name).toBe(null);
});

test('every refusal has an example that is an envelope with its code', () => {
  const { examples } = (documents.contract?.components ?? {}) as { examples: Record<string, Json> };
  for (const [code, { value }] of Object.entries(examples)) {
    expect(faults('contract', { $ref: '#/components/schemas/ErrorEnvelope' }, value)).toBe('');
    expect(value).toMatchObject({ error: { code } });
  }
});

const general: readonly string[] = generalErrors;

test.each(served)(
  '%s %s: its description names its own refusals',
  (name, id, { errors, summary }) => {
    const { description = '' } =
      operationsOf(documents[name] ?? {}).find(({ operationId }) => operationId === id) ?? {};
    for (const code of errors.filter((error) => !general.includes(error)))
      expect(description).toContain(`\`${code}\`: `);
    // The contract's operations say more than their summary.
    if (name === 'contract') expect(description.startsWith(summary)).toBe(false);
  },
);
