import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import { newVersion } from '../../../test/kit/legal_texts.ts';
import { application, code } from '../../../test/kit/pages/applicant.ts';
import {
  type HostedPage,
  openHostedPages,
  pin,
  refusalLine,
} from '../../../test/kit/pages/hosted.ts';
import { openServer } from '../../../test/kit/server.ts';
import { rejectCustomer } from '../../resources/customers/moves.ts';

/** A customer accepts the documents that were shown (rules/documents#19). */

const server = await openServer({ manual: true });
const { api, engine, service } = server;
const pages = openHostedPages(server);
const collect = vi.spyOn(server.rails.identity, 'collect');
const changed = 'invalid_state documents_changed';
let day = 0;

/** Puts a new privacy notice in force, and asks all who accepted one before. @returns its version */
async function publish(): Promise<string> {
  day += 1;
  const version = `2026-03-${String(day).padStart(2, '0')}`;
  await api.post('/portal/api/review/documents/privacy_notice/publish', newVersion(version));
  return version;
}

/** The customer's privacy notices, newest first: `2026-03-01 accepted onboarding`. */
async function notices(customerId: string): Promise<string[]> {
  const { data } = await api.get(
    `/portal/api/customers/${customerId}/documents?include=superseded`,
  );
  return data
    .filter(({ document_type }: ReplyBody) => document_type === 'privacy_notice')
    .map(({ version, status, channel }: ReplyBody) => `${version} ${status} ${channel}`);
}

/** Everything that a refused answer could have changed. */
async function stored(): Promise<unknown> {
  const { rows } = await service.pool.query(
    `select (select count(*) from events) as events, (select count(*) from documents) as documents,
       (select count(*) from pins) as pins, (select count(*) from legal_texts) as texts`,
  );
  return rows;
}

/** The answer is refused, and leaves everything as it was. */
async function expectRefused(page: HostedPage, answer: () => Promise<string>): Promise<void> {
  const before = await stored();
  expect(await answer()).toBe(changed);
  expect(await stored()).toEqual(before);
  expect((await page.look()).status).toBe('created');
}

describe('terms_acceptance', () => {
  const accept = async (page: HostedPage, documents: readonly object[]) =>
    refusalLine(await page.ask('/terms', { decision: 'accepted', documents }));

  test('a version published between reading and accepting is refused, then accepted once read', async () => {
    const { customerId } = await api.approved('individual');
    const first = await publish();
    const page = await pages.flow('terms_acceptance', customerId);
    const read = await page.read();
    const second = await publish();
    await expectRefused(page, () => accept(page, read.documents));
    const again = await page.read();
    expect(again.documents).toEqual([{ document_type: 'privacy_notice', version: second }]);
    expect(await accept(page, again.documents)).toBe('200');
    expect(await notices(customerId)).toEqual([
      `${second} accepted terms_acceptance`,
      `${first} superseded null`,
      expect.stringMatching(/ superseded onboarding$/),
    ]);
  });

  test('what is in force was shown, so a version that came meanwhile is not accepted by it', async () => {
    const { customerId } = await api.approved('individual');
    const page = await pages.flow('terms_acceptance', customerId);
    const { documents } = await page.read();
    expect(documents).toHaveLength(4);
    const version = await publish();
    await expectRefused(page, () => accept(page, documents));
    expect((await notices(customerId))[0]).toBe(`${version} pending_acceptance null`);
  });

  test('a version that was made up, left out, added or named twice is refused', async () => {
    const { customerId } = await api.approved('business');
    const page = await pages.flow('terms_acceptance', customerId);
    const { documents } = await page.read();
    const [first, ...rest] = documents;
    const wrong: readonly (readonly object[])[] = [
      [{ ...first, version: '2031-07' }, ...rest],
      rest,
      [...rest.slice(1), ...rest.slice(0, 1), ...rest.slice(0, 1)],
    ];
    for (const named of wrong) await expectRefused(page, () => accept(page, named));
    const { customerId: other } = await api.approved('individual');
    await publish();
    const waiting = await pages.flow('terms_acceptance', other);
    const one = (await waiting.read()).documents;
    await expectRefused(waiting, () =>
      accept(waiting, [...one, { document_type: 'cip_notice', version: '2026-01' }]),
    );
    expect(await accept(page, documents.toReversed())).toBe(changed);
    expect(await accept(page, (await page.read()).documents)).toBe('200');
  });

  test('to accept, what was read must be named; to decline, nothing', async () => {
    const { customerId } = await api.approved('individual');
    const page = await pages.flow('terms_acceptance', customerId);
    for (const documents of [undefined, null])
      expect(refusalLine(await page.ask('/terms', { decision: 'accepted', documents }))).toBe(
        'parameter_missing documents',
      );
    expect((await page.ask('/terms', { decision: 'declined' })).body.status).toBe('completed');
  });
});

describe('onboarding', () => {
  beforeEach(() => void collect.mockClear());

  async function proven(page: HostedPage): Promise<HostedPage> {
    await page.ask('/code');
    expect((await page.ask('/code/check', { code })).body.is_right).toBe(true);
    return page;
  }
  async function newcomer() {
    const { id, onboarding_session } = await api.customer('individual');
    return { id, page: await proven(await pages.page(onboarding_session.token)) };
  }
  const apply = async (page: HostedPage, accepts_documents: readonly object[]) =>
    refusalLine(await page.ask('/onboarding', { ...application, pin, accepts_documents }));

  test('a version published between reading and submitting is refused, then accepted once read', async () => {
    const { id, page } = await newcomer();
    const { documents } = await page.read();
    const version = await publish();
    await expectRefused(page, () => apply(page, documents));
    expect(collect).not.toHaveBeenCalled();
    expect(await apply(page, (await page.read()).documents)).toBe('200');
    expect(collect).toHaveBeenCalledTimes(1);
    expect(await notices(id)).toEqual([`${version} accepted onboarding`]);
  });

  test('a version published while the identity provider works is not accepted unread', async () => {
    const { id, page } = await newcomer();
    const { documents } = await page.read();
    collect.mockImplementationOnce(async () => {
      await publish();
      return 'a reference';
    });
    expect(await apply(page, documents)).toBe(changed);
    expect(await notices(id)).toEqual([]);
    expect((await page.look()).onboarding.status).toBe('created');
    expect(await apply(page, (await page.read()).documents)).toBe('200');
  });

  test('a version that was made up or left out is refused', async () => {
    const { page } = await newcomer();
    const [first, ...rest] = (await page.read()).documents;
    await expectRefused(page, () => apply(page, [{ ...first, version: '2031-07' }, ...rest]));
    await expectRefused(page, () => apply(page, rest));
    expect(collect).not.toHaveBeenCalled();
  });

  test('who applies again reads and accepts what waits, and of the rest what was accepted before', async () => {
    const { id, page } = await newcomer();
    const first = await page.read();
    expect(await apply(page, first.documents)).toBe('200');
    await engine.run(rejectCustomer, { id: uuid('customer', id) });
    await engine.moveClock(24 * 3600);
    const version = await publish();
    const again = await proven(await pages.flow('onboarding', id));
    const submit = async (accepts_documents: readonly object[]) =>
      refusalLine(await again.ask('/onboarding', { ...application, accepts_documents }));
    await expectRefused(again, () => submit(first.documents));
    const { documents } = await again.read();
    expect(documents).toEqual(
      first.documents.map((one) =>
        one.document_type === 'privacy_notice' ? { ...one, version } : one,
      ),
    );
    expect(await submit(documents)).toBe('200');
    expect(await notices(id)).toEqual([
      `${version} accepted onboarding`,
      expect.stringMatching(/ superseded onboarding$/),
    ]);
  });
});
