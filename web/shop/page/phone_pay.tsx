import { useState } from 'preact/hooks';
import { AmountField, Button, Fault } from './parts.tsx';
import type { ScreenProps } from './phone.tsx';
import { centsOf, dollars, useShop } from './shop.ts';

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

/** A code without an amount says so itself: its middle part is JSON. */
function isStatic(payload: string): boolean {
  try {
    const [, content = ''] = payload.trim().split('.');
    return JSON.parse(atob(content.replaceAll('-', '+').replaceAll('_', '/'))).t === 'static';
  } catch {
    return false;
  }
}

/** What the camera of this phone sees: the code on the till, or else the one on the counter. */
function Viewfinder({ isBusy, pay }: { isBusy: boolean; pay: PayCode }) {
  const { state } = useShop();
  const [typed, setTyped] = useState('');
  const amount = centsOf(typed);
  const open = state.orders.find(({ status }) => status === 'waiting');
  const { counter } = state;
  if (open)
    return (
      <div class="viewfinder">
        <p>
          {state.merchant}, order #{open.number}
        </p>
        <p class="big">{dollars(open.amount)}</p>
        <Button isDisabled={isBusy} onClick={() => pay(open.request.code.payload, null)}>
          Scan the till’s code
        </Button>
      </div>
    );
  if (counter)
    return (
      <div class="viewfinder">
        <p>{state.merchant}, at the counter</p>
        <AmountField id="counter-amount" label="What you owe" value={typed} onValue={setTyped} />
        <Button
          isDisabled={isBusy || amount === null}
          onClick={() => pay(counter.code.payload, amount)}
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

function Pasted({ isBusy, pay }: { isBusy: boolean; pay: PayCode }) {
  const [text, setText] = useState('');
  const [typed, setTyped] = useState('');
  const amount = centsOf(typed);
  const needsAmount = isStatic(text);
  return (
    <details class="fold">
      <summary>Paste a code</summary>
      <div class="field">
        <label for="pasted">Code</label>
        <textarea
          id="pasted"
          rows={3}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value.trim())}
        />
      </div>
      {needsAmount && (
        <AmountField id="pasted-amount" label="What you owe" value={typed} onValue={setTyped} />
      )}
      <Button
        look="plain"
        isDisabled={text === '' || isBusy || (needsAmount && amount === null)}
        onClick={() => pay(text, needsAmount ? amount : null)}
      >
        Pay this code
      </Button>
    </details>
  );
}

/** Scan, or paste; what is reviewed and confirmed is the hosted page's. */
export function Pay({ movement, go }: ScreenProps) {
  const [source, setSource] = useState<Source>('balance');
  const pay: PayCode = (text, cents) => {
    movement.move('pay', { text, source, amount: cents }).then((isDone) => isDone && go('home'));
  };
  return (
    <div class="form">
      <Viewfinder isBusy={movement.isBusy} pay={pay} />
      <SourceChoice source={source} choose={setSource} />
      <Pasted isBusy={movement.isBusy} pay={pay} />
      <Fault fault={movement.fault} />
    </div>
  );
}
