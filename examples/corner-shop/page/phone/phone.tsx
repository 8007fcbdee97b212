import { useEffect, useState } from 'preact/hooks';
import { people } from '../../people.ts';
import { Button, Fault } from '../parts.tsx';
import { useShop } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';
import { Detail } from './activity.tsx';
import { Home } from './home.tsx';
import { AddMoney, Withdraw } from './money.tsx';
import { Bank, More, Report } from './more.tsx';
import { Pay } from './pay.tsx';
import type { Screen, ScreenProps } from './screen.ts';
import { type Movement, useMovement, useWallet } from './wallet.ts';

const screens = {
  home: Home,
  pay: Pay,
  add: AddMoney,
  withdraw: Withdraw,
  bank: Bank,
  more: More,
  detail: Detail,
  report: Report,
};

function People() {
  const { person, hold } = useShop();
  const { phone } = useTexts().texts;
  return (
    <fieldset class="people">
      <legend class="visually-hidden">{phone.holder}</legend>
      {people.map(({ ref, name }) => (
        <label key={ref}>
          <input type="radio" name="person" checked={person === ref} onChange={() => hold(ref)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

const ownWindow = () =>
  window.open('/shop#phone', 'corner-shop-phone', 'popup,width=430,height=880');

function Welcome({ wallet, movement }: ScreenProps) {
  const { texts, words } = useTexts();
  const { phone } = texts;
  const { status } = wallet.customer.verification;
  return (
    <div class="welcome">
      <p class="big-word">{phone.hello}</p>
      <p>{phone.onboarding[status] ?? words(status)}</p>
      {(status === 'created' || status === 'rejected') && (
        <Button isDisabled={movement.isBusy} onClick={() => movement.flow('onboarding')}>
          {phone.openWallet}
        </Button>
      )}
      <Fault fault={movement.fault} />
    </div>
  );
}

/** How the last hosted page ended, until the next action. */
function LastOutcome({ movement }: { readonly movement: Movement }) {
  const { waiting } = useShop().state;
  const { phone } = useTexts().texts;
  const { outcome } = movement;
  if (!outcome) return null;
  const { target, status } = outcome;
  // The bank may have answered since.
  const target_status =
    waiting.find(({ id }) => id === target?.id)?.status ?? outcome.target_status;
  const text =
    phone.outcomes[target_status ?? ''] ?? (status === 'completed' ? phone.done : phone.left);
  const isGood =
    target_status !== 'failed' && target_status !== 'canceled' && status === 'completed';
  return (
    <div class={isGood ? 'said is-good' : 'said'} role="status">
      <p>{text}</p>
      <div class="row">
        {target && target_status === 'requires_confirmation' && (
          <Button look="plain" onClick={() => movement.flow('payment_confirm', target)}>
            {phone.confirmNow}
          </Button>
        )}
        <Button look="quiet" onClick={movement.forgetOutcome}>
          {phone.ok}
        </Button>
      </div>
    </div>
  );
}

function Body({ props, screen }: { readonly props: ScreenProps; readonly screen: Screen }) {
  const Shown = screens[screen];
  return props.wallet.customer.verification.status === 'approved' ? (
    <Shown {...props} />
  ) : (
    <Welcome {...props} />
  );
}

/** The app of the customer who holds the phone. */
export function Phone({ isAlone = false }: { readonly isAlone?: boolean }) {
  const { person } = useShop();
  const { texts } = useTexts();
  const { phone } = texts;
  const { wallet, fault, load } = useWallet();
  const movement = useMovement(load);
  const [screen, setScreen] = useState<Screen>('home');
  const [about, setAbout] = useState('');
  const go = (next: Screen, of = '') => {
    movement.forget();
    if (next !== 'home') movement.forgetOutcome();
    setScreen(next);
    setAbout(of);
  };
  useEffect(() => {
    movement.forgetOutcome();
    go('home');
  }, [person]);
  return (
    <section class="column phone" aria-label={texts.column.phone}>
      <People />
      <div class="handset">
        <div class="device-head">
          {screen === 'home' ? null : (
            <button
              type="button"
              class="back"
              aria-label={phone.backToWallet}
              onClick={() => go('home')}
            >
              ‹
            </button>
          )}
          <h2 tabIndex={-1}>{phone.titles[screen]}</h2>
        </div>
        <LastOutcome movement={movement} />
        <Fault fault={fault} />
        {wallet ? (
          <Body props={{ wallet, movement, about, go, load }} screen={screen} />
        ) : (
          <p class="empty" role="status">
            {fault ? '' : texts.loading}
          </p>
        )}
      </div>
      {!isAlone && (
        <Button look="quiet" onClick={ownWindow}>
          {phone.ownWindow}
        </Button>
      )}
    </section>
  );
}
