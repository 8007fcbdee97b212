import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { generalErrors } from '@tenant-payments/contract/core/errors.ts';
import { openApiDocument } from '@tenant-payments/contract/emit/openapi/openapi.ts';
import { portalDocument } from '@tenant-payments/contract/emit/openapi/portal.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, expect, test } from 'vitest';
import { runNode } from '../kit/processes/run_node.ts';

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

type Json = Record<string, unknown>;
interface Content {
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Record<string, { $ref: string }>;
}
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: { $ref?: string; schema?: Json; example?: unknown; required?: boolean }[];
  readonly requestBody?: { content: Record<string, Content> };
  readonly responses: Record<string, { $ref?: string; content?: Record<string, Content> }>;
}

const documents: Record<string, Json> = {
  contract: openApiDocument({ baseUrl: 'http://localhost:8080' }),
  portal: portalDocument({ baseUrl: 'http://localhost:8080' }),
};

const operationsOf = (document: Json): Operation[] =>
  [document.paths, document.webhooks ?? {}].flatMap((group) =>
    Object.values(group as Record<string, Record<string, Operation>>).flatMap((path) =>
      Object.values(path),
    ),
  );

const { components } = openApiDocument({ baseUrl: 'http://localhost:8080' });

const cases = Object.entries(documents).flatMap(([name, document]) =>
  operationsOf(document).map((operation) => [name, operation.operationId, operation] as const),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
for (const [name, document] of Object.entries(documents)) ajv.addSchema(document, name);

/** What an example breaks of its schema. */
function faults(document: string, schema: Json, example: unknown): string {
  const located = JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${document}#/`));
  const validate = ajv.compile(located);
  return validate(example) ? '' : ajv.errorsText(validate.errors);
}

test.each(cases)('%s %s: its examples are there and fit their schemas', (name, _id, operation) => {
  const { requestBody, responses, parameters = [] } = operation;
  for (const { schema, example, required } of parameters) {
    if (schema === undefined) continue;
    expect(example !== undefined || !required).toBe(true);
    if (example !== undefined) expect(faults(name, schema, example)).toBe('');
  }
  const replies = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const contents = [requestBody, ...replies.map(([, reply]) => reply)].flatMap((part) =>
    Object.values(part?.content ?? {}),
  );
  expect(contents.length).toBeGreaterThan(0);
  for (const { schema, example } of contents) {
    expect(example).toBeDefined();
    expect(faults(name, schema, example)).toBe('');
  }
});

test('every refusal has an example that is an envelope with its code', () => {
  const { examples } = components as { examples: Record<string, Json> };
  for (const [code, { value }] of Object.entries(examples)) {
    expect(faults('contract', { $ref: '#/components/schemas/ErrorEnvelope' }, value)).toBe('');
    expect(value).toMatchObject({ error: { code } });
  }
});

const general: readonly string[] = generalErrors;
const catalog = Object.values<EndpointDefinition>({ ...endpoints });
const portal = Object.values<EndpointDefinition>({ ...portalEndpoints });

test.each([
  ...catalog.map((endpoint) => ['contract', endpoint.id, endpoint] as const),
  ...portal.map((endpoint) => ['portal', endpoint.id, endpoint] as const),
])('%s %s: its description names its own refusals', (name, id, { errors, summary }) => {
  const { description = '' } =
    operationsOf(documents[name] ?? {}).find(({ operationId }) => operationId === id) ?? {};
  for (const code of errors.filter((error) => !general.includes(error)))
    expect(description).toContain(`\`${code}\`: `);
  // The contract's operations say more than their summary.
  if (name === 'contract') expect(description.startsWith(summary)).toBe(false);
});
