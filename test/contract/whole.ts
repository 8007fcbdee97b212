import type { Api } from '../kit/api.ts';
import { openApi } from '../kit/api.ts';
import { checkEvents, exemptEvents } from './moves/events.ts';
import { checkMoves, exemptStates } from './moves/moves.ts';
import { documentOf, refunded, unfundedRefund } from './moves/states.ts';
import { playSubjects } from './moves/subjects.ts';
import { checkRefusals, exemptRefusals, type RefusalNeeds } from './refusals/check_refusals.ts';
import type { Verdict } from './run.ts';
import { playable, playScenario, type Scenario } from './scenario.ts';
import { openSender } from './send.ts';

/** Beside the operations one by one: states, refusals and events of one Tenant's whole run. */

interface WholeVerdict extends Verdict {
  /** The operations left out, with the reason. */
  readonly exempt: readonly string[];
}

interface WholeNeeds extends Partial<Pick<RefusalNeeds, 'spent' | 'production'>> {
  readonly baseUrl: string;
  readonly token: string;
  readonly digest: (s: Scenario) => Promise<string>;
}

interface Whole {
  /** To be run in this order: the events are those of the parts before. */
  readonly moves: () => Promise<WholeVerdict & { readonly refused: number }>;
  readonly refusals: () => Promise<WholeVerdict & { readonly untried: readonly string[] }>;
  readonly events: () => Promise<WholeVerdict>;
  /** Puts the Tenant's settings back. */
  close(): Promise<void>;
}

/** Moves that follow others, which no attempt causes by itself. */
const consequences: readonly ((s: Scenario) => Promise<unknown>)[] = [
  async function payExpired({ api, payer, shop }) {
    const request = await api.request(shop, 1_00);
    const payment = await api.payRequest(payer, request);
    await api.simulate('payment_request.expired', request.id);
    await api.confirmed(payment);
  },
  /** The merchant is suspended while its customer looks at the page. */
  async function refusePayment({ api, payer }) {
    const merchant = await api.approved('business');
    const payment = await api.pay(payer, merchant, 1_00);
    await api.simulate('account.suspended', merchant.accountId);
    await api.confirmed(payment);
  },
  async function fundRefund(s) {
    const { merchant } = await unfundedRefund(s);
    await s.api.fund(merchant, 10_00);
  },
  /** Its merchant closes, and no money comes in any more. */
  async function giveUpRefund(s) {
    const { merchant, withdrawal } = await unfundedRefund(s);
    await s.api.simulate('withdrawal.settled', withdrawal.id);
    await s.api.close(merchant);
    await s.api.simulate('customer.pin_locked', merchant.customerId);
  },
  /** A dispute that the merchant's refunds settle. */
  async function settleByRefund({ api, payer, shop }) {
    const payment = await api.confirmed(api.pay(payer, shop, 1_00));
    await api.dispute(payer, { payment_id: payment.id });
    await api.confirmed(api.refund(payment, 1_00));
  },
  refunded(30, 30),
  refunded(30, 70),
  (s) => documentOf(s, 'superseded', 2),
];

/** Opens the whole run on a Tenant; its clock will be some days ahead afterwards. */
export async function openWhole(needs: WholeNeeds): Promise<Whole> {
  const { baseUrl, token, digest, spent = null, production = null } = needs;
  // Impatient: a 503 that chaos gives is what is looked at.
  const sender = openSender(baseUrl);
  const api: Api = openApi(baseUrl, token);
  const own = await api.get('/portal/api/settings');
  await api.settings(playable);
  const scenario = await playScenario(baseUrl, token);
  return {
    async moves() {
      const verdict = await checkMoves({
        scenario,
        all: sender.all,
        digest: () => digest(scenario),
      });
      await sender.all(consequences, (play) => play(scenario));
      return { operation: 'moves', ...verdict, exempt: exemptStates };
    },
    async refusals() {
      // A payment that is too old cannot be refunded, so these records are new.
      const subjects = await playSubjects(await playScenario(baseUrl, token));
      const { untried, ...verdict } = await checkRefusals({ subjects, sender, spent, production });
      const left = untried.map((name) => `${name}: it takes another Tenant, or a production`);
      return { operation: 'refusals', ...verdict, untried, exempt: [...exemptRefusals, ...left] };
    },
    events: async () => ({ ...(await checkEvents(api)), exempt: exemptEvents }),
    async close() {
      await api.settings({ ...own, security_reason: 'The end of a run.' });
      await sender.close();
    },
  };
}
