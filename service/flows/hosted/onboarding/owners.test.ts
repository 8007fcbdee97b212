import { expect, test } from 'vitest';
import type { ReplyBody } from '../../../../test/kit/http/http.ts';
import { uuid } from '../../../../test/kit/ids.ts';
import { person } from '../../../../test/kit/pages/applicant.ts';
import {
  type HostedPage,
  openHostedPages,
  refusalLine,
} from '../../../../test/kit/pages/hosted.ts';
import { sentEvents } from '../../../../test/kit/sent_events.ts';
import { openServer } from '../../../../test/kit/server.ts';
import { openInbound } from '../../../inbound/inbound.ts';

/** Correcting an owner who has not submitted (rules/owners#10), and owners named otherwise (rules/owners#14). */

const server = await openServer({ manual: true });
const { api, sent } = server;
const pages = openHostedPages(server);

const boss = { name: 'Bo Reyes', role: 'owner_and_control_person', ownership_percent: 60 };
const half = { name: 'Cy Reyse', role: 'owner', ownership_percent: 40 };
const email = 'cy@example.com';

/** The newest link: its recipient and its token. */
function lastLink() {
  const last = sent.at(-1);
  if (last?.template !== 'owner_link') throw new Error('no link was sent');
  const { link = '', owner: ownerName } = last.data;
  return { to: last.to, ownerName, token: new URL(link).hash.slice(1) };
}

async function opened(): Promise<{ customer: ReplyBody; page: HostedPage }> {
  const customer = await api.customer('business');
  return { customer, page: await pages.page(customer.onboarding_session.token) };
}
/** A business with an invited owner. */
async function invited(owner: object = half) {
  const { customer, page } = await opened();
  const { body } = await page.ask('/owners', { owner, email });
  const [{ id }] = body.onboarding.owners;
  return { customer, page, id, path: `/owners/${id}/invite` };
}
const ownersOf = async ({ id }: ReplyBody) => (await api.get(`/v1/customers/${id}/owners`)).data;
const statusOf = async ({ id }: ReplyBody) =>
  (await api.get(`/v1/customers/${id}`)).business.owners_status;

test('correcting an invited owner makes one event and a new link, and voids the link before', async () => {
  const { customer, page, id, path } = await invited();
  const before = lastLink();
  const owner = { name: 'Cy Reyes', role: 'control_person', ownership_percent: null };
  const reply = await page.ask(path, { owner, email: 'cyril@example.com' });
  expect(reply.body.onboarding.owners).toMatchObject([
    { id, ...owner, verification_status: 'invited' },
  ]);
  const now = lastLink();
  expect(now).toMatchObject({ to: { email: 'cyril@example.com' }, ownerName: 'Cy Reyes' });
  for (const [path, more] of [
    ['/owner/open', {}],
    ['/owner', { person }],
  ] as const) {
    const old = await pages.ask(path, { token: before.token, ...more });
    expect(refusalLine(old)).toBe('session_invalid unknown');
  }
  const shown = await pages.ask('/owner/open', { token: now.token });
  expect(shown.body).toMatchObject({ owner_name: 'Cy Reyes', role: 'control_person' });

  const sent = await sentEvents(server.service.pool, uuid('owner', id));
  expect(sent.map(({ type }) => type)).toEqual(['owner.invited', 'owner.invited']);
  expect(sent[1].data.previous_attributes).toMatchObject({
    name: 'Cy Reyse',
    role: 'owner',
    ownership_percent: 40,
  });
  expect(await ownersOf(customer)).toMatchObject([owner]);
});

test('a new link without an address goes to the last one', async () => {
  const { page, path } = await invited();
  await page.ask(path, { owner: boss });
  expect(lastLink()).toMatchObject({ to: { email }, ownerName: 'Bo Reyes' });
});

test('a correction has the checks of a naming', async () => {
  const { page, path } = await invited();
  const tell = async (more: object) =>
    refusalLine(await page.ask(path, { owner: { ...half, ...more } }));
  expect(await tell({ ownership_percent: null })).toBe('parameter_missing owner.ownership_percent');
  expect(await tell({ ownership_percent: 101 })).toMatch(/^parameter_invalid/);
  expect(await tell({ name: '' })).toMatch(/^parameter_invalid/);
  expect(await tell({ role: 'friend' })).toMatch(/^parameter_invalid/);
});

test('an owner who has submitted, is in review or was approved cannot be changed', async () => {
  const { customer, page, id, path } = await invited();
  const { token } = lastLink();
  await pages.ask('/owner', { token, person });
  const states = [null, 'owner.in_review', 'owner.approved'];
  for (const event of states) {
    if (event) await api.simulate(event, id);
    const reply = await page.ask(path, { owner: boss, email });
    expect(refusalLine(reply)).toBe('invalid_state');
  }
  expect(await ownersOf(customer)).toMatchObject([{ ...half, verification_status: 'approved' }]);
});

test('a rejected owner can be corrected from its retry time on and submits again', async () => {
  const { customer, page, id, path } = await invited();
  await pages.ask('/owner', { token: lastLink().token, person });
  await api.simulate('owner.rejected', id);
  const right = { owner: { ...half, name: 'Cy Reyes' } };
  expect(refusalLine(await page.ask(path, right))).toBe('invalid_state retry_available_at');
  await server.engine.moveClock(24 * 3600);
  const again = await pages.flow('onboarding', customer.id);
  expect((await again.ask(path, right)).body.onboarding.owners).toMatchObject([
    { name: 'Cy Reyes', verification_status: 'invited' },
  ]);
});

test('a correction decides whether the owners are complete', async () => {
  const { customer, page, id, path } = await invited();
  const { body } = await page.ask('/owners', { owner: boss, person });
  const [, { id: control }] = body.onboarding.owners;
  await api.simulate('owner.approved', control);
  expect(await statusOf(customer)).toBe('pending');
  await page.ask(path, { owner: { ...half, ownership_percent: 24 } });
  expect(await statusOf(customer)).toBe('complete');
  await page.ask(path, { owner: { ...half, ownership_percent: 25 } });
  expect(await statusOf(customer)).toBe('pending');
  await api.simulate('owner.pending', id);
  await api.simulate('owner.approved', id);
  expect(await statusOf(customer)).toBe('complete');
});

test('an owner of another business or tenant is not found and stays as it is', async () => {
  const mine = await opened();
  const theirs = await invited();
  const other = await server.anotherTenant();
  const customer = await server.apiOf(other).customer('business');
  const abroad = await pages.page(customer.onboarding_session.token);
  const unknown = `/owners/own_${'0'.repeat(32)}/invite`;
  const bodies = [{}, { email }, { owner: boss }, { owner: boss, email: 'thief@example.com' }];
  const links = sent.length;
  for (const page of [mine.page, abroad])
    for (const path of [theirs.path, unknown])
      for (const body of bodies) {
        const reply = await page.ask(path, body);
        expect([reply.status, refusalLine(reply)]).toEqual([404, 'not_found']);
      }
  expect(sent).toHaveLength(links);
  expect(await ownersOf(theirs.customer)).toMatchObject([half]);
});

test('no owner can be corrected once the session is over', async () => {
  const { page, path } = await invited();
  await page.ask('/leave');
  expect(refusalLine(await page.ask(path, { owner: boss }))).toBe('invalid_state flow');
});

const inbound = openInbound({ ...server.service, asks: true });
let said = 0;
/** The identity provider approves an owner. */
const approves = (id: string) => {
  said += 1;
  const fact = {
    id: `approves ${id} ${said}`,
    subject: 'owner',
    subjectId: uuid('owner', id),
  } as const;
  return inbound.identity(server.tenant.tenantId, { ...fact, decision: 'approved' });
};
const verificationOf = async (customer: ReplyBody) =>
  (await ownersOf(customer)).map((owner: ReplyBody) => owner.verification_status);
const checksOf = (id: string) =>
  server.engine.query(
    'select decision, reasons from identity_checks where tenant_id = $1 and subject_id = $2',
    uuid('owner', id),
  );

/** An owner by this name who gives Ana Reyes's data, by a link or present. */
async function submitted(name: string, way: string) {
  if (way === 'a link') {
    const { customer, id } = await invited({ ...half, name });
    await pages.ask('/owner', { token: lastLink().token, person });
    return { customer, id };
  }
  const { customer, page } = await opened();
  const { body } = await page.ask('/owners', { owner: { ...half, name }, person });
  return { customer, id: body.onboarding.owners[0].id };
}

test.each(['a link', 'being present'])(
  'an owner whose data, by %s, has another name is approved by a reviewer alone, who is told why',
  async (way) => {
    const { customer, id } = await submitted('Bo Reyes', way);
    expect(await approves(id)).toBe('taken');
    expect(await approves(id)).toBe('known');
    expect(await verificationOf(customer)).toEqual(['in_review']);
    expect(await checksOf(id)).toEqual([{ decision: 'approved', reasons: ['named_otherwise'] }]);
    await api.post(`/portal/api/review/owners/${id}/approve`, { note: 'a maiden name' });
    expect(await approves(id)).toBe('known');
    expect(await verificationOf(customer)).toEqual(['approved']);
  },
);

test.each(['Ana Reyes', 'REYES, Ana', 'Ana M. Reyes'])(
  'an owner named as %s is approved as Ana Reyes by the word of the provider',
  async (name) => {
    for (const way of ['a link', 'being present']) {
      const { customer, id } = await submitted(name, way);
      expect(await approves(id)).toBe('taken');
      expect(await verificationOf(customer)).toEqual(['approved']);
      expect(await checksOf(id)).toEqual([]);
    }
  },
);
