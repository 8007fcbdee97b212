import type { Texts } from '../../../web/flows/texts/en.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import type { TestWeb } from '../../kit/pages/browser/web.ts';
import { openHostedPages, pin } from '../../kit/pages/hosted.ts';
import {
  amend,
  filled,
  leaveForNowhere,
  pressed,
  type Step,
  tokenFor,
  type Walk,
} from './walker.ts';

/** payment_confirm: its four kinds, its ways and its ends. */

type Kind = 'load' | 'payment' | 'withdrawal' | 'refund';

const tokenOf = (record: ReplyBody): string => {
  const token = record.confirmation_session?.token;
  if (!token) throw new Error(`nothing to confirm: ${JSON.stringify(record)}`);
  return token;
};

/** A payment to a business, at one of its collection points. */
export async function newPayment(
  web: TestWeb,
  texts: Partial<Record<'description' | 'invoice_reference' | 'name', string>> = {},
): Promise<ReplyBody> {
  const { api } = web;
  const [payer, payee] = [
    await web.api.funded('individual', 200_00),
    await web.api.funded('business', 200_00),
  ];
  const { name = 'Front counter', ...more } = texts;
  const { qr_payload } = await api.post('/v1/payment-requests', {
    type: 'static',
    merchant_customer_id: payee.customerId,
    collection_point: { reference: 'till-1', name },
  });
  return api.post('/v1/payments', {
    payer_customer_id: payer.customerId,
    source: 'balance',
    qr_payload,
    amount: 24_00,
    order_reference: 'A-17',
    ...more,
  });
}

const records: Readonly<Record<Kind, (web: TestWeb) => Promise<string>>> = {
  load: async (web) => (await web.newLoad(await web.api.funded('individual', 200_00))).token,
  payment: async (web) => tokenOf(await newPayment(web, { description: 'Two coffees' })),
  withdrawal: async (web) =>
    tokenOf(await web.api.withdraw(await web.api.funded('business', 200_00), 24_00)),
  async refund(web) {
    const payment = await newPayment(web);
    await web.api.confirmed(payment);
    return tokenOf(await web.api.refund(payment, 10_00));
  },
};

/** @param change of the view that the page receives first */
const open =
  (kind: Kind, change?: (view: ReplyBody) => void): Step[1] =>
  async ({ web, page, open: go }) => {
    const token = await records[kind](web);
    await openHostedPages(web.server).givePins();
    if (change) await amend(page, '/open', ({ view }) => change(view));
    await go(token);
  };
export const byPin =
  (given: string): Step[1] =>
  async ({ fill, enter }) => {
    await fill({ pin: given });
    await enter();
  };
/** The payment is asked for by a code of the shop: it is declined. What was begun is canceled. */
const refusalOf = (kind: Kind, { confirm }: Texts) =>
  kind === 'payment'
    ? [confirm.decline, confirm.declineTitle, confirm.declineYes, confirm.declinedTitle]
    : [
        confirm.cancel[kind],
        confirm.cancelTitle[kind],
        confirm.cancelYes,
        confirm.canceledTitle[kind],
      ];
const refusing = (kind: Kind): readonly Step[] => [
  [
    'decline',
    ({ press, texts }) => press(refusalOf(kind, texts)[0] ?? ''),
    (t) => refusalOf(kind, t)[1] ?? '',
  ],
  [
    'declined',
    ({ press, texts }) => press(refusalOf(kind, texts)[2] ?? ''),
    (t) => refusalOf(kind, t)[3] ?? '',
  ],
];
const asked = (kind: Kind): Step => refusing(kind)[0] as Step;
const goBack = pressed((t) => t.confirm.goBack);

/** A bank account whose bank has no known name. */
const bank = { type: 'bank_account', institution_name: null, account_mask: '1234' };

/** Answers the customer's PIN with a record that has come to this status meanwhile. */
const endsAs =
  (status: string, more: object = {}): Step[1] =>
  async (walker) => {
    await amend(walker.page, '/confirm/pin', ({ view }) => {
      Object.assign(view.confirmation, { status, ...more });
    });
    await byPin(pin)(walker);
  };
const outcomes = (
  kind: Kind,
  ends: readonly (readonly [status: string, sees: Step[2], more?: object])[],
): readonly Walk[] =>
  ends.map(([status, says, more]) => ({
    name: `confirm_${kind}_${status}`,
    steps: [
      [
        status,
        async (walker) => {
          await open(kind)(walker);
          const failure_code = status === 'failed' ? 'bank_unavailable' : null;
          await endsAs(status, { failure_code, ...more })(walker);
        },
        says,
      ],
    ],
  }));

const steps = (kind: Kind, end: Step[2]): readonly Step[] => [
  ['pin', open(kind), (t) => t.confirm.title[kind]],
  ['pin_missing', byPin(''), (t) => t.confirm.pinMissing],
  ['pin_wrong', byPin('111222'), (t) => t.confirm.pinWrong(t.common.attempts[4] ?? '')],
  asked(kind),
  ['back', goBack, (t) => t.confirm.title[kind]],
  ['done', byPin(pin), end],
];

const hasPasskey = (view: ReplyBody) => {
  view.customer.has_passkey = true;
};
const locked =
  (alsoPasskey: boolean): Step[1] =>
  async (walker) =>
    open('load', (view) => {
      view.customer.is_pin_locked = true;
      view.return_url = null;
      if (alsoPasskey) hasPasskey(view);
    })(walker);

/** Locked by the service, so that a new PIN can be set on the same page. */
const lockedOut: Step[1] = async ({ web, open: go }) => {
  const person = await web.api.funded('individual', 200_00);
  const { token } = await web.newLoad(person);
  await openHostedPages(web.server).givePins();
  await web.api.simulate('customer.pin_locked', person.customerId);
  await go(token);
};
const resetPin = pressed((t) => t.confirm.resetPin);
const newPin = '847261';
const resetHere: readonly Step[] = [
  ['locked', lockedOut, (t) => t.confirm.lockedTitle],
  ['send_code', resetPin, (t) => t.codes.title.mobile],
  ['back', pressed((t) => t.common.back), (t) => t.confirm.lockedTitle],
  ['send_code_again', resetPin, (t) => t.codes.title.mobile],
  ['code', pressed((t) => t.codes.send), (t) => t.codes.enterTitle],
  ['identity', filled({ code: '000000' }, (t) => t.codes.check), (t) => t.pinReset.identityTitle],
  ['new_pin', filled({ birthDate: '1987-03-14', last4: '9846' }), (t) => t.pinReset.pinTitle],
  [
    'pin',
    filled({ pin: newPin, repeated: newPin }, (t) => t.pinReset.set),
    (t) => t.confirm.resetDone,
  ],
  ['done', byPin(newPin), (t) => t.confirm.done.load.processing],
];

const ways: readonly Walk[] = [
  { name: 'confirm_reset', steps: resetHere },
  {
    name: 'confirm_passkey',
    steps: [
      ['passkey', open('payment', hasPasskey), (t) => t.confirm.passkey],
      ['pin', pressed((t) => t.confirm.usePin), (t) => t.confirm.usePasskey],
    ],
  },
  ...(['payment', 'load'] as const).map((kind) => ({
    name: `confirm_declined_${kind}`,
    steps: [['pin', open(kind), (t: Texts) => t.confirm.title[kind]] as Step, ...refusing(kind)],
  })),
  {
    name: 'confirm_left',
    steps: [
      ['pin', open('load'), (t) => t.confirm.title.load],
      ['question', pressed((t) => t.common.close), (t) => t.staying.leaveTitle],
      ['canceled', leaveForNowhere, (t) => t.confirm.leftTitle],
    ],
  },
  {
    name: 'confirm_locked',
    steps: [
      ['locked', locked(false), (t) => t.confirm.lockedTitle],
      ['left', leaveForNowhere, (t) => t.confirm.leftTitle],
    ],
  },
  {
    name: 'confirm_locked_passkey',
    steps: [
      ['locked', locked(true), (t) => t.confirm.lockedPasskey],
      asked('load'),
      ['back', goBack, (t) => t.confirm.lockedPasskey],
    ],
  },
];

export const confirmWalks: readonly Walk[] = [
  { name: 'confirm_load', steps: steps('load', (t) => t.confirm.done.load.processing) },
  { name: 'confirm_payment', steps: steps('payment', (t) => t.confirm.done.payment.completed) },
  {
    name: 'confirm_withdrawal',
    steps: steps('withdrawal', (t) => t.confirm.done.withdrawal.processing),
  },
  { name: 'confirm_refund', steps: steps('refund', (t) => t.confirm.done.refund.completed) },
  ...ways,
  ...outcomes('load', [
    ['settled', (t) => t.confirm.done.load.settled],
    ['failed', (t) => t.confirm.failedTitle.load],
  ]),
  ...outcomes('payment', [
    [
      'processing',
      (t) => t.confirm.after.atBank(t.confirm.yourBank, '$24.00', t.confirm.next.approvePayment),
      { from: bank },
    ],
    ['failed', (t) => t.confirm.failedTitle.payment],
  ]),
  ...outcomes('withdrawal', [
    ['settled', (t) => t.confirm.done.withdrawal.settled],
    ['failed', (t) => t.confirm.failedTitle.withdrawal],
  ]),
  ...outcomes('refund', [
    ['processing', (t) => t.confirm.done.refund.processing],
    ['pending_funds', (t) => t.confirm.done.refund.pending_funds],
    ['failed', (t) => t.confirm.failedTitle.refund],
  ]),
];

/** The token of a load that waits for its customer. */
export const loadToken = records.load;
/** The token of a flow of a new customer. */
export const sessionFor = async (web: TestWeb, flow: string): Promise<string> =>
  tokenFor(web, flow, (await web.api.funded('individual', 200_00)).customerId);
