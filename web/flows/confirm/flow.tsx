import type { Confirmation } from '@tenant-payments/contract/hosted/view.ts';
import { useEffect, useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { usePage } from '../../ui/page_context.ts';
import { Rows } from '../../ui/rows.tsx';
import { Step } from '../../ui/step.tsx';
import { hasWebAuthn } from '../passkeys/ceremonies.ts';
import { useCall, useSession } from '../session/session.ts';
import { Locked } from './locked.tsx';
import { Outcome } from './outcome.tsx';
import { PasskeyButton } from './passkey_button.tsx';
import { PinForm } from './pin_form.tsx';
import { rowsOf } from './places.ts';

type Way = 'passkey' | 'pin' | 'decline';

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

function Decline({ confirmation, back }: { confirmation: Confirmation; back: () => void }) {
  const { texts, dollars } = usePage();
  const { declineTitle, declineText, declineYes, declineNo } = texts.confirm;
  const { call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  return (
    <Step name="decline" title={declineTitle[confirmation.type]}>
      <p class="amount">{dollars(confirmation.amount)}</p>
      <p class="lead">{declineText}</p>
      <FailureNotice failure={failure} />
      <Actions>
        <Button look="danger" isBusy={isBusy} onClick={() => void call('declineRecord', {})}>
          {declineYes}
        </Button>
        <Button look="secondary" onClick={back}>
          {declineNo}
        </Button>
      </Actions>
    </Step>
  );
}

interface Ways {
  readonly confirmation: Confirmation;
  readonly hasPasskey: boolean;
  readonly isLocked: boolean;
  readonly go: (way: Way) => void;
}

function ByPasskey({ confirmation, isLocked, go }: Ways) {
  const { texts, tenantName } = usePage();
  const { title, usePin, decline, lockedTitle, lockedPasskey, lockedReset } = texts.confirm;
  return (
    <Step name={isLocked ? 'pin_locked' : 'confirm_passkey'} title={title[confirmation.type]}>
      <Facts confirmation={confirmation} />
      {isLocked && (
        <Notice tone="bad" title={lockedTitle}>
          {lockedPasskey} {lockedReset(tenantName)}
        </Notice>
      )}
      <Actions>
        <PasskeyButton />
        {!isLocked && (
          <Button look="secondary" onClick={() => go('pin')}>
            {usePin}
          </Button>
        )}
        <Button look="quiet" onClick={() => go('decline')}>
          {decline}
        </Button>
      </Actions>
    </Step>
  );
}

function ByPin({ confirmation, hasPasskey, go }: Ways) {
  const { texts, dollars } = usePage();
  const { title, act, usePasskey, decline } = texts.confirm;
  const { type, total } = confirmation;
  return (
    <Step name="confirm_pin" title={title[type]}>
      <Facts confirmation={confirmation} />
      <PinForm operation="confirmByPin" label={act[type](dollars(total))}>
        {hasPasskey && (
          <Button look="secondary" onClick={() => go('passkey')}>
            {usePasskey}
          </Button>
        )}
        <Button look="quiet" onClick={() => go('decline')}>
          {decline}
        </Button>
      </PinForm>
    </Step>
  );
}

/** Offers both: leaving, to return with a new PIN, and declining. */
function LockedOut({ go }: Ways) {
  const { texts, tenantName } = usePage();
  const { leave, wayBack } = useSession();
  return (
    <Locked>
      <p class="lead">{texts.confirm.lockedWays}</p>
      <Actions>
        <Button onClick={leave}>
          {wayBack === null ? texts.staying.leave : texts.common.backTo(tenantName)}
        </Button>
        <Button look="quiet" onClick={() => go('decline')}>
          {texts.confirm.decline}
        </Button>
      </Actions>
    </Locked>
  );
}

/** payment_confirm: passkey first, PIN one step away, declining a choice of its own. */
export default function ConfirmFlow() {
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
  const ways: Ways = { confirmation, hasPasskey, isLocked, go: setWay };
  if (way === 'decline') return <Decline confirmation={confirmation} back={() => setWay(first)} />;
  if (isLocked && !hasPasskey) return <LockedOut {...ways} />;
  return isLocked || way === 'passkey' ? <ByPasskey {...ways} /> : <ByPin {...ways} />;
}
