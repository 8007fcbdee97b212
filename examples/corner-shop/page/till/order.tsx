import type { Order } from '../../server/orders.ts';
import { AmountField, useAmount } from '../amount_field.tsx';
import { callShop, openFlow } from '../api.ts';
import { Button, CopyCode, Fault, Qr } from '../parts.tsx';
import { dollars, useNow, useShop, useTask } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';

const stages = ['waiting', 'opened', 'confirming', 'paid'] as const;

/** The stage of the order. Only verified webhooks change it. */
function Progress({ status }: Pick<Order, 'status'>) {
  const { texts, words } = useTexts();
  const at = (stages as readonly string[]).indexOf(status);
  return (
    <ol class="stages" aria-label={texts.till.progress}>
      {stages.map((stage, index) => (
        <li
          key={stage}
          class={index < at ? 'is-done' : ''}
          aria-current={index === at ? 'step' : undefined}
        >
          {words(stage)}
        </li>
      ))}
    </ol>
  );
}

function Countdown({ until }: { readonly until: string }) {
  const now = useNow();
  const { till } = useTexts().texts;
  const seconds = Math.max(0, Math.round((Date.parse(until) - now) / 1_000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <p class="soft">
      {till.validFor} <time>{text}</time>
    </p>
  );
}

function Open({ order }: { readonly order: Order }) {
  const { till } = useTexts().texts;
  const { isBusy, fault, run } = useTask();
  const { request, number, amount, status, payment } = order;
  const isPayable = status !== 'confirming';
  const unpaid = status === 'waiting' && till.unpaid[payment?.status ?? ''];
  return (
    <div class="asking">
      <p class="big">{dollars(amount)}</p>
      <div class={isPayable ? 'qr-frame' : 'qr-frame is-covered'}>
        <Qr code={request} label={till.qr(number, dollars(amount))} />
        {!isPayable && <p>{till.atBank}</p>}
      </div>
      <Progress status={status} />
      {unpaid && <p class="notice">{unpaid}</p>}
      {status === 'opened' && <p>{till.scanned}</p>}
      {isPayable && request.expires_at && <Countdown until={request.expires_at} />}
      <Fault fault={fault} />
      {isPayable && (
        <div class="row">
          <Button
            look="plain"
            isDisabled={isBusy}
            onClick={() => run(() => callShop('cancel', { order: number }))}
          >
            {till.cancel}
          </Button>
          <CopyCode code={request} />
        </div>
      )}
    </div>
  );
}

/** Texts by a value of the service, which a later release may add to. */
type Texts = Readonly<Record<string, string | undefined>>;

function Receipt({ order }: { readonly order: Order }) {
  const { texts, words, goods } = useTexts();
  const { till } = texts;
  const { lines, amount, payment, refunds, handed_out } = order;
  const paidBy: Texts = till.paidBy;
  const fees: Readonly<Record<string, Texts | undefined>> = till.fee;
  const source = payment?.source ?? 'balance';
  return (
    <dl class="rows">
      {lines.map(({ id, name, quantity, amount: each }) => (
        <div key={id}>
          <dt>
            {quantity} {goods(id, name)}
          </dt>
          <dd>{dollars(each * quantity)}</dd>
        </div>
      ))}
      <div class="is-strong">
        <dt>{paidBy[source] ?? words(source)}</dt>
        <dd>{dollars(payment?.amount ?? amount)}</dd>
      </div>
      {payment?.fees.map((fee) => (
        <div key={fee.type}>
          <dt>{fees[fee.type]?.[fee.paid_by] ?? words(fee.type)}</dt>
          <dd>{dollars(fee.paid_by === 'payee' ? -fee.amount : fee.amount)}</dd>
        </div>
      ))}
      <div class="is-strong">
        <dt>{till.net}</dt>
        <dd>{dollars(payment?.net_amount ?? 0)}</dd>
      </div>
      {refunds.map((refund) => (
        <div key={refund.id}>
          <dt>{till.refundIs(words(refund.status))}</dt>
          <dd>{dollars(-refund.amount)}</dd>
        </div>
      ))}
      <div>
        <dt>{till.handedOut}</dt>
        <dd>{till.times(handed_out)}</dd>
      </div>
    </dl>
  );
}

function Refund({ order }: { readonly order: Order }) {
  const { state } = useShop();
  const { isBusy, fault, run } = useTask();
  const { texts, locale } = useTexts();
  const { till } = texts;
  const code = order.refunds.filter(({ status }) => status !== 'failed');
  const left = code.reduce((sum, refund) => sum - refund.amount, order.payment?.amount ?? 0);
  const amount = useAmount('', { maximum: left });
  const refund = (cents: number) =>
    run(async () => {
      const { confirmation_session } = await callShop<{ confirmation_session: { token: string } }>(
        'refund',
        { order: order.number, amount: cents },
      );
      await openFlow(state.base_url, confirmation_session.token, locale);
      amount.type('');
    });
  if (left <= 0) return null;
  return (
    <details class="fold">
      <summary>{till.refund}</summary>
      <p class="soft">{till.refundText}</p>
      <div class="inline">
        <AmountField id="refund-amount" label={till.part} amount={amount} />
        <Button
          look="plain"
          isDisabled={isBusy || amount.cents === null}
          onClick={() => refund(amount.cents ?? 0)}
        >
          {till.refundPart}
        </Button>
      </div>
      <Button look="plain" isDisabled={isBusy} onClick={() => refund(left)}>
        {till.refundAll(dollars(left))}
      </Button>
      <Fault fault={fault} purpose="shop" />
    </details>
  );
}

/** An order on the till, from its code to its receipt. */
export function OrderView({ order }: { readonly order: Order }) {
  const { show } = useShop();
  const { texts, words } = useTexts();
  const { till } = texts;
  const { isBusy, fault, run } = useTask();
  const { status, number, amount, payment, lines } = order;
  const isOpen = /^(waiting|opened|confirming)$/.test(status);
  const closed = till.closed[status];
  return (
    <article class="order" aria-label={till.orderLabel(number)}>
      <div class="order-head">
        <h3 tabIndex={-1}>{till.order(number)}</h3>
        <Button look="quiet" onClick={() => show(null)}>
          {texts.back}
        </Button>
      </div>
      <p class="visually-hidden" role="status">
        {till.orderIs(number, words(status))}
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
            {till.newCode}
          </Button>
        </>
      )}
      {!isOpen && !closed && (
        <>
          <p class={status === 'paid' ? 'stamp is-paid' : 'stamp'}>{words(status)}</p>
          {lines.some(({ id }) => id === 'unknown') && <p class="notice">{till.unknown}</p>}
          {status === 'partly_paid' && (
            <p class="notice">{till.partlyPaid(dollars(payment?.amount ?? 0), dollars(amount))}</p>
          )}
          <Receipt order={order} />
          <Refund order={order} />
          <Button onClick={() => show(null)}>{till.nextCustomer}</Button>
        </>
      )}
    </article>
  );
}
