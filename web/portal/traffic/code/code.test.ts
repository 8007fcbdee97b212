import { execFileSync } from 'node:child_process';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import type { OperationExample } from '@tenant-payments/contract/emit/examples/operation_example.ts';
import { operationExamples } from '@tenant-payments/contract/emit/examples/operations.ts';
import { expect, test } from 'vitest';
import { webhooks } from '../../../../sdk/server/webhooks.ts';
import { redactedJson, redactedTarget } from '../../../../service/http/log/redact.ts';
import { problemsOf } from '../../../../test/kit/compile.ts';
import { type LoggedCall, operations } from './call.ts';
import { curlOf } from './curl.ts';
import { literal, sdkCodeOf } from './sdk_code.ts';
import { digestOf, signatureParts, signedString, verifyCodeOf } from './verify_code.ts';

const baseUrl = 'https://pay.example.com';
const all = Object.values<EndpointDefinition>(endpoints);

/** The example of an operation as the request log shows it: redacted. */
function logged(endpoint: EndpointDefinition): LoggedCall {
  const example: OperationExample =
    operationExamples[endpoint.id as keyof typeof operationExamples];
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    String(example.path?.[name]),
  );
  const query = new URLSearchParams(
    Object.fromEntries(
      Object.entries(example.query ?? {}).map(([name, value]) => [name, String(value)]),
    ),
  );
  return {
    method: endpoint.method,
    path: redactedTarget(query.size > 0 ? `${path}?${query}` : path),
    request_body: example.body ? redactedJson(example.body) : null,
  };
}

test('every operation of the contract is known, with its method of the SDK', () => {
  expect(operations.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect(operations.filter(({ call }) => call === null).map(({ id }) => id)).toEqual([
    'createToken',
  ]);
});

// The compiler reads the SDK and the contract first.
const patiently = { timeout: 60_000 };

test('the SDK code of every operation compiles, also where fields are hidden', patiently, () => {
  const programs = new Map(all.map((one) => [one.id, sdkCodeOf(logged(one), baseUrl) ?? '']));
  programs.set('verify', verifyCodeOf('t=1,v1=00', '{"a":"it\'s"}'));
  for (const [id, text] of programs) expect([id, text.includes('[redacted]')]).toEqual([id, false]);
  expect(programs.get('createCustomer')).toContain("email: 'YOUR_EMAIL'");
  expect(programs.get('listTransactions')).toContain('limit: 25');
  expect(problemsOf(programs)).toEqual([]);
});

/** The arguments with which a shell would run curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`;
  const env = { ...process.env, ACCESS_TOKEN: 'tok_1' };
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

test.each(all)('curl of $id asks for just that', (endpoint) => {
  const call = logged(endpoint);
  const given = argumentsOf(curlOf(call, baseUrl, () => 'key-1'));
  expect(given.slice(0, 2)).toEqual(['--request', endpoint.method]);
  const url = new URL(given[2] ?? '');
  const sent = new URL(call.path, baseUrl);
  expect([url.pathname, ...url.searchParams]).toEqual([sent.pathname, ...sent.searchParams]);
  expect(given.includes('idempotency-key: key-1')).toBe(endpoint.idempotent !== 'none');
  expect(given.includes('authorization: Bearer tok_1')).toBe(endpoint.id !== 'createToken');
  const body = given[given.indexOf('--data') + 1];
  if (endpoint.body && endpoint.bodyType !== 'form')
    expect(Object.keys(JSON.parse(body ?? ''))).toEqual(
      Object.keys(JSON.parse(call.request_body ?? '')),
    );
  expect(given.join(' ')).not.toContain('[redacted]');
});

const hostile = `it's "$(touch x)" \`y\` \\ \n é 🙂 \${z}`;

test('no text of a body leaves its quotes, in the shell and in TypeScript', () => {
  const call = {
    method: 'POST',
    path: '/v1/payments',
    request_body: JSON.stringify({ [hostile]: hostile }),
  };
  const given = argumentsOf(curlOf(call, baseUrl, () => 'k'));
  expect(JSON.parse(given[given.indexOf('--data') + 1] ?? '')).toEqual({ [hostile]: hostile });
  // biome-ignore lint/security/noGlobalEval: the literal is what is tested
  expect(eval(`(${literal({ [hostile]: [hostile, 1, null, true] })})`)).toEqual({
    [hostile]: [hostile, 1, null, true],
  });
});

test('a path of no operation has a command, and no method of the SDK', () => {
  const call = { method: 'GET', path: '/v1/nothing/[redacted]?a=[redacted]', request_body: null };
  expect(sdkCodeOf(call, baseUrl)).toBeNull();
  expect(argumentsOf(curlOf(call, baseUrl, () => 'k'))[2]).toBe(
    `${baseUrl}/v1/nothing/YOUR_VALUE?a=YOUR_A`,
  );
});

test('a body that was cut is asked for', () => {
  const call = { method: 'POST', path: '/v1/payments', request_body: '{"a":"b' };
  expect(argumentsOf(curlOf(call, baseUrl, () => 'k'))).toContain('@body.json');
  expect(sdkCodeOf(call, baseUrl)).toContain('too long');
});

test('the signed string and the digest of the page are those of the SDK', async () => {
  const header = webhooks.sign('{"é":1}', ['whsec_a', 'whsec_b'], new Date(1_700_000_000_000));
  const parts = signatureParts(header);
  expect(parts.seconds).toBe('1700000000');
  const signed = signedString(parts, '{"é":1}');
  expect(parts.digests).toEqual([
    await digestOf('whsec_a', signed),
    await digestOf('whsec_b', signed),
  ]);
});
