import { useEffect, useState } from 'preact/hooks';
import { people } from '../../people.ts';
import { Button, Fault } from '../parts.tsx';
import { useShop, words } from '../shop.ts';
import { AddMoney, Home, Withdraw } from './money.tsx';
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
  report: Report,
};

const titles: Readonly<Record<Screen, string>> = {
  home: 'Wallet',
  pay: 'Pay',
  add: 'Add money',
  withdraw: 'Withdraw',
  bank: 'Bank account',
  more: 'More',
  report: 'Report a problem',
};

function People() {
  const { person, hold } = useShop();
  return (
    <fieldset class="people">
      <legend class="visually-hidden">Who holds the phone</legend>
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

const onboardingWords: Readonly<Record<string, string>> = {
  created: 'To open a wallet, verify your identity. It takes two minutes.',
  pending: 'We are checking your identity. Decide as the reviewer in the inspector.',
  in_review: 'We are reviewing your application. Decide as the reviewer in the inspector.',
  rejected: 'We could not confirm your identity. You can apply again after a day.',
};

function Welcome({ wallet, movement }: ScreenProps) {
  const { status } = wallet.customer.verification;
  return (
    <div class="welcome">
      <p class="big-word">Hello</p>
      <p>{onboardingWords[status] ?? words(status)}</p>
      {(status === 'created' || status === 'rejected') && (
        <Button isDisabled={movement.isBusy} onClick={() => movement.flow('onboarding')}>
          Open a wallet
        </Button>
      )}
      <Fault fault={movement.fault} />
    </div>
  );
}

const outcomeWords: Readonly<Record<string, string>> = {
  completed: 'Done. The service notifies the shop by webhook.',
  settled: 'Done.',
  processing: 'Confirmed. Now it is the bank’s turn: act as the bank in the inspector.',
  pending_funds: 'Confirmed. It is paid as soon as the balance covers it.',
  requires_confirmation: 'Not confirmed yet.',
  canceled: 'Declined. No money was moved.',
  failed: 'It did not go through. No money was moved.',
};

/** How the last hosted page ended, until the next action. */
function LastOutcome({ movement }: { readonly movement: Movement }) {
  const { waiting } = useShop().state;
  const { outcome } = movement;
  if (!outcome) return null;
  const { target, status } = outcome;
  // The bank may have answered since.
  const target_status =
    waiting.find(({ id }) => id === target?.id)?.status ?? outcome.target_status;
  const text =
    outcomeWords[target_status ?? ''] ??
    (status === 'completed' ? 'Done.' : 'You left the page. Nothing has changed.');
  const isGood =
    target_status !== 'failed' && target_status !== 'canceled' && status === 'completed';
  return (
    <div class={isGood ? 'said is-good' : 'said'} role="status">
      <p>{text}</p>
      <div class="row">
        {target && target_status === 'requires_confirmation' && (
          <Button look="plain" onClick={() => movement.flow('payment_confirm', target)}>
            Confirm now
          </Button>
        )}
        <Button look="quiet" onClick={movement.forgetOutcome}>
          OK
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
    <section class="column phone" aria-label="Phone">
      <People />
      <div class="handset">
        <div class="device-head">
          {screen === 'home' ? null : (
            <button
              type="button"
              class="back"
              aria-label="Back to the wallet"
              onClick={() => go('home')}
            >
              ‹
            </button>
          )}
          <h2 tabIndex={-1}>{titles[screen]}</h2>
        </div>
        <LastOutcome movement={movement} />
        <Fault fault={fault} />
        {wallet ? (
          <Body props={{ wallet, movement, about, go, load }} screen={screen} />
        ) : (
          <p class="empty" role="status">
            {fault ? '' : 'Loading…'}
          </p>
        )}
      </div>
      {!isAlone && (
        <Button look="quiet" onClick={ownWindow}>
          Open it in its own window
        </Button>
      )}
    </section>
  );
}
