import { useState } from 'preact/hooks';
import { AmountField, Button, Fault } from '../parts.tsx';
import { centsOf, dollars, useShop } from '../shop.ts';
import { readPasted } from './pasted.ts';
import type { ScreenProps } from './screen.ts';

type Source = 'balance' | 'bank_account';

const sources = [
  { id: 'balance', name: 'Wallet' },
  { id: 'bank_account', name: 'Bank' },
] as const;

function SourceChoice({ source, choose }: { source: Source; choose: (source: Source) => void }) {
  return (
    <fieldset class="segments">
      <legend>Pay from</legend>
      {sources.map(({ id, name }) => (
        <label key={id}>
          <input type="radio" name="source" checked={source === id} onChange={() => choose(id)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The code that the phone scans: the till's, or else the counter's. */
function Viewfinder({ isBusy, pay }: { isBusy: boolean; pay: PayCode }) {
  const { state } = useShop();
  const [typed, setTyped] = useState('');
  const amount = centsOf(typed);
  const open = state.orders.find(({ status }) => status === 'waiting' || status === 'opened');
  const { counter } = state;
  if (open)
    return (
      <div class="viewfinder">
        <p>
          {state.merchant}, order #{open.number}
        </p>
        <p class="big">{dollars(open.amount)}</p>
        <Button isDisabled={isBusy} onClick={() => pay(open.request.qr_payload, null)}>
          Scan the till’s code
        </Button>
      </div>
    );
  if (counter)
    return (
      <div class="viewfinder">
        <p>{state.merchant}, at the counter</p>
        <AmountField id="counter-amount" label="Amount to pay" value={typed} onValue={setTyped} />
        <Button
          isDisabled={isBusy || amount === null}
          onClick={() => pay(counter.qr_payload, amount)}
        >
          Scan the counter’s code
        </Button>
      </div>
    );
  return (
    <div class="viewfinder">
      <p>No code on the till. Ring something up, or paste one.</p>
    </div>
  );
}

type PayCode = (text: string, cents: number | null) => void;

function Paste({ isBusy, pay }: { isBusy: boolean; pay: PayCode }) {
  const [text, setText] = useState('');
  const [typed, setTyped] = useState('');
  const amount = centsOf(typed);
  const { code, isStatic, fault } = readPasted(text);
  return (
    <details class="fold">
      <summary>Paste a code</summary>
      <div class="field">
        <label for="pasted">Code</label>
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
          {fault}
        </p>
      </div>
      {isStatic && (
        <AmountField id="pasted-amount" label="Amount to pay" value={typed} onValue={setTyped} />
      )}
      <Button
        look="plain"
        isDisabled={code === null || isBusy || (isStatic && amount === null)}
        onClick={() => pay(code ?? '', isStatic ? amount : null)}
      >
        Pay this code
      </Button>
    </details>
  );
}

/** Scans or pastes a code; the customer reviews and confirms on the hosted page. */
export function Pay({ movement, go }: ScreenProps) {
  const [source, setSource] = useState<Source>('balance');
  const pay: PayCode = (text, cents) => {
    movement.move('pay', { text, source, amount: cents }).then((isDone) => isDone && go('home'));
  };
  return (
    <div class="form">
      <Viewfinder isBusy={movement.isBusy} pay={pay} />
      <SourceChoice source={source} choose={setSource} />
      <Paste isBusy={movement.isBusy} pay={pay} />
      <Fault fault={movement.fault} />
    </div>
  );
}
