import { randomInt } from 'node:crypto';
import { provocations } from '@tenant-payments/contract/errors/provoke.ts';
import type { Provocation, ProvokeStep } from '@tenant-payments/contract/errors/steps.ts';
import { beforeAll, expect, test } from 'vitest';
import { openRails, sandboxSample } from '../../service/composition.ts';
import type { ReplyBody } from '../kit/http/http.ts';
import { keyFor } from '../kit/ids.ts';
import { openServer } from '../kit/server.ts';

/** The pages of the codes: what one has a reader type is sent as it stands (rules/errors#44). */

const server = await openServer({ manual: true, tenant: { calendar: false } });
beforeAll(async () => {
  const rails = await openRails(server.service);
  await sandboxSample(server.service, rails).seed(server.tenant.tenantId);
});

type Variables = Map<string, string>;

const filled = (text: string, variables: Variables) =>
  text.replaceAll(/\$([A-Z]+)/g, (name, word) => variables.get(word) ?? name);

/** The value at a place such as `data[0].id`. */
const at = (body: ReplyBody, place: string): string =>
  place.split(/[.[\]]+/).reduce((value, key) => value[key], body);

async function sendOnce(step: ProvokeStep, variables: Variables) {
  const { body, form, without } = step;
  const method = step.method ?? (body || form ? 'POST' : 'GET');
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await server.call(method, filled(step.path, variables), {
    ...(without === 'key' ? {} : keyFor(method)),
    ...(form || without === 'token' ? { token: null } : {}),
    ...(form ? { body: `${new URLSearchParams(form)}`, headers: type } : {}),
    ...(body ? { body: filled(JSON.stringify(body), variables) } : {}),
  });
  for (const [name, place] of Object.entries(step.keep ?? {}))
    variables.set(name, at(reply.body, place));
  return reply;
}

async function send(step: ProvokeStep, variables: Variables) {
  for (let sent = 1; sent < (step.times ?? 1); sent += 1) await sendOnce(step, variables);
  return sendOnce(step, variables);
}

/** @returns the code that answers the provoking call */
async function provoke({ before, call, after }: Provocation): Promise<string> {
  const variables: Variables = new Map([
    ['REF', `new-${randomInt(1e9)}`],
    ['MOBILE', `+1415555${randomInt(1_000, 10_000)}`],
  ]);
  for (const step of before)
    expect((await send(step, variables)).status, step.path).toBeLessThan(300);
  const { body } = await send(call, variables);
  for (const step of after)
    expect((await send(step, variables)).status, step.path).toBeLessThan(300);
  return body.error.code;
}

const isCall = (how: object): how is Provocation => 'call' in how;
const codes = Object.entries(provocations);

test.each(codes.flatMap(([code, how]) => (isCall(how) ? [{ code, how }] : [])))(
  'what the page of $code has one type is answered with it',
  async ({ code, how }) => {
    expect(await provoke(how)).toBe(code);
  },
);

test('no short call of the sandbox brings about sandbox_only, and every other code is provoked', () => {
  const told = codes.filter(([, how]) => !isCall(how)).map(([code]) => code);
  expect(told).toEqual(['sandbox_only']);
});
