import { useState } from 'preact/hooks';
import { callShop, choose } from '../api.ts';
import { Badge, Button, Fault } from '../parts.tsx';
import { useShop, useTask, words } from '../shop.ts';
import type { ScreenProps } from './screen.ts';

/** Linking a bank account: Sandbox Bank takes the place of an aggregator's widget. */
export function Bank({ wallet, load, go }: ScreenProps) {
  const { state, person } = useShop();
  const { isBusy, fault, run } = useTask();
  const { bank, last_link } = wallet;
  const link = () =>
    run(async () => {
      const { link_token } = await callShop<{ link_token: string }>('link-token', { ref: person });
      const choice = await choose(state.base_url, link_token);
      if (!choice) return;
      await callShop('link', { ref: person, ...choice });
      load();
    });
  const unlink = () =>
    run(async () => {
      await callShop('unlink', { ref: person, id: bank?.id });
      load();
    });
  return (
    <div class="form">
      {bank ? (
        <div class="card">
          <p>
            <strong>{bank.institution_name}</strong> {bank.account_type} ••{bank.account_mask}
          </p>
          <Badge tone={bank.status === 'verified' ? 'good' : 'warm'}>{words(bank.status)}</Badge>
        </div>
      ) : (
        <p class="soft">
          {last_link?.status === 'failed'
            ? `The last bank account was not linked: ${words(last_link.failure_code ?? 'failed')}.`
            : 'No bank account is linked.'}
        </p>
      )}
      {bank?.status === 'pending' && (
        <p class="soft">The bank checks whose account it is. Act as the bank in the inspector.</p>
      )}
      <Fault fault={fault} />
      {bank ? (
        <Button look="plain" isDisabled={isBusy || bank.status === 'pending'} onClick={unlink}>
          Remove it
        </Button>
      ) : (
        <Button isDisabled={isBusy} onClick={link}>
          Link a bank account
        </Button>
      )}
      <Button look="quiet" onClick={() => go('home')}>
        Done
      </Button>
    </div>
  );
}

export function More({ wallet, movement, go }: ScreenProps) {
  const { customer } = wallet;
  const rows = [
    { name: 'Bank account', press: () => go('bank') },
    { name: 'Change phone number or email', press: () => movement.flow('contact_change') },
    { name: 'Set a new PIN', press: () => movement.flow('pin_reset') },
    { name: 'Terms', press: () => movement.flow('terms_acceptance') },
  ];
  return (
    <div class="form">
      <p class="soft">
        {customer.email}, phone number ending in {customer.mobile_number_last4}
      </p>
      <Fault fault={movement.fault} />
      <ul class="list">
        {rows.map(({ name, press }) => (
          <li key={name}>
            <button
              type="button"
              aria-disabled={movement.isBusy ? 'true' : undefined}
              onClick={movement.isBusy ? undefined : press}
            >
              <span>{name}</span>
              <span aria-hidden="true">›</span>
            </button>
          </li>
        ))}
      </ul>
      <label class="check">
        <input
          type="checkbox"
          checked={movement.isApart}
          onChange={() => movement.setApart(!movement.isApart)}
        />
        <span>
          Open the service’s pages in their own window. You can add a passkey there after the PIN.
        </span>
      </label>
    </div>
  );
}

/** A notice in the customer's own words, which the shop's server forwards. */
export function Report({ about, go }: ScreenProps) {
  const { person } = useShop();
  const { isBusy, fault, run } = useTask();
  const [text, setText] = useState('The coffee never came.');
  const [isSent, setSent] = useState(false);
  const send = () =>
    run(async () => {
      await callShop('dispute', { ref: person, id: about, text });
      setSent(true);
    });
  if (isSent)
    return (
      <div class="form">
        <p role="status">
          We have received your report and are investigating. Act as the reviewer in the inspector.
        </p>
        <Button onClick={() => go('home')}>Back to the wallet</Button>
      </div>
    );
  return (
    <div class="form">
      <div class="field">
        <label for="problem">What happened?</label>
        <textarea
          id="problem"
          rows={4}
          maxLength={2000}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <Fault fault={fault} />
      <Button isDisabled={isBusy || text.trim() === ''} onClick={send}>
        Send the report
      </Button>
    </div>
  );
}
