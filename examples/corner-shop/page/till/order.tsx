import { useState } from 'preact/hooks';
import type { Order } from '../../server/orders.ts';
import { callShop, openFlow } from '../api.ts';
import { AmountField, Button, CopyCode, Fault, Qr } from '../parts.tsx';
import { centsOf, dollars, useNow, useShop, useTask, words } from '../shop.ts';

const stages = ['waiting', 'opened', 'confirming', 'paid'] as const;

/** The stage of the order. Only verified webhooks change it. */
function Progress({ status }: Pick<Order, 'status'>) {
  const at = (stages as readonly string[]).indexOf(status);
  return (
    <ol class="stages" aria-label="Progress">
      {stages.map((stage, index) => (
        <li
          key={stage}
          class={index < at ? 'is-done' : ''}
          aria-current={index === at ? 'step' : undefined}
        >
          {stage}
        </li>
      ))}
    </ol>
  );
}

function Countdown({ until }: { readonly until: string }) {
  const now = useNow();
  const seconds = Math.max(0, Math.round((Date.parse(until) - now) / 1_000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <p class="soft">
      The code is valid for <time>{text}</time>
    </p>
  );
}

/** Why a payment did not pay the order, by its status. */
const unpaidWords: Readonly<Record<string, string>> = {
  failed: 'The customer’s bank did not pay. No money was moved, and the code can be paid again.',
  canceled: 'The customer did not confirm. No money was moved, and the code can be paid again.',
};

function Open({ order }: { readonly order: Order }) {
  const { isBusy, fault, run } = useTask();
  const { request, number, amount, status, payment } = order;
  const isPayable = status !== 'confirming';
  const unpaid = status === 'waiting' && unpaidWords[payment?.status ?? ''];
  return (
    <div class="asking">
      <p class="big">{dollars(amount)}</p>
      <div class={isPayable ? 'qr-frame' : 'qr-frame is-covered'}>
        <Qr code={request} label={`QR code for order ${number}, ${dollars(amount)}`} />
        {!isPayable && <p>Confirmed. The customer’s bank is processing it…</p>}
      </div>
      <Progress status={status} />
      {unpaid && <p class="notice">{unpaid}</p>}
      {status === 'opened' && <p>A customer has scanned it.</p>}
      {isPayable && request.expires_at && <Countdown until={request.expires_at} />}
      <Fault fault={fault} />
      {isPayable && (
        <div class="row">
          <Button
            look="plain"
            isDisabled={isBusy}
            onClick={() => run(() => callShop('cancel', { order: number }))}
          >
            Cancel the order
          </Button>
          <CopyCode code={request} />
        </div>
      )}
    </div>
  );
}

function Receipt({ order }: { readonly order: Order }) {
  const { lines, amount, payment, refunds, handed_out } = order;
  return (
    <dl class="rows">
      {lines.map(({ id, name, quantity, amount: each }) => (
        <div key={id}>
          <dt>
            {quantity} {name}
          </dt>
          <dd>{dollars(each * quantity)}</dd>
        </div>
      ))}
      <div class="is-strong">
        <dt>Paid {payment?.source === 'bank_account' ? 'by bank' : 'from wallet'}</dt>
        <dd>{dollars(payment?.amount ?? amount)}</dd>
      </div>
      {payment?.fees.map((fee) => (
        <div key={fee.type}>
          <dt>
            {fee.type === 'platform' ? 'Platform' : 'App'} fee, paid by{' '}
            {fee.paid_by === 'payee' ? 'the shop' : 'the customer'}
          </dt>
          <dd>{dollars(fee.paid_by === 'payee' ? -fee.amount : fee.amount)}</dd>
        </div>
      ))}
      <div class="is-strong">
        <dt>Net to the shop</dt>
        <dd>{dollars(payment?.net_amount ?? 0)}</dd>
      </div>
      {refunds.map((refund) => (
        <div key={refund.id}>
          <dt>Refund, {words(refund.status)}</dt>
          <dd>{dollars(-refund.amount)}</dd>
        </div>
      ))}
      <div>
        <dt>Handed out</dt>
        <dd>{handed_out === 1 ? 'once' : `${handed_out} times`}</dd>
      </div>
    </dl>
  );
}

function Refund({ order }: { readonly order: Order }) {
  const { state } = useShop();
  const { isBusy, fault, run } = useTask();
  const [text, setText] = useState('');
  const code = order.refunds.filter(({ status }) => status !== 'failed');
  const left = code.reduce((sum, refund) => sum - refund.amount, order.payment?.amount ?? 0);
  const amount = centsOf(text);
  const refund = (cents: number) =>
    run(async () => {
      const { confirmation_session } = await callShop<{ confirmation_session: { token: string } }>(
        'refund',
        { order: order.number, amount: cents },
      );
      await openFlow(state.base_url, confirmation_session.token);
      setText('');
    });
  if (left <= 0) return null;
  return (
    <details class="fold">
      <summary>Refund</summary>
      <p class="soft">The café confirms with its own PIN, 284617, on a page of the service.</p>
      <div class="inline">
        <AmountField id="refund-amount" label="Part of the amount" value={text} onValue={setText} />
        <Button
          look="plain"
          isDisabled={isBusy || amount === null}
          onClick={() => refund(amount ?? 0)}
        >
          Refund this part
        </Button>
      </div>
      <Button look="plain" isDisabled={isBusy} onClick={() => refund(left)}>
        Refund all {dollars(left)}
      </Button>
      <Fault fault={fault} />
    </details>
  );
}

const closedWords: Readonly<Record<string, string>> = {
  expired: 'The code has expired. It can no longer be paid.',
  canceled: 'The order was canceled. Its code can no longer be paid.',
};

/** An order on the till, from its code to its receipt. */
export function OrderView({ order }: { readonly order: Order }) {
  const { show } = useShop();
  const { isBusy, fault, run } = useTask();
  const { status, number } = order;
  const isOpen = /^(waiting|opened|confirming)$/.test(status);
  const closed = closedWords[status];
  return (
    <article class="order" aria-label={`Order ${number}`}>
      <div class="order-head">
        <h3 tabIndex={-1}>Order #{number}</h3>
        <Button look="quiet" onClick={() => show(null)}>
          Back
        </Button>
      </div>
      <p class="visually-hidden" role="status">
        Order {number} is {words(status)}
      </p>
      {isOpen && <Open order={order} />}
      {closed && (
        <>
          <p class="notice">{closed}</p>
          <Fault fault={fault} />
          <Button
            isDisabled={isBusy}
            onClick={() => run(() => callShop('renew', { order: number }))}
          >
            Make a new code
          </Button>
        </>
      )}
      {!isOpen && !closed && (
        <>
          <p class={status === 'paid' ? 'stamp is-paid' : 'stamp'}>{words(status)}</p>
          <Receipt order={order} />
          <Refund order={order} />
          <Button onClick={() => show(null)}>Next customer</Button>
        </>
      )}
    </article>
  );
}
