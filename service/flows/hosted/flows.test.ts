import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { newVersion } from '../../../test/kit/legal_texts.ts';
import {
  person as applicant,
  application,
  code,
  firstDocuments,
  identity,
} from '../../../test/kit/pages/applicant.ts';
import {
  type HostedPage,
  openHostedPages,
  pin,
  refusalLine,
} from '../../../test/kit/pages/hosted.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';

const logged: string[] = [];
const server = await openServer({ manual: true, onLog: (line) => void logged.push(line) });
const { api, sent } = server;
const pages = openHostedPages(server);

/** Values that occur nowhere else: where one is found, it was stored or logged. */
const secrets = {
  pin: '847261',
  newPin: '738162',
  ssn: applicant.ssn,
  ein: '937461825',
  birthDate: applicant.birth_date,
  street: 'Canary Street 77',
};
const tokens: string[] = [];

const person = { ...applicant, address: { ...applicant.address, line1: secrets.street } };
const business = {
  legal_name: 'Corner Cafe LLC',
  trading_name: 'Corner Cafe',
  industry: null,
  ein: secrets.ein,
  address: person.address,
};

async function onboarding(type: 'individual' | 'business') {
  const customer = await api.customer(type);
  const { token } = customer.onboarding_session;
  const page = await pages.page(token);
  tokens.push(token, page.bearer);
  return { customer, page };
}

async function prove(page: HostedPage, given: object = {}): Promise<ReplyBody> {
  expect((await page.ask('/code', given)).status).toBe(200);
  return (await page.ask('/code/check', { code })).body;
}

async function result(page: HostedPage): Promise<ReplyBody> {
  const { body } = await page.ask('/result');
  tokens.push(body.result_token);
  return api.post('/v1/sessions/exchange', body);
}

const whole = { ...application, person, pin: secrets.pin };

describe('onboarding', () => {
  test('an individual applies with code, identity, documents and PIN', async () => {
    const { customer, page } = await onboarding('individual');
    expect(page.view.onboarding.documents.length).toBeGreaterThan(0);
    const { is_right, view } = await prove(page);
    expect([is_right, view.is_code_verified]).toEqual([true, true]);
    const { body } = await page.ask('/onboarding', whole);
    expect(body).toMatchObject({
      status: 'completed',
      customer: { has_pin: true },
      onboarding: { status: 'pending' },
    });
    expect(await result(page)).toMatchObject({ flow: 'onboarding', status: 'completed' });
    expect((await api.get(`/v1/customers/${customer.id}`)).verification.status).toBe('pending');
  });

  test('an ITIN is taken like a Social Security number', async () => {
    const { page } = await onboarding('individual');
    await prove(page);
    const { body } = await page.ask('/onboarding', {
      ...whole,
      person: { ...person, ssn: '912701234' },
    });
    expect(body.onboarding.status).toBe('pending');
  });

  test('an application without code, documents, PIN or valid data is refused', async () => {
    const { page } = await onboarding('individual');
    const tell = async (more: object) =>
      refusalLine(await page.ask('/onboarding', { ...whole, ...more }));
    expect(await tell({})).toBe('invalid_state code_required');
    await prove(page);
    expect(await tell({ pin: null })).toBe('parameter_missing pin');
    expect(await tell({ pin: '123456' })).toBe('parameter_invalid run');
    expect(await tell({ pin: '121212' })).toBe('parameter_invalid repetition');
    const documents = firstDocuments('business');
    for (const read of [undefined, true, [], [...documents, ...documents]])
      expect(await tell({ accepts_documents: read })).toMatch(/^parameter_(missing|invalid)/);
    expect(await tell({ person: null })).toBe('parameter_missing person');
    expect(await tell({ business })).toBe('parameter_invalid type');
    for (const ssn of ['666123456', '912931234', '521730000'])
      expect(await tell({ person: { ...person, ssn } })).toBe('parameter_invalid never_given');
    const minor = { ...person, birth_date: '2008-01-21' };
    expect(await tell({ person: minor })).toBe('parameter_invalid too_young');
    expect((await page.look()).onboarding.status).toBe('created');
    expect(await tell({ person: { ...person, birth_date: '2008-01-20' } })).toBe('200');
  });

  test('a business names one owner who is present and one by link, and the link works once', async () => {
    const { customer, page } = await onboarding('business');
    const present = { name: 'Bo Reyes', role: 'owner_and_control_person', ownership_percent: 60 };
    expect((await page.ask('/owners', { owner: present, person })).status).toBe(200);
    const invited = { name: 'Cy Reyes', role: 'owner', ownership_percent: 40 };
    const email = 'cy@example.com';
    const { body } = await page.ask('/owners', { owner: invited, email });
    expect(body.onboarding.owners).toMatchObject([
      { name: 'Bo Reyes', verification_status: 'pending' },
      { name: 'Cy Reyes', verification_status: 'invited' },
    ]);
    await prove(page);
    const submission = {
      business,
      accepts_documents: firstDocuments('business'),
      pin: secrets.pin,
    };
    expect((await page.ask('/onboarding', submission)).body.status).toBe('completed');

    const mail = sent.at(-2);
    expect(mail).toMatchObject({ to: { email }, template: 'owner_link' });
    const link = mail?.data.link ? new URL(mail.data.link) : null;
    const tenant = server.tenant.tenantId.replaceAll('-', '');
    expect(link?.pathname).toBe(`/hosted/${tenant}/owner`);
    const token = link?.hash.slice(1);
    tokens.push(token ?? '');
    expect((await pages.ask('/owner/open', { token })).body).toMatchObject({
      owner_name: 'Cy Reyes',
      status: 'invited',
    });
    expect((await pages.ask('/owner', { token, person })).body.status).toBe('pending');
    expect(refusalLine(await pages.ask('/owner', { token, person }))).toBe(
      'session_invalid unknown',
    );
    const { data } = await api.get(`/v1/customers/${customer.id}/owners`);
    const statuses = data.map((owner: ReplyBody) => owner.verification_status);
    expect(statuses).toEqual(['pending', 'pending']);
  });

  test('a link that is sent again replaces the one before and expires after seven days', async () => {
    const { page } = await onboarding('business');
    const owner = { name: 'Di Reyes', role: 'owner', ownership_percent: 100 };
    const { body } = await page.ask('/owners', { owner, email: 'di@example.com' });
    const tokenOf = () => {
      const message = sent.at(-1);
      return message?.data.link?.split('#')[1];
    };
    const first = tokenOf();
    const [{ id }] = body.onboarding.owners;
    expect((await page.ask(`/owners/${id}/invite`, {})).status).toBe(200);
    const second = tokenOf();
    expect(refusalLine(await pages.ask('/owner/open', { token: first }))).toBe(
      'session_invalid unknown',
    );
    expect((await pages.ask('/owner/open', { token: second })).status).toBe(200);
    await server.engine.moveClock(7 * 24 * 3600);
    const late = await pages.ask('/owner', { token: second, person });
    expect(refusalLine(late)).toBe('session_invalid expired');
  });
});

describe('codes', () => {
  /** In a sandbox only 000000 is right. */
  const wrongCode = '111111';

  test('after five wrong tries the right code is refused too', async () => {
    const { page } = await onboarding('individual');
    await page.ask('/code', {});
    for (const left of [4, 3, 2, 1, 0]) {
      const { body } = await page.ask('/code/check', { code: wrongCode });
      expect([body.is_right, body.tries_left]).toEqual([false, left]);
    }
    const sixth = await page.ask('/code/check', { code });
    expect(refusalLine(sixth)).toBe('invalid_state too_many_tries');
    expect((await prove(page)).is_right).toBe(true);
  });

  test('of twenty tries at once five are counted and the rest refused', async () => {
    const { page } = await onboarding('individual');
    await page.ask('/code', {});
    const tries = Array.from({ length: 20 }, () => page.ask('/code/check', { code: wrongCode }));
    const replies = await Promise.all(tries);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
  });

  test('a code is valid for ten minutes and once', async () => {
    const { page } = await onboarding('individual');
    expect(refusalLine(await page.ask('/code/check', { code }))).toBe('invalid_state no_code');
    await page.ask('/code', {});
    await server.engine.moveClock(600);
    const late = await page.ask('/code/check', { code });
    expect(refusalLine(late)).toBe('invalid_state code_expired');
    await prove(page);
    expect(refusalLine(await page.ask('/code/check', { code }))).toBe('invalid_state no_code');
  });

  test('a session sends five codes, each to the requested place', async () => {
    const { page } = await onboarding('individual');
    for (let index = 0; index < 5; index += 1) {
      const { body } = await page.ask('/code', { mobile_number: '+12125559876' });
      expect(body).toEqual({ sent_to: '••• ••• 9876', hint: code });
    }
    expect(sent.at(-1)).toMatchObject({
      to: { mobile_number: '+12125559876' },
      template: 'code',
    });
    expect(refusalLine(await page.ask('/code', {}))).toBe('invalid_state too_many_codes');
  });

  test('a new code voids the proof of the one before', async () => {
    const { page } = await onboarding('individual');
    await prove(page);
    await page.ask('/code', { mobile_number: '+12125559875' });
    expect(refusalLine(await page.ask('/onboarding', whole))).toBe('invalid_state code_required');
  });
});

describe('contact_change', () => {
  let ana: Person;
  beforeAll(async () => {
    ana = await api.banked('individual');
    await pages.givePins();
  });
  const flow = () => pages.flow('contact_change', ana.customerId);

  test('another e-mail address needs its code, then the PIN', async () => {
    const page = await flow();
    expect(refusalLine(await page.ask('/contact', { pin }))).toBe('invalid_state code_required');
    await prove(page, { email: 'new@example.com' });
    expect((await page.ask('/contact', { pin: '111222' })).body.verdict).toBe('wrong');
    const { body } = await page.ask('/contact', { pin });
    expect([body.verdict, body.view.status]).toEqual(['right', 'completed']);
    expect((await api.get(`/v1/customers/${ana.customerId}`)).email).toBe('new@example.com');
  });

  test('another number is taken unless another customer has it', async () => {
    const mobile_number = '+12125550188';
    const taken = await api.customer('individual', { mobile_number });
    const page = await flow();
    await prove(page, { mobile_number });
    expect(refusalLine(await page.ask('/contact', { pin }))).toMatch(/^duplicate_mobile_number/);
    await prove(page, { mobile_number: '+12125559001' });
    expect((await page.ask('/contact', { pin })).body.verdict).toBe('right');
    expect(taken.id).not.toBe(ana.customerId);
  });

  test('a code goes to exactly one address or number', async () => {
    const page = await flow();
    expect(refusalLine(await page.ask('/code', {}))).toBe('parameter_missing mobile_number');
    const both = { email: 'a@example.com', mobile_number: '+12125559002' };
    expect(refusalLine(await page.ask('/code', both))).toBe('parameter_invalid one_at_a_time');
  });
});

describe('pin_reset', () => {
  let ana: Person;
  beforeAll(async () => {
    ana = await api.banked('individual');
    await pages.givePins();
  });
  const answers = { ...identity, pin: secrets.newPin };
  const wrong = { ...answers, ssn_last4: '0000' };

  test('code and identity set a new PIN and unlock', async () => {
    const load = await pages.load(ana);
    for (let index = 0; index < 5; index += 1) await load.ask('/confirm/pin', { pin: '111222' });
    const page = await pages.flow('pin_reset', ana.customerId);
    expect(page.view.customer.is_pin_locked).toBe(true);
    expect(refusalLine(await page.ask('/pin-reset', answers))).toBe('invalid_state code_required');
    await prove(page);
    const { body } = await page.ask('/pin-reset', answers);
    expect(body).toMatchObject({ status: 'completed', customer: { is_pin_locked: false } });
    const again = await load.ask('/confirm/pin', { pin: secrets.newPin });
    expect(again.body.verdict).toBe('right');
  });

  test('a proven code is good for five answers, the fifth included', async () => {
    const page = await pages.flow('pin_reset', ana.customerId);
    await page.ask('/code', {});
    for (let index = 0; index < 4; index += 1) await page.ask('/code/check', { code: '111111' });
    await page.ask('/code/check', { code });
    for (let index = 0; index < 4; index += 1)
      expect(refusalLine(await page.ask('/pin-reset', wrong))).toBe('parameter_invalid no_match');
    expect((await page.ask('/pin-reset', answers)).body.status).toBe('completed');
  });

  test('after five wrong answers the right one is not passed to the provider', async () => {
    const page = await pages.flow('pin_reset', ana.customerId);
    await prove(page);
    const tries = Array.from({ length: 12 }, () => page.ask('/pin-reset', wrong));
    const refusals = (await Promise.all(tries)).map(refusalLine);
    expect(refusals.filter((said) => said === 'parameter_invalid no_match')).toHaveLength(5);
    expect(refusalLine(await page.ask('/pin-reset', answers))).toBe('invalid_state code_required');
    await prove(page);
    expect((await page.ask('/pin-reset', answers)).body.status).toBe('completed');
  });

  test('the code goes to no other number', async () => {
    const page = await pages.flow('pin_reset', ana.customerId);
    const reply = await page.ask('/code', { mobile_number: '+12125559003' });
    expect(refusalLine(reply)).toBe('parameter_invalid flow');
  });
});

describe('terms_acceptance', () => {
  test('waiting documents are accepted, or declined and left as they are', async () => {
    const ana = await api.banked('individual');
    const { status } = await server.call(
      'POST',
      '/portal/api/review/documents/privacy_notice/publish',
      {
        body: newVersion('2026-02'),
        key: randomUUID(),
      },
    );
    expect(status).toBeLessThan(300);
    const declining = await pages.flow('terms_acceptance', ana.customerId);
    const waiting = declining.view.terms.filter((term: ReplyBody) => term.is_waiting);
    expect(waiting).toMatchObject([{ document_type: 'privacy_notice' }]);
    const { body } = await declining.ask('/terms', { decision: 'declined' });
    expect([body.status, body.terms_decision]).toEqual(['completed', 'declined']);
    const accepting = await pages.flow('terms_acceptance', ana.customerId);
    const { documents } = await accepting.read();
    await accepting.ask('/terms', { decision: 'accepted', documents });
    const { terms } = (await pages.flow('terms_acceptance', ana.customerId)).view;
    expect(terms.some((term: ReplyBody) => term.is_waiting)).toBe(false);
  });
});

test('no token and nothing that a customer entered is stored or logged in clear text', async () => {
  const { pool } = server.service;
  const { rows: tables } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'",
  );
  await expect
    .poll(async () => (await pool.query('select from requests limit 1')).rowCount, {
      timeout: 5_000,
    })
    .toBe(1);
  const dumps = await Promise.all(
    tables.map(({ name }) => pool.query<{ row: string }>(`select t::text as row from "${name}" t`)),
  );
  const text = [...dumps.flatMap(({ rows }) => rows.map(({ row }) => row)), ...logged].join('\n');
  expect(text).toContain('Corner Cafe');
  const found = [...Object.values(secrets), ...tokens].filter((secret) =>
    new RegExp(`(?<![0-9a-f.])${secret}(?![0-9a-f])`).test(text),
  );
  expect(tokens.length).toBeGreaterThan(10);
  expect(found).toEqual([]);
});
