import { expect, test } from 'vitest';
import { uuid } from '../../../../test/kit/ids.ts';
import { code, identity } from '../../../../test/kit/pages/applicant.ts';
import {
  type HostedPage,
  openHostedPages,
  pin,
  refusalLine,
} from '../../../../test/kit/pages/hosted.ts';
import { newPasskey, type Passkey } from '../../../../test/kit/pages/passkey.ts';
import type { Person } from '../../../../test/kit/person.ts';
import { openServer } from '../../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api } = server;
const pages = openHostedPages(server);
const origin = server.service.config.publicUrl;

/** A customer with some passkeys, and a page of contact_change in which nothing is proven. */
async function withPasskeys(count: number) {
  const who = await api.banked('individual');
  await pages.givePins();
  const page = await pages.flow('contact_change', who.customerId);
  expect((await page.ask('/proof/pin', { pin })).body.verdict).toBe('right');
  const keys: Passkey[] = [];
  for (let index = 0; index < count; index += 1) keys.push(await add(page));
  return { who, keys, page: await pages.flow('contact_change', who.customerId) };
}
async function add(page: HostedPage): Promise<Passkey> {
  const key = newPasskey(origin);
  const { options } = (await page.ask('/passkeys/options')).body;
  const reply = await page.ask('/passkeys', { credential: key.create(options) });
  expect(reply.status).toBe(200);
  return key;
}
async function proveBy(page: HostedPage, key: Passkey): Promise<string> {
  const { options } = (await page.ask('/proof/passkey/options')).body;
  return refusalLine(await page.ask('/proof/passkey', { credential: key.get(options) }));
}
/** Whether it confirms a record of its customer. */
async function confirms(who: Person, key: Passkey): Promise<string> {
  const page = await pages.load(who);
  const { body } = await page.ask('/confirm/passkey/options');
  if (body.error) return body.error.details.reason;
  return refusalLine(await page.ask('/confirm/passkey', { credential: key.get(body.options) }));
}
/** The messages about passkeys: each goes to the address and to the number. */
async function told({ customerId }: Person): Promise<object> {
  const rows = await server.engine.query(
    `select kind, count(*)::int as sent from customer_messages
     where tenant_id = $1 and customer_id = $2 and kind like 'passkey%' group by kind`,
    uuid('customer', customerId),
  );
  return Object.fromEntries(rows.map(({ kind, sent }) => [kind, sent]));
}
const unknown = 'parameter_invalid unknown_credential';

test('passkeys are listed newest first, with the day that each was added and last used', async () => {
  const { page, keys } = await withPasskeys(2);
  const [second, first] = page.view.passkeys;
  expect(first.created_at <= second.created_at).toBe(true);
  expect(second).toMatchObject({ name: null, kind: 'unknown', last_used_at: null });
  expect(await proveBy(page, keys[0] ?? newPasskey(origin))).toBe('200');
  const shown = (await page.look()).passkeys;
  expect(shown.map(({ last_used_at }: { last_used_at: unknown }) => last_used_at)).toEqual([
    null,
    expect.any(String),
  ]);
});

test('removing a passkey needs the PIN or a passkey in the same session', async () => {
  const { who, page, keys } = await withPasskeys(2);
  const [newest] = page.view.passkeys;
  const remove = (id: string) => page.ask(`/passkeys/${id}/remove`);
  expect(refusalLine(await remove(newest.id))).toBe('invalid_state proof_required');
  expect(refusalLine(await page.ask('/passkeys/finish'))).toBe('invalid_state proof_required');
  const [kept, gone] = keys as [Passkey, Passkey];
  expect(await proveBy(page, kept)).toBe('200');
  // A passkey proves enough to remove one, and not to add one.
  expect(await page.look()).toMatchObject({ may_remove_passkeys: true, may_add_passkey: false });
  expect((await remove(newest.id)).body.passkeys).toHaveLength(1);
  expect(refusalLine(await remove(newest.id))).toBe('not_found id');
  expect((await page.ask('/passkeys/finish')).body.status).toBe('completed');
  expect([await confirms(who, gone), await confirms(who, kept)]).toEqual([unknown, '200']);
  expect(await told(who)).toEqual({ passkey_added: 4, passkey_removed: 2 });
});

test('a passkey of another customer is not found', async () => {
  const [mine, theirs] = [await withPasskeys(1), await withPasskeys(1)];
  await mine.page.ask('/proof/pin', { pin });
  const [{ id }] = theirs.page.view.passkeys;
  expect(refusalLine(await mine.page.ask(`/passkeys/${id}/remove`))).toBe('not_found id');
});

test('a PIN reset removes every passkey but the one that confirmed it', async () => {
  const { who, keys } = await withPasskeys(3);
  const [kept, ...gone] = keys as [Passkey, Passkey, Passkey];
  const stale = await pages.load(who);
  await stale.ask('/confirm/pin', { pin });
  const reset = async (confirming?: Passkey) => {
    const page = await pages.flow('pin_reset', who.customerId);
    await page.ask('/code', {});
    await page.ask('/code/check', { code });
    if (confirming) expect(await proveBy(page, confirming)).toBe('200');
    expect((await page.ask('/pin-reset', { ...identity, pin: '295731' })).status).toBe(200);
  };
  await reset(kept);
  for (const key of gone) expect(await confirms(who, key)).toBe(unknown);
  expect(await told(who)).toEqual({ passkey_added: 6, passkey_removed: 4 });
  expect(await confirms(who, kept)).toBe('200');
  // The old PIN was right in that session; it proves nothing any more.
  expect(refusalLine(await stale.ask('/passkeys/options'))).toBe('invalid_state pin_required');
  await reset();
  expect(await confirms(who, kept)).toBe('no_passkey');
});
