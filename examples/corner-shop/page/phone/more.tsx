import { useState } from 'preact/hooks';
import { callShop, choose } from '../api.ts';
import { Badge, Button, Fault } from '../parts.tsx';
import { useShop, useTask } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';
import type { ScreenProps } from './screen.ts';

/** Linking a bank account: Sandbox Bank takes the place of an aggregator's widget. */
export function Bank({ wallet, load, go }: ScreenProps) {
  const { state, person } = useShop();
  const { isBusy, fault, run } = useTask();
  const { texts, locale, words } = useTexts();
  const { phone } = texts;
  const { bank, last_link } = wallet;
  const link = () =>
    run(async () => {
      const { link_token } = await callShop<{ link_token: string }>('link-token', { ref: person });
      const choice = await choose(state.base_url, link_token, locale);
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
            <strong>{bank.institution_name}</strong> {words(bank.account_type)} ••
            {bank.account_mask}
          </p>
          <Badge tone={bank.status === 'verified' ? 'good' : 'warning'}>{words(bank.status)}</Badge>
        </div>
      ) : (
        <p class="soft">
          {last_link?.status === 'failed'
            ? phone.linkFailed(words(last_link.failure_code ?? 'failed'))
            : phone.noneLinked}
        </p>
      )}
      {bank?.status === 'pending' && <p class="soft">{phone.checking}</p>}
      <Fault fault={fault} />
      {bank ? (
        <Button look="plain" isDisabled={isBusy || bank.status === 'pending'} onClick={unlink}>
          {phone.remove}
        </Button>
      ) : (
        <Button isDisabled={isBusy} onClick={link}>
          {phone.linkAccount}
        </Button>
      )}
      <Button look="quiet" onClick={() => go('home')}>
        {phone.close}
      </Button>
    </div>
  );
}

export function More({ wallet, movement, go }: ScreenProps) {
  const { phone } = useTexts().texts;
  const { customer } = wallet;
  const rows = [
    { name: phone.titles.bank, press: () => go('bank') },
    { name: phone.contact, press: () => movement.flow('contact_change') },
    { name: phone.newPin, press: () => movement.flow('pin_reset') },
    { name: phone.terms, press: () => movement.flow('terms_acceptance') },
  ];
  return (
    <div class="form">
      <p class="soft">{phone.about(customer.email, customer.mobile_number_last4)}</p>
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
        <span>{phone.apart}</span>
      </label>
    </div>
  );
}

/** A notice in the customer's own words, which the shop's server forwards. */
export function Report({ about, go }: ScreenProps) {
  const { person } = useShop();
  const { isBusy, fault, run } = useTask();
  const { phone } = useTexts().texts;
  const [text, setText] = useState(phone.example);
  const [isSent, setSent] = useState(false);
  const send = () =>
    run(async () => {
      await callShop('dispute', { ref: person, id: about, text });
      setSent(true);
    });
  if (isSent)
    return (
      <div class="form">
        <p role="status">{phone.received}</p>
        <Button onClick={() => go('home')}>{phone.backToWallet}</Button>
      </div>
    );
  return (
    <div class="form">
      <div class="field">
        <label for="problem">{phone.happened}</label>
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
        {phone.send}
      </Button>
    </div>
  );
}
