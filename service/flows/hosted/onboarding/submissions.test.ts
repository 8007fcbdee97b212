import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { uuid } from '../../../../test/kit/ids.ts';
import { application, code, firstDocuments, person } from '../../../../test/kit/pages/applicant.ts';
import {
  type HostedPage,
  openHostedPages,
  refusalLine,
} from '../../../../test/kit/pages/hosted.ts';
import type { CustomerType } from '../../../../test/kit/person.ts';
import { openServer } from '../../../../test/kit/server.ts';
import { until } from '../../../../test/kit/wait.ts';

/** The data that the identity provider is given, and the name that the record shows. */

const server = await openServer({ manual: true });
const { api, rails, sent } = server;
const pages = openHostedPages(server);
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function prove(page: HostedPage): Promise<HostedPage> {
  await page.ask('/code', {});
  expect((await page.ask('/code/check', { code })).body.is_right).toBe(true);
  return page;
}

const business = {
  legal_name: 'Corner Cafe LLC',
  trading_name: null,
  industry: null,
  ein: '937461825',
  address: person.address,
};

describe('while a reviewer has asked for more', () => {
  const asked = (type: CustomerType) =>
    api.played(api.customer(type), 'customer.pending', 'customer.in_review', 'customer.pending');
  const again = async (type: CustomerType) => {
    const { id } = await asked(type);
    return { id, page: await prove(await pages.flow('onboarding', id)) };
  };

  test("a person who gives another's name is refused, and the provider is given nothing", async () => {
    const collect = vi.spyOn(rails.identity, 'collect');
    const { id, page } = await again('individual');
    const give = async (more: object) =>
      refusalLine(
        await page.ask('/onboarding', { ...application, person: { ...person, ...more } }),
      );
    expect(await give({ last_name: 'Stolen' })).toBe('parameter_invalid other_name');
    expect(await give({ first_name: 'Stolen' })).toBe('parameter_invalid other_name');
    expect(collect).not.toHaveBeenCalled();
    expect(await give({ ssn: '521739847' })).toBe('200');
    expect(collect).toHaveBeenCalledOnce();
    expect((await api.get(`/v1/customers/${id}`)).verification.status).toBe('pending');
  });

  test("a business that gives another's legal name is refused, and the provider is given nothing", async () => {
    const collect = vi.spyOn(rails.identity, 'collect');
    const { page } = await again('business');
    const give = async (more: object) => {
      const given = { ...business, ...more };
      const reply = await page.ask('/onboarding', {
        accepts_documents: firstDocuments('business'),
        business: given,
      });
      return refusalLine(reply);
    };
    expect(await give({ legal_name: 'Other Cafe LLC' })).toBe('parameter_invalid other_name');
    expect(collect).not.toHaveBeenCalled();
    expect(await give({})).toBe('200');
  });
});

test('a rejected person may apply again by another name, which the record then shows', async () => {
  const { id } = await api.played(
    api.customer('individual'),
    'customer.pending',
    'customer.rejected',
  );
  await server.engine.moveClock(24 * 3600);
  const page = await prove(await pages.flow('onboarding', id));
  const other = { ...person, last_name: 'Rivera' };
  const reply = await page.ask('/onboarding', { ...application, person: other });
  expect(refusalLine(reply)).toBe('200');
  expect(reply.body.customer.display_name).toBe('Ana R.');
});

/** The names that the provider was given, in turn. */
const namesGiven = (collect: { readonly mock: { readonly calls: readonly unknown[][] } }) =>
  collect.mock.calls.map(([given]) => (given as { data: { lastName: string } }).data.lastName);

const surnames = ['Reyes', 'Rivera', 'Ramos'];

describe('of submissions at once', () => {
  test('in one session the one that is accepted is the only one that the provider is given', async () => {
    const { onboarding_session } = await api.customer('individual');
    const page = await prove(await pages.page(onboarding_session.token));
    const collect = vi.spyOn(rails.identity, 'collect');
    const replies = await Promise.all(
      surnames.map((last_name) =>
        page.ask('/onboarding', {
          ...application,
          pin: '847261',
          person: { ...person, last_name },
        }),
      ),
    );
    const lines = replies.map(refusalLine);
    expect(lines.filter((line) => line === '200')).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('invalid_state'))).toHaveLength(2);
    expect(namesGiven(collect)).toEqual([surnames[lines.indexOf('200')]]);
  });

  test('one whose call to the provider fails leaves the session to the next', async () => {
    const { onboarding_session } = await api.customer('individual');
    const page = await prove(await pages.page(onboarding_session.token));
    const collect = vi
      .spyOn(rails.identity, 'collect')
      .mockRejectedValueOnce(new Error('the provider is away'));
    const replies = await Promise.all(
      surnames.map((last_name) =>
        page.ask('/onboarding', {
          ...application,
          pin: '847261',
          person: { ...person, last_name },
        }),
      ),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 500]);
    expect(namesGiven(collect).at(-1)).toBe(surnames[statuses.indexOf(200)]);
    expect(collect).toHaveBeenCalledTimes(2);
  });

  test("by one owner's link the one that is accepted is the only one that the provider is given", async () => {
    const { onboarding_session } = await api.customer('business');
    const page = await pages.page(onboarding_session.token);
    const owner = { name: 'Cy Reyes', role: 'owner', ownership_percent: 40 };
    await page.ask('/owners', { owner, email: 'cy@example.com' });
    const token = new URL(sent.at(-1)?.data.link ?? '').hash.slice(1);
    const collect = vi.spyOn(rails.identity, 'collect');
    const replies = await Promise.all(
      surnames.map((last_name) => pages.ask('/owner', { token, person: { ...person, last_name } })),
    );
    const lines = replies.map(refusalLine);
    expect(lines.filter((line) => line === '200')).toHaveLength(1);
    expect(lines.filter((line) => line === 'session_invalid unknown')).toHaveLength(2);
    expect(namesGiven(collect)).toEqual([surnames[lines.indexOf('200')]]);
  });
});

describe('a submission whose call to the provider outlasts its claim', () => {
  /** A call that the provider holds until the test lets it go. */
  interface Call {
    readonly resolve: (reference: string) => void;
    readonly reject: (error: Error) => void;
  }

  /** Two submissions in one session: the second has begun because the first took too long. */
  async function overtaken() {
    // No claim is prolonged, as in a process that has stood still.
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const { id, onboarding_session } = await api.customer('individual');
    const page = await prove(await pages.page(onboarding_session.token));
    const calls: Call[] = [];
    vi.spyOn(rails.identity, 'collect').mockImplementation(
      () => new Promise((resolve, reject) => void calls.push({ resolve, reject })),
    );
    const give = (last_name: string) =>
      page.ask('/onboarding', { ...application, pin: '847261', person: { ...person, last_name } });
    const first = give('Reyes');
    await until(() => calls.length === 1);
    await server.engine.moveClock(6);
    const second = give('Rivera');
    await until(() => calls.length === 2);
    return { id, calls, give, first, second };
  }

  test('is not accepted in place of the one that has overtaken it', async () => {
    const { id, calls, first, second } = await overtaken();
    calls[0]?.resolve('of the first');
    await Promise.race([first, sleep(500)]);
    calls[1]?.resolve('of the second');
    expect(refusalLine(await second)).toBe('200');
    expect(refusalLine(await first)).toMatch(/^invalid_state/);
    expect(calls).toHaveLength(2);
    const [row] = await server.engine.query(
      'select identity_reference from customers where tenant_id = $1 and id = $2',
      uuid('customer', id),
    );
    expect(row?.identity_reference).toBe('of the second');
  });

  test('and fails leaves its place to the one that has overtaken it', async () => {
    const { calls, give, first, second } = await overtaken();
    calls[0]?.reject(new Error('the provider is away'));
    expect((await first).status).toBe(500);
    const third = give('Ramos');
    await Promise.race([third, sleep(500)]);
    expect(calls).toHaveLength(2);
    calls[1]?.resolve('of the second');
    expect(refusalLine(await second)).toBe('200');
    expect(refusalLine(await third)).toMatch(/^invalid_state/);
  });
});
