import type { Passkey } from '@tenant-payments/contract/hosted/view.ts';
import { useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { hasWebAuthn } from '../../ui/ceremonies.ts';
import { dateOf } from '../../ui/dates.ts';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { Step } from '../../ui/step.tsx';
import { PasskeyButton } from '../confirm/passkey_button.tsx';
import { PinForm } from '../confirm/pin_form.tsx';
import { useNewPasskey } from '../passkeys/new_passkey.ts';
import { useCall, useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';

/** The passkeys of the customer, once the PIN or one of them has proven who is there. */

const most = 10;

/** The texts that tell passkeys apart: name, day added and day last used. */
function useNames() {
  const { texts, locale } = usePage();
  const words = texts.passkeys;
  const dayOf = (instant: string) => dateOf(instant, locale);
  return {
    nameOf: ({ name, kind }: Passkey) => name ?? words.kinds[kind],
    added: ({ created_at }: Passkey) => words.added(dayOf(created_at)),
    used: ({ last_used_at: at }: Passkey) => (at ? words.used(dayOf(at)) : words.neverUsed),
  };
}

/** The PIN, or a passkey where there is one. @param mustBePin a passkey adds no other */
function Prove({ mustBePin, onBack }: { mustBePin: boolean; onBack: () => void }) {
  const { texts } = usePage();
  const { customer } = useSession().view;
  const mayUseKey = customer.has_passkey && hasWebAuthn() && !mustBePin;
  if (customer.is_pin_locked)
    return (
      <Step name="prove_passkey" title={texts.passkeys.title} onBack={onBack}>
        <p class="lead">{texts.passkeys.proveLocked}</p>
        {mayUseKey && (
          <Actions>
            <PasskeyButton use="prove" />
          </Actions>
        )}
      </Step>
    );
  return (
    <Step name="prove" title={texts.contact.pinTitle} onBack={onBack}>
      <p class="lead">{mustBePin ? texts.passkeys.proveToAdd : texts.passkeys.prove}</p>
      <PinForm operation="proveByPin" label={texts.common.next}>
        {mayUseKey && <PasskeyButton use="prove" look="secondary" />}
      </PinForm>
    </Step>
  );
}

function Remove({ passkey, onDone }: { passkey: Passkey; onDone: (isGone: boolean) => void }) {
  const { texts } = usePage();
  const { removeTitle, removeText, removeYes, removeNo } = texts.passkeys;
  const { nameOf, added } = useNames();
  const { call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  async function remove(): Promise<void> {
    const answer = await call('removePasskey', { id: passkey.id });
    if (answer.ok) onDone(true);
  }
  return (
    <Step name="remove_passkey" title={removeTitle}>
      <div class="person">
        <strong>{nameOf(passkey)}</strong>
        <p>{added(passkey)}</p>
      </div>
      <p class="lead">{removeText}</p>
      <FailureNotice failure={failure} />
      <Actions>
        <Button look="danger" isBusy={isBusy} onClick={() => void remove()}>
          {removeYes}
        </Button>
        <Button look="secondary" onClick={() => onDone(false)}>
          {removeNo}
        </Button>
      </Actions>
    </Step>
  );
}

interface ListProps {
  readonly news: string | null;
  readonly onNews: (news: string | null) => void;
  readonly onRemove: (passkey: Passkey) => void;
  readonly onPin: () => void;
}

function List({ news, onNews, onRemove, onPin }: ListProps) {
  const { texts, isFramed } = usePage();
  const words = texts.passkeys;
  const { nameOf, added, used } = useNames();
  const { view, call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  const adding = useNewPasskey();
  const all = view.passkeys ?? [];
  const mayAdd = hasWebAuthn() && !isFramed && all.length < most;
  async function add(): Promise<void> {
    onNews(null);
    if (!view.may_add_passkey) return onPin();
    const result = await adding.add();
    if (result !== 'failed') onNews(result === 'added' ? words.wasAdded : words.notAdded);
  }
  return (
    <Step name="passkeys" title={words.title}>
      <p class="lead">{all.length === 0 ? words.none : words.text}</p>
      <div role="status">
        {news && <Notice tone={news === words.notAdded ? 'calm' : 'good'}>{news}</Notice>}
      </div>
      {all.length > 0 && (
        <ul class="cards">
          {all.map((passkey) => (
            <li class="person" key={passkey.id}>
              <strong>{nameOf(passkey)}</strong>
              <p>{added(passkey)}</p>
              <p>{used(passkey)}</p>
              <div class="links">
                <button
                  type="button"
                  class="link"
                  aria-label={words.removeWhich(nameOf(passkey), added(passkey))}
                  onClick={() => onRemove(passkey)}
                >
                  {words.remove}
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <FailureNotice failure={failure ?? adding.failure} />
      {isFramed && <p class="aside">{texts.confirm.passkeyLater}</p>}
      <Actions>
        <Button isBusy={isBusy} onClick={() => void call('finishPasskeys', {})}>
          {texts.common.done}
        </Button>
        {mayAdd && (
          <Button look="secondary" isBusy={adding.isBusy} onClick={() => void add()}>
            {words.add}
          </Button>
        )}
      </Actions>
    </Step>
  );
}

export function Passkeys({ onBack }: { readonly onBack: () => void }) {
  const { texts } = usePage();
  const { view } = useSession();
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const [news, setNews] = useState<string | null>(null);
  const [wantsPin, setWantsPin] = useState(false);
  const needsPin = wantsPin && !view.may_add_passkey;
  if (needsPin) return <Prove mustBePin onBack={() => setWantsPin(false)} />;
  if (!view.may_remove_passkeys) return <Prove mustBePin={false} onBack={onBack} />;
  if (removing)
    return (
      <Remove
        passkey={removing}
        onDone={(isGone) => {
          setRemoving(null);
          if (isGone) setNews(texts.passkeys.wasRemoved);
        }}
      />
    );
  return (
    <List
      news={news}
      onNews={setNews}
      onPin={() => setWantsPin(true)}
      onRemove={(passkey) => {
        setNews(null);
        setRemoving(passkey);
      }}
    />
  );
}
