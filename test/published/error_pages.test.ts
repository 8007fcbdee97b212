import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { ContractCode } from '@tenant-payments/contract/core/errors.ts';
import { provocations } from '@tenant-payments/contract/errors/provoke.ts';
import { errorMeanings } from '@tenant-payments/contract/resources/errors.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRails, sandboxSample } from '../../start/composition.ts';
import { snippetsOf } from '../kit/guides/snippets.ts';
import { openShell } from '../kit/processes/shell.ts';
import { openServer } from '../kit/server.ts';

/** The pages of the codes: what one has a reader type is typed as it stands (rules/errors#44). */

const server = await openServer({ manual: true, alone: true, tenant: { calendar: false } });
const { tenant, baseUrl } = server;
const shell = openShell({
  cwd: tmpdir(),
  env: {
    ...process.env,
    PAY_BASE_URL: baseUrl,
    PAY_CLIENT_ID: tenant.client_id,
    PAY_CLIENT_SECRET: tenant.client_secret,
  },
});

/** The blocks of shell of a page below docs. */
const shellIn = (page: string): string[] =>
  snippetsOf(readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8'))
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);

beforeAll(async () => {
  const rails = await openRails(server.service);
  await sandboxSample(server.service, rails).seed(tenant.tenantId);
  const [keys = ''] = shellIn('guide/quickstart.md');
  // The keys are in the environment already.
  await shell.run(keys.replace(/^eval .*\n/, ''));
});
afterAll(() => shell.stop());

/** Types lines that nothing refuses. */
async function type(lines: string): Promise<void> {
  expect(await shell.run(`:\n${lines}`)).not.toContain('"error":{');
}

/** @returns the error that answers the provoking call */
async function provoke(code: ContractCode) {
  const [block = ''] = shellIn(`reference/errors/${code}.md`);
  const [before = '', rest = ''] = block.split(`# answered with ${code}:\n`);
  const [call = '', ...after] = rest.trim().replaceAll('\\\n', '').split('\n');
  await type(before);
  const answers = await shell.run(call);
  await type(after.join('\n'));
  return JSON.parse(answers.trim().split('\n').at(-1) ?? '').error;
}

const codes = Object.keys(provocations) as ContractCode[];
const isTyped = (code: ContractCode) => 'call' in provocations[code];

test.each(codes.filter(isTyped))(
  'what the page of %s has one type is answered with it, and with the details that it names',
  async (code) => {
    const { code: answered, details } = await provoke(code);
    expect(answered).toBe(code);
    const fields = errorMeanings[code].details.split(', ').filter((field) => field !== '');
    const given = Object.keys(details ?? {});
    expect(fields.map((field) => field.replace('?', ''))).toEqual(expect.arrayContaining(given));
    expect(given).toEqual(expect.arrayContaining(fields.filter((field) => !field.endsWith('?'))));
  },
);

test('no short call of the sandbox brings about sandbox_only, and every other code is provoked', () => {
  expect(codes.filter((code) => !isTyped(code))).toEqual(['sandbox_only']);
});
