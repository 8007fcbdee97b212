import { describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { type HostedPage, openHostedPages } from '../../test/kit/pages/hosted.ts';
import { openServer } from '../../test/kit/server.ts';

/** The outcome of an onboarding that was not finished (rules/sessions#26). */

const server = await openServer({ manual: true });
const { api } = server;
const pages = openHostedPages(server);

const idleSeconds = 30 * 60;

interface Opened {
  readonly page: HostedPage;
  readonly customer: string;
  readonly session: string;
}

async function opened(customer: string): Promise<Opened> {
  const page = await pages.flow('onboarding', customer);
  return { page, customer, session: page.view.session_id };
}

async function outcomeOf({ page }: Opened): Promise<ReplyBody> {
  const { body } = await page.ask('/result');
  return api.post('/v1/sessions/exchange', body);
}

/** Each way in which an onboarding ends that nobody finishes. */
const endings: readonly (readonly [string, string, (one: Opened) => Promise<unknown>])[] = [
  ['left in its page', 'canceled', ({ page }) => page.ask('/leave')],
  ['left by simulation', 'canceled', ({ session }) => api.simulate('session.canceled', session)],
  [
    'left by simulation of its customer',
    'canceled',
    ({ customer }) => api.simulate('session.canceled', customer),
  ],
  ['without a sign of life', 'expired', () => api.advance(idleSeconds)],
  ['expired by simulation', 'expired', ({ session }) => api.simulate('session.expired', session)],
];

describe.each(endings)('an onboarding %s', (_, status, end) => {
  test('tells the verification status of a customer who has not applied', async () => {
    const one = await opened((await api.customer('individual')).id);
    await end(one);
    expect(await outcomeOf(one)).toMatchObject({
      flow: 'onboarding',
      status,
      verification_status: 'created',
      target: null,
      target_status: null,
    });
  });

  test('tells the verification status at its end, not the one at its start or now', async () => {
    const { id } = await api.applied('individual');
    await api.simulate('customer.in_review', id);
    // A reviewer asks for more, so that there is an onboarding again.
    await api.simulate('customer.pending', id);
    const one = await opened(id);
    await api.simulate('customer.in_review', id);
    await end(one);
    await api.simulate('customer.rejected', id);
    expect(await outcomeOf(one)).toMatchObject({ status, verification_status: 'in_review' });
  });
});

test.each(['pin_reset', 'contact_change', 'terms_acceptance'])(
  'a %s that was left tells no verification status',
  async (flow) => {
    const { customerId } = await api.approved('individual');
    const page = await pages.flow(flow, customerId);
    await page.ask('/leave');
    const { body } = await page.ask('/result');
    expect(await api.post('/v1/sessions/exchange', body)).toMatchObject({
      flow,
      status: 'canceled',
      verification_status: null,
      target_status: null,
    });
  },
);
