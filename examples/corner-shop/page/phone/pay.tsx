import { useState } from 'preact/hooks';
import { AmountField, useAmount } from '../amount_field.tsx';
import { Button, Fault } from '../parts.tsx';
import { dollars, useShop } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';
import { readPasted } from './pasted.ts';
import type { ScreenProps } from './screen.ts';

type Source = 'balance' | 'bank_account';

function SourceChoice({ source, choose }: { source: Source; choose: (source: Source) => void }) {
  const { phone } = useTexts().texts;
  const sources = [
    { id: 'balance', name: phone.wallet },
    { id: 'bank_account', name: phone.bank },
  ] as const;
  return (
    <fieldset class="segments">
      <legend>{phone.from}</legend>
      {sources.map(({ id, name }) => (
        <label key={id}>
          <input type="radio" name="source" checked={source === id} onChange={() => choose(id)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The amounts offered for a code without one, in cents. */
const presets = [{ cents: 5_00 }, { cents: 10_00 }, { cents: 20_00 }];

function usePaid() {
  const { state } = useShop();
  return useAmount('', { maximum: state.limits?.payment_per_transaction ?? null });
}

/** The code that the phone scans: the till's, or else the counter's. */
function Viewfinder({ isBusy, pay }: { isBusy: boolean; pay: PayCode }) {
  const { state } = useShop();
  const { phone } = useTexts().texts;
  const amount = usePaid();
  const open = state.orders.find(({ status }) => status === 'waiting' || status === 'opened');
  const { counter } = state;
  if (open)
    return (
      <div class="viewfinder">
        <p>{phone.order(state.merchant, open.number)}</p>
        <p class="big">{dollars(open.amount)}</p>
        <Button isDisabled={isBusy} onClick={() => pay(open.request.qr_payload, null)}>
          {phone.scanTill}
        </Button>
      </div>
    );
  if (counter)
    return (
      <div class="viewfinder">
        <p>{phone.counter(state.merchant)}</p>
        <AmountField id="counter-amount" label={phone.toPay} amount={amount} presets={presets} />
        <Button
          isDisabled={isBusy || amount.cents === null}
          onClick={() => pay(counter.qr_payload, amount.cents)}
        >
          {phone.scanCounter}
        </Button>
      </div>
    );
  return (
    <div class="viewfinder">
      <p>{phone.noCode}</p>
    </div>
  );
}

type PayCode = (text: string, cents: number | null) => void;

function Paste({ isBusy, pay }: { isBusy: boolean; pay: PayCode }) {
  const { phone } = useTexts().texts;
  const [text, setText] = useState('');
  const amount = usePaid();
  const { code, isStatic, fault } = readPasted(text);
  return (
    <details class="fold">
      <summary>{phone.paste}</summary>
      <div class="field">
        <label for="pasted">{phone.code}</label>
        <textarea
          id="pasted"
          rows={3}
          spellcheck={false}
          autocomplete="off"
          placeholder="tps1.…"
          aria-describedby="pasted-fault"
          aria-invalid={fault !== null}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p id="pasted-fault" class="field-fault" role="status">
          {fault && phone[fault]}
        </p>
      </div>
      {isStatic && (
        <AmountField id="pasted-amount" label={phone.toPay} amount={amount} presets={presets} />
      )}
      <Button
        look="plain"
        isDisabled={code === null || isBusy || (isStatic && amount.cents === null)}
        onClick={() => pay(code ?? '', isStatic ? amount.cents : null)}
      >
        {phone.payCode}
      </Button>
    </details>
  );
}

/** Scans or pastes a code; the customer reviews and confirms on the hosted page. */
export function Pay({ wallet, movement, go }: ScreenProps) {
  const { phone } = useTexts().texts;
  const [source, setSource] = useState<Source>('balance');
  const pay: PayCode = (text, cents) => {
    movement.move('pay', { text, source, amount: cents }).then((isDone) => isDone && go('home'));
  };
  return (
    <div class="form">
      <Viewfinder isBusy={movement.isBusy} pay={pay} />
      <SourceChoice source={source} choose={setSource} />
      {wallet.balance && source === 'balance' && (
        <p class="soft small">{phone.inWallet(dollars(wallet.balance.available))}</p>
      )}
      <Paste isBusy={movement.isBusy} pay={pay} />
      <Fault fault={movement.fault} />
    </div>
  );
}
