import { useEffect, useState } from 'preact/hooks';
import type { ReconciliationReport } from '../../records.ts';
import { callShop, openFlow } from '../api.ts';
import { AmountField, Button, CopyCode, Fault, Qr } from '../parts.tsx';
import { centsOf, dollars, useNow, useShop, useTask, words } from '../shop.ts';

/** A code without an amount, printed once: the customer types the amount. */
export function Counter() {
  const { fault, run } = useTask();
  const { state } = useShop();
  const request = state.counter;
  useEffect(() => {
    run(() => callShop('counter'));
  }, [run]);
  return (
    <div class="desk">
      <p class="soft">Print it once and leave it on the counter: customers type the amount.</p>
      <Fault fault={fault} />
      {request && (
        <div class="poster">
          <p class="poster-name">{state.merchant}</p>
          <Qr code={request} label="QR code of the counter, without an amount" />
          <p>Pay here with your phone</p>
        </div>
      )}
      <div class="row">
        <Button look="plain" isDisabled={!request} onClick={() => print()}>
          Print it
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
          <th scope="col">Events</th>
          <th scope="col">Report</th>
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
                  ? 'agrees'
                  : 'differs'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The sums of a day's events beside the report of the service. */
export function Day() {
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
        <label for="day">Day, in New York</label>
        <input
          id="day"
          type="date"
          value={date}
          onInput={(event) => setDate(event.currentTarget.value)}
        />
      </div>
      {figures && <Comparison {...figures} />}
      {figures && !figures.report && (
        <p class="soft">The report of a day is ready at six the next morning.</p>
      )}
      {figures?.report && (
        <p>
          <a href={figures.report.file.download_url}>The day’s postings as a file</a> (
          {figures.report.postings_count})
        </p>
      )}
      <Fault fault={fault} />
      <div class="row">
        <Button look="plain" isDisabled={isBusy} onClick={() => load(date)}>
          Recalculate
        </Button>
        {figures && !figures.report && (
          <Button look="plain" isDisabled={isBusy} onClick={tomorrow}>
            Move the clock 30 hours
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
  const [text, setText] = useState('12.00');
  const [invoice, setInvoice] = useState('INV-2041');
  const [paid, setPaid] = useState<string | null>(null);
  const amount = centsOf(text);
  const pay = () =>
    run(async () => {
      setPaid(null);
      const { confirmation_session } = await callShop<{ confirmation_session: { token: string } }>(
        'supplier',
        { amount, text: invoice },
      );
      const { outcome } = await openFlow(state.base_url, confirmation_session.token);
      setPaid(outcome?.target_status ?? null);
    });
  return (
    <div class="desk">
      <p class="soft">
        Harbor Books LLC supplies the café’s reading corner. The café’s PIN is 284617.
      </p>
      <div class="field">
        <label for="invoice">Invoice</label>
        <input
          id="invoice"
          maxLength={64}
          value={invoice}
          onInput={(event) => setInvoice(event.currentTarget.value)}
        />
      </div>
      <AmountField id="supplier-amount" label="Amount" value={text} onValue={setText} />
      <Fault fault={fault} />
      {paid && (
        <p class="notice" role="status">
          Invoice {invoice}: {words(paid)}.
        </p>
      )}
      <Button isDisabled={isBusy || amount === null || invoice === ''} onClick={pay}>
        Pay {amount === null ? 'the supplier' : dollars(amount)}
      </Button>
    </div>
  );
}
