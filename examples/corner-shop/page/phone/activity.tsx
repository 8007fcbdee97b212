import type { Transaction } from '../../records.ts';
import { Button } from '../parts.tsx';
import { dollars } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';
import type { ScreenProps } from './screen.ts';

const signed = ({ direction }: Transaction, cents: number): string =>
  dollars(direction === 'credit' ? cents : -cents);

/** The name of a movement's other side, else what it is. */
function useNames() {
  const { texts } = useTexts();
  const kind = ({ type }: Transaction): string => texts.phone.kinds[type] ?? type;
  return { kind, who: (one: Transaction) => one.counterparty?.display_name ?? kind(one) };
}

/** The movements, newest first; each leads to its details. */
export function Activity({ wallet, go }: Pick<ScreenProps, 'wallet' | 'go'>) {
  const { texts, words, dayOf } = useTexts();
  const { kind, who } = useNames();
  const { transactions = [] } = wallet;
  if (transactions.length === 0) return <p class="empty">{texts.phone.noActivity}</p>;
  const aboutOf = (one: Transaction): string =>
    [
      dayOf(one.created_at),
      ...(who(one) === kind(one) ? [] : [kind(one)]),
      ...(one.status === 'posted' ? [] : [words(one.status)]),
    ].join(' · ');
  return (
    <ul class="list activity">
      {transactions.map((one) => (
        <li key={one.id}>
          <button type="button" onClick={() => go('detail', one.id)}>
            <span>
              {who(one)}
              <span class="below soft small">{aboutOf(one)}</span>
            </span>
            <span class={one.direction === 'credit' ? 'amount is-plus' : 'amount'}>
              {signed(one, one.net_amount)}
            </span>
            <span aria-hidden="true">›</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Everything about one movement, and what to do when something is wrong with it. */
export function Detail({ wallet, about, go }: ScreenProps) {
  const { texts, words, momentOf } = useTexts();
  const { kind, who } = useNames();
  const { detail, report } = texts.phone;
  const one = wallet.transactions?.find(({ id }) => id === about);
  if (!one) return <p class="empty">{texts.phone.noActivity}</p>;
  const rows = [
    [detail.what, kind(one)],
    ...(who(one) === kind(one) ? [] : [[detail.who, who(one)]]),
    [detail.state, words(one.status)],
    [detail.created, momentOf(one.created_at)],
    ...(one.fee_amount === 0
      ? []
      : [
          [detail.gross, signed(one, one.amount)],
          [detail.fee, dollars(-one.fee_amount)],
        ]),
    ...(one.description === null ? [] : [[detail.note, one.description]]),
    [detail.id, one.source_id],
  ];
  return (
    <div class="form">
      <p class="big">{signed(one, one.net_amount)}</p>
      <dl class="rows is-record">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {one.source_type === 'payment' && one.direction === 'debit' && (
        <Button look="plain" onClick={() => go('report', one.source_id)}>
          {report}
        </Button>
      )}
    </div>
  );
}
