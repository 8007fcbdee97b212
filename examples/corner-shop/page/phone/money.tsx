import { useState } from 'preact/hooks';
import type { Transaction } from '../../records.ts';
import { AmountField, Button, Fault } from '../parts.tsx';
import { centsOf, dollars, words } from '../shop.ts';
import type { ScreenProps } from './screen.ts';

function Money({ wallet }: Pick<ScreenProps, 'wallet'>) {
  const { balance } = wallet;
  if (!balance) return null;
  const parts = [
    ['Ledger', balance.ledger],
    ['Pending', balance.pending_outgoing],
    ['Reserved', balance.earmarked],
  ] as const;
  return (
    <div class="money">
      <p class="soft">Available</p>
      <p class="big">{dollars(balance.available)}</p>
      <dl>
        {parts.map(([name, cents]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{dollars(cents)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Activity({ wallet, go }: Pick<ScreenProps, 'wallet' | 'go'>) {
  const { transactions = [] } = wallet;
  if (transactions.length === 0) return <p class="empty">No activity yet.</p>;
  const line = ({
    id,
    counterparty,
    type,
    status,
    direction,
    net_amount,
    source_type,
    source_id,
  }: Transaction) => (
    <li key={id}>
      <span>
        {counterparty?.display_name ?? words(type)}
        <span class="soft small">
          {words(type)}
          {status === 'posted' ? '' : `, ${status}`}
        </span>
      </span>
      <span class={direction === 'credit' ? 'amount is-plus' : 'amount'}>
        {dollars(direction === 'credit' ? net_amount : -net_amount)}
      </span>
      {source_type === 'payment' && direction === 'debit' && (
        <button type="button" class="link" onClick={() => go('report', source_id)}>
          Report<span class="visually-hidden"> a problem with this payment</span>
        </button>
      )}
    </li>
  );
  return <ul class="activity">{transactions.map(line)}</ul>;
}

/** What the customer should do first. */
function Alerts({ wallet, movement, go }: ScreenProps) {
  const { customer, documents, bank } = wallet;
  const hasNewTerms = documents.some(({ status }) => status === 'pending_acceptance');
  return (
    <>
      {customer.pin_locked && (
        <div class="said">
          <p>The PIN is locked after too many wrong attempts.</p>
          <Button look="plain" onClick={() => movement.flow('pin_reset')}>
            Set a new PIN
          </Button>
        </div>
      )}
      {hasNewTerms && (
        <div class="said">
          <p>There are new terms to read.</p>
          <Button look="plain" onClick={() => movement.flow('terms_acceptance')}>
            Read the new terms
          </Button>
        </div>
      )}
      {!bank && (
        <div class="said">
          <p>Link a bank account to add money.</p>
          <Button look="plain" onClick={() => go('bank')}>
            Link a bank
          </Button>
        </div>
      )}
    </>
  );
}

export function Home(props: ScreenProps) {
  const { wallet, movement, go } = props;
  return (
    <>
      <Money wallet={wallet} />
      <div class="doings">
        <Button onClick={() => go('pay')}>Pay</Button>
        <Button look="plain" onClick={() => go('add')}>
          Add money
        </Button>
        <Button look="plain" onClick={() => go('withdraw')}>
          Withdraw
        </Button>
        <Button look="plain" onClick={() => go('more')}>
          More
        </Button>
      </div>
      <Fault fault={movement.fault} />
      <Alerts {...props} />
      <h3>Activity</h3>
      <Activity wallet={wallet} go={go} />
    </>
  );
}

const bankOf = ({ bank }: ScreenProps['wallet']): string =>
  bank ? `${bank.institution_name} ••${bank.account_mask}` : 'no bank yet';

interface MoveProps extends ScreenProps {
  readonly action: string;
  readonly start: string;
  readonly title: string;
  readonly text: string;
}

function Move({ wallet, movement, go, action, start, title, text }: MoveProps) {
  const [typed, setTyped] = useState(start);
  const amount = centsOf(typed);
  return (
    <div class="form">
      <p class="soft">{text}</p>
      <p>{bankOf(wallet)}</p>
      <AmountField id={`${action}-amount`} label="Amount" value={typed} onValue={setTyped} />
      <Fault fault={movement.fault} />
      <Button
        isDisabled={amount === null || movement.isBusy}
        onClick={() => movement.move(action, { amount }).then((isDone) => isDone && go('home'))}
      >
        {title} {amount === null ? '' : dollars(amount)}
      </Button>
    </div>
  );
}

export const AddMoney = (props: ScreenProps) => (
  <Move
    {...props}
    action="load"
    start="25.00"
    title="Add"
    text="Your bank will ask you to approve it. In a sandbox, act as the bank in the inspector."
  />
);

export function Withdraw(props: ScreenProps) {
  const until = props.wallet.bank?.withdrawal_hold_until ?? null;
  const text =
    until === null
      ? 'The money leaves the wallet when you confirm, and arrives when the bank has settled it.'
      : `You changed your bank, so withdrawals are held until ${new Date(until).toLocaleString('en-US')} for your security. Move the clock in the inspector.`;
  return <Move {...props} action="withdraw" start="10.00" title="Withdraw" text={text} />;
}
