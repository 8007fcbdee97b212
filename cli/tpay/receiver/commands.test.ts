import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReceiver, right } from '../../../test/kit/receivers/right.ts';
import { openTpay } from '../../../test/kit/tpay.ts';

const secret = 'whsec_0123456789';
const tpay = () => openTpay({ PAY_WEBHOOK_SECRET: secret });
const receiver = (secrets = [secret]) => openReceiver({ ...right, secrets });
const check = ['receiver', 'check'];

test('a receiver that passes ends with 0, one that fails with 1 and what to read', async () => {
  const { url } = await receiver();
  const good = await tpay()(...check, url);
  expect([good.code, good.out.at(-2)]).toEqual([
    0,
    expect.stringMatching(/^\d+ passed, 0 failed, \d+ not shown; \d+ requests\.$/),
  ]);
  expect(good.err[0]).toBe(`To ${url} go up to 150 events, signed with the secret.`);
  const bad = await tpay()(...check, (await receiver(['whsec_other'])).url);
  const at = bad.out.findIndex((line) => line.startsWith('FAIL       acknowledges'));
  expect([bad.code, bad.out[at + 1]]).toEqual([
    1,
    expect.stringMatching(
      /^ +answered 400 \(does it have this secret\?\)\. Read rules\/webhooks#2\.$/,
    ),
  ]);
});

test('with --json it is one line, and --only plays what it names and needs', async () => {
  const { url } = await receiver();
  const answer = await tpay().json(...check, url, '--only', 'refuses-old', '--seed', 'ours');
  expect(answer).toMatchObject({ ok: true, url, seed: 'ours', requests: 5 });
  expect(answer.duties.map(({ id }: { id: string }) => id)).toEqual([
    'in-time',
    'no-redirect',
    'acknowledges',
    'refuses-forged',
    'refuses-old',
  ]);
  const listed = await tpay().json(...check, '--list');
  expect(listed.data[0]).toEqual({
    id: 'certificate',
    duty: expect.any(String),
    rule: expect.stringMatching(/^rules\//),
  });
});

test('nothing goes to another machine before somebody agrees', async () => {
  const elsewhere = 'http://shop.invalid/hooks';
  const alone = await tpay()(...check, elsewhere);
  expect([alone.code, alone.err.at(-2)]).toEqual([
    1,
    'error: made-up events would go to shop.invalid, and nobody can be asked',
  ]);
  const asked: string[] = [];
  const declining = tpay().with({ ask: async (question) => `${asked.push(question) && 'n'}` });
  expect((await declining(...check, elsewhere)).code).toBe(1);
  expect(asked).toEqual(['Send them to shop.invalid? [y/N] ']);
  const only = ['--only', 'acknowledges', '--yes'];
  const sent = await tpay()(...check, elsewhere, ...only);
  expect([sent.code, sent.out.join()]).toEqual([1, expect.stringMatching(/ENOTFOUND|EAI_AGAIN/)]);
});

test('the secret comes from a file or a pipe, and never stands in the command', async () => {
  const { url } = await receiver();
  const only = ['--only', 'acknowledges', '--secret'];
  const own = openTpay();
  const file = join(own.home, 'secret.txt');
  writeFileSync(file, `${secret}\n`);
  expect((await own(...check, url, ...only, `@${file}`)).code).toBe(0);
  const piped = own.with({ readInput: async () => secret });
  expect((await piped(...check, url, ...only, '-')).code).toBe(0);
  const { code, err } = await own(...check, url, ...only, secret);
  expect([code, err[0]]).toEqual([2, 'error: a secret does not stand in a command']);
});

test('a --state that cannot be read ends it before anything is sent', async () => {
  const { url } = await receiver();
  const { code, err, out } = await tpay()(...check, url, '--state', 'http://127.0.0.1:1/orders');
  expect([code, out]).toEqual([1, []]);
  expect(err[0]).toMatch(/^error: http:\/\/127\.0\.0\.1:1\/orders cannot be read: /);
});

test('what --state shows before and after says whether an event had an effect', async () => {
  const { url, stateUrl } = await receiver();
  const only = ['--only', 'duplicate-no-effect', '--state', stateUrl];
  const { duties } = await tpay().json(...check, url, ...only);
  expect(duties.at(-1)).toMatchObject({ id: 'duplicate-no-effect', verdict: 'pass' });
});

test.each([
  [[], 'check needs an address'],
  [['http://ada:pin@localhost/hooks'], 'an endpoint holds no credentials'],
  [['3000/hooks', '--only', 'refuses-odl'], '"refuses-odl" is not a duty'],
  [['3000/hooks', '--within', '20s'], 'the service waits 10s, and no longer'],
  [['3000/hooks', '--secret', '@/nowhere'], '/nowhere cannot be read (ENOENT)'],
])('receiver check %j is wrong usage', async (args, says) => {
  const { code, err } = await tpay()(...check, ...args);
  expect([code, err[0]]).toEqual([2, `error: ${says}`]);
});
