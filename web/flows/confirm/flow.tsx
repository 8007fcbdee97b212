import type { Confirmation } from '@tenant-payments/contract/hosted/view.ts';
import { useEffect, useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { hasWebAuthn } from '../../ui/ceremonies.ts';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Step } from '../../ui/step.tsx';
import { PinReset } from '../pin_reset/flow.tsx';
import { useCall, useSession } from '../session/session.ts';
import type { Texts } from '../texts/en.ts';
import { usePage } from '../use_page.ts';
import { Locked } from './locked.tsx';
import { Outcome } from './outcome.tsx';
import { PasskeyButton } from './passkey_button.tsx';
import { PinForm } from './pin_form.tsx';
import { rowsOf } from './places.ts';

type Way = 'passkey' | 'pin' | 'decline' | 'reset';

/** The amount and what belongs to it, the same on every page of the flow. */
function Facts({ confirmation }: { readonly confirmation: Confirmation }) {
  const { texts, dollars } = usePage();
  return (
    <>
      <p class="amount">{dollars(confirmation.amount)}</p>
      <Rows rows={rowsOf(confirmation, texts.confirm, dollars)} />
    </>
  );
}

/**
 * The texts for refusing: a request of somebody else is declined, an act that the customer began is
 * canceled (rules/hosted#40).
 */
function wordsOfRefusal({ type, is_requested }: Confirmation, { confirm: words }: Texts) {
  return is_requested
    ? {
        button: words.decline,
        title: words.declineTitle,
        text: words.declineText,
        yes: words.declineYes,
        whenLocked: words.lockedDecline,
      }
    : {
        button: words.cancel[type],
        title: words.cancelTitle[type],
        text: words.cancelText,
        yes: words.cancelYes,
        whenLocked: words.lockedCancel,
      };
}

function Refuse({ confirmation, back }: { confirmation: Confirmation; back: () => void }) {
  const { texts, dollars } = usePage();
  const { title, text, yes } = wordsOfRefusal(confirmation, texts);
  const { call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  return (
    <Step name="decline" title={title}>
      <p class="amount">{dollars(confirmation.amount)}</p>
      <p class="lead">{text}</p>
      <FailureNotice failure={failure} />
      <Actions>
        <Button look="danger" isBusy={isBusy} onClick={() => void call('declineRecord', {})}>
          {yes}
        </Button>
        <Button look="secondary" onClick={back}>
          {texts.confirm.goBack}
        </Button>
      </Actions>
    </Step>
  );
}

/** The question before it is the next page. */
function RefuseButton({ confirmation, go }: Pick<Ways, 'confirmation' | 'go'>) {
  const { texts } = usePage();
  return (
    <Button look="quiet" onClick={() => go('decline')}>
      {wordsOfRefusal(confirmation, texts).button}
    </Button>
  );
}

interface Ways {
  readonly confirmation: Confirmation;
  readonly hasPasskey: boolean;
  readonly isLocked: boolean;
  /** The PIN was reset a moment ago, on this page. */
  readonly isNew: boolean;
  readonly go: (way: Way) => void;
}

function ByPasskey({ confirmation, isLocked, go }: Ways) {
  const { texts } = usePage();
  const { title, usePin, lockedTitle, lockedPasskey, resetPin } = texts.confirm;
  return (
    <Step name={isLocked ? 'pin_locked' : 'confirm_passkey'} title={title[confirmation.type]}>
      <Facts confirmation={confirmation} />
      {isLocked && (
        <Notice tone="bad" title={lockedTitle}>
          {lockedPasskey}
        </Notice>
      )}
      <Actions>
        <PasskeyButton />
        <Button look="secondary" onClick={() => go(isLocked ? 'reset' : 'pin')}>
          {isLocked ? resetPin : usePin}
        </Button>
        <RefuseButton confirmation={confirmation} go={go} />
      </Actions>
    </Step>
  );
}

function ByPin({ confirmation, hasPasskey, isNew, go }: Ways) {
  const { texts, dollars } = usePage();
  const { title, act, usePasskey } = texts.confirm;
  const { type, total } = confirmation;
  return (
    <Step name="confirm_pin" title={title[type]}>
      {isNew && <Notice tone="good">{texts.confirm.resetDone}</Notice>}
      <Facts confirmation={confirmation} />
      <PinForm operation="confirmByPin" label={act[type](dollars(total))}>
        {hasPasskey && (
          <Button look="secondary" onClick={() => go('passkey')}>
            {usePasskey}
          </Button>
        )}
        <RefuseButton confirmation={confirmation} go={go} />
      </PinForm>
    </Step>
  );
}

/** Offers all: a new PIN, leaving, and ending the record. */
function LockedOut({ confirmation, go }: Ways) {
  const { texts } = usePage();
  const { lockedReset, lockedLeave } = texts.confirm;
  const text = `${lockedReset} ${lockedLeave} ${wordsOfRefusal(confirmation, texts).whenLocked}`;
  return (
    <Locked text={text} onReset={() => go('reset')}>
      <RefuseButton confirmation={confirmation} go={go} />
    </Locked>
  );
}

/** payment_confirm: passkey first, PIN one step away, declining a choice of its own. */
export function ConfirmFlow() {
  const { view, event } = useSession();
  const { confirmation, customer, status } = view;
  const hasPasskey = customer.has_passkey && hasWebAuthn();
  const first: Way = hasPasskey ? 'passkey' : 'pin';
  const [way, setWay] = useState<Way>(first);
  const isLocked = customer.is_pin_locked;
  useEffect(() => {
    if (hasPasskey && status === 'created') event('passkey_offered');
  }, []);
  if (!confirmation) return null;
  if (status !== 'created') return <Outcome confirmation={confirmation} />;
  const isNew = way === 'reset' && !isLocked;
  const ways: Ways = { confirmation, hasPasskey, isLocked, isNew, go: setWay };
  if (way === 'decline') return <Refuse confirmation={confirmation} back={() => setWay(first)} />;
  if (way === 'reset' && isLocked) return <PinReset onBack={() => setWay(first)} />;
  if (isLocked && !hasPasskey) return <LockedOut {...ways} />;
  return isLocked || way === 'passkey' ? <ByPasskey {...ways} /> : <ByPin {...ways} />;
}
