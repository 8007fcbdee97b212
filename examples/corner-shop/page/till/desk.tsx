import { useEffect, useState } from 'preact/hooks';
import type { ReconciliationReport } from '../../records.ts';
import { AmountField, useAmount } from '../amount_field.tsx';
import { callShop, openFlow } from '../api.ts';
import { Button, CopyCode, Fault, Qr } from '../parts.tsx';
import { dollars, useNow, useShop, useTask } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';

/** A code without an amount, printed once: the customer types the amount. */
export function Counter() {
  const { fault, run } = useTask();
  const { state } = useShop();
  const { till } = useTexts().texts;
  const request = state.counter;
  useEffect(() => {
    run(() => callShop('counter'));
  }, [run]);
  return (
    <div class="desk">
      <p class="soft">{till.counterText}</p>
      <Fault fault={fault} />
      {request && (
        <div class="poster">
          <p class="poster-name">{state.merchant}</p>
          <Qr code={request} label={till.counterQr} />
          <p>{till.payHere}</p>
        </div>
      )}
      <div class="row">
        <Button look="plain" isDisabled={!request} onClick={() => print()}>
          {till.print}
        </Button>
        {request && <CopyCode code={request} />}
      </div>
    </div>
  );
}

interface DayFigures {
  /** Sums of the day's events, in cents. */
  readonly payments: number;
  readonly refunds: number;
  readonly report: ReconciliationReport | null;
}

const dayOf = (time: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(time));

function Comparison({ report, ...received }: DayFigures) {
  const { texts, words } = useTexts();
  const { till } = texts;
  const rows = (['payments', 'refunds'] as const).map((name) => ({
    name,
    received: received[name],
    reported: report?.totals[name],
  }));
  return (
    <table class="compare">
      <thead>
        <tr>
          <td />
          <th scope="col">{till.events}</th>
          <th scope="col">{till.report}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{words(row.name)}</th>
            <td>{dollars(row.received)}</td>
            <td>{row.reported === undefined ? '–' : dollars(row.reported)}</td>
            <td>
              {row.reported === undefined
                ? ''
                : row.reported === row.received
                  ? till.agrees
                  : till.differs}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The sums of a day's events beside the report of the service. */
export function Day() {
  const { till } = useTexts().texts;
  const now = useNow();
  const { isBusy, fault, run } = useTask();
  const [date, setDate] = useState(dayOf(now));
  const [figures, setFigures] = useState<DayFigures | null>(null);
  const load = (of: string) =>
    run(async () => setFigures(await callShop<DayFigures>('day', { date: of })));
  useEffect(() => {
    load(date);
  }, [date]);
  const tomorrow = () =>
    run(async () => {
      await callShop('clock', { seconds: 30 * 3600 });
      setFigures(await callShop<DayFigures>('day', { date }));
    });
  return (
    <div class="desk">
      <div class="field">
        <label for="day">{till.day}</label>
        <input
          id="day"
          type="date"
          value={date}
          onInput={(event) => setDate(event.currentTarget.value)}
        />
      </div>
      {figures && <Comparison {...figures} />}
      {figures && !figures.report && <p class="soft">{till.reportLater}</p>}
      {figures?.report && (
        <p>
          <a href={figures.report.file.download_url}>{till.file}</a> (
          {figures.report.postings_count})
        </p>
      )}
      <Fault fault={fault} />
      <div class="row">
        <Button look="plain" isDisabled={isBusy} onClick={() => load(date)}>
          {till.again}
        </Button>
        {figures && !figures.report && (
          <Button look="plain" isDisabled={isBusy} onClick={tomorrow}>
            {till.tomorrow}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Merchant to merchant: the café pays an invoice of the bookshop. */
export function Supplier() {
  const { state } = useShop();
  const { isBusy, fault, run } = useTask();
  const { texts, locale, words } = useTexts();
  const { till } = texts;
  const amount = useAmount('12.00');
  const [invoice, setInvoice] = useState('INV-2041');
  const [paid, setPaid] = useState<string | null>(null);
  const pay = () =>
    run(async () => {
      setPaid(null);
      const { confirmation_session } = await callShop<{ confirmation_session: { token: string } }>(
        'supplier',
        { amount: amount.cents, text: invoice },
      );
      const { outcome } = await openFlow(state.base_url, confirmation_session.token, locale);
      setPaid(outcome?.target_status ?? null);
    });
  return (
    <div class="desk">
      <p class="soft">{till.supplierText}</p>
      <div class="field">
        <label for="invoice">{till.invoice}</label>
        <input
          id="invoice"
          maxLength={64}
          value={invoice}
          onInput={(event) => setInvoice(event.currentTarget.value)}
        />
      </div>
      <AmountField id="supplier-amount" label={texts.amount.label} amount={amount} />
      <Fault fault={fault} purpose="shop" />
      {paid && (
        <p class="notice" role="status">
          {till.invoiceIs(invoice, words(paid))}
        </p>
      )}
      <Button isDisabled={isBusy || amount.cents === null || invoice === ''} onClick={pay}>
        {amount.cents === null ? till.paySupplier : till.pay(dollars(amount.cents))}
      </Button>
    </div>
  );
}
