import { AmountField, useAmount } from '../amount_field.tsx';
import { Button, Fault } from '../parts.tsx';
import type { Purpose } from '../refusal.ts';
import { dollars, useShop } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';
import type { ScreenProps } from './screen.ts';

interface MoveProps extends ScreenProps {
  readonly action: 'load' | 'withdraw';
  /** The amount that the field begins with. */
  readonly start: string;
  readonly title: string;
  readonly text: string;
  /** The limits of one time and of a day, by the names of the service's limits. */
  readonly limits: readonly [once: string, day: string];
  readonly presets: Parameters<typeof AmountField>[0]['presets'];
  readonly available: number | null;
  readonly purpose: Purpose;
}

function Move(props: MoveProps) {
  const { wallet, movement, go, action, start, title, text, presets, available, purpose } = props;
  const { texts } = useTexts();
  const { state } = useShop();
  const { phone } = texts;
  const [once = null, day = null] = props.limits.map((name) => state.limits?.[name] ?? null);
  const amount = useAmount(start, { maximum: once, available });
  const { bank, balance } = wallet;
  const { cents } = amount;
  return (
    <div class="form">
      <p class="soft">{text}</p>
      <p>
        {bank ? `${bank.institution_name} ••${bank.account_mask}` : phone.noBank}
        {balance && <span class="below">{phone.inWallet(dollars(balance.available))}</span>}
        {once !== null && day !== null && (
          <span class="below soft small">{phone.limits(dollars(once), dollars(day))}</span>
        )}
      </p>
      <AmountField
        id={`${action}-amount`}
        label={texts.amount.label}
        amount={amount}
        presets={presets}
      />
      <Fault fault={movement.fault} purpose={purpose} />
      <Button
        isDisabled={cents === null || movement.isBusy}
        onClick={() =>
          movement.move(action, { amount: cents }).then((isDone) => isDone && go('home'))
        }
      >
        {title} {cents === null ? '' : dollars(cents)}
      </Button>
    </div>
  );
}

export function AddMoney(props: ScreenProps) {
  const { phone } = useTexts().texts;
  return (
    <Move
      {...props}
      action="load"
      start="25.00"
      title={phone.add}
      text={phone.addText}
      limits={['load_per_transaction', 'load_daily']}
      presets={[{ cents: 25_00 }, { cents: 50_00 }, { cents: 100_00 }]}
      available={null}
      purpose="pay"
    />
  );
}

export function Withdraw(props: ScreenProps) {
  const { texts, momentOf } = useTexts();
  const { phone } = texts;
  const until = props.wallet.bank?.withdrawal_hold_until ?? null;
  const available = props.wallet.balance?.available ?? 0;
  const all = available > 0 ? [{ cents: available, label: phone.all(dollars(available)) }] : [];
  return (
    <Move
      {...props}
      action="withdraw"
      start="10.00"
      title={phone.titles.withdraw}
      text={until === null ? phone.withdrawText : phone.held(momentOf(until))}
      limits={['withdrawal_per_transaction', 'withdrawal_daily']}
      presets={[{ cents: 10_00 }, { cents: 20_00 }, ...all]}
      available={available}
      purpose="withdraw"
    />
  );
}
