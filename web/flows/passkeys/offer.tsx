import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { hasWebAuthn } from '../../ui/ceremonies.ts';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';
import { useNewPasskey } from './new_passkey.ts';

type OfferState = 'none' | 'later' | 'offered' | 'added' | 'refused';

/** Whether a passkey may be added here; the first value is kept. */
export function usePasskeyOffer() {
  const { isFramed } = usePage();
  const { view } = useSession();
  const isFree = view.may_add_passkey && !view.customer.has_passkey && hasWebAuthn();
  const [state, setState] = useState<OfferState>(
    isFree ? (isFramed ? 'later' : 'offered') : 'none',
  );
  return { state, setState };
}

/** Takes the focus from the button that was removed. */
function Added() {
  const { texts } = usePage();
  const notice = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => notice.current?.focus(), []);
  return (
    <div role="status" ref={notice} tabIndex={-1}>
      <Notice tone="good">{texts.confirm.passkeyAdded}</Notice>
    </div>
  );
}

/** Offered only after the customer's task is done. */
export function PasskeyOffer({ offer }: { offer: ReturnType<typeof usePasskeyOffer> }) {
  const { texts } = usePage();
  const { confirm } = texts;
  const { isBusy, failure, add: make } = useNewPasskey();

  async function add(): Promise<void> {
    const result = await make();
    if (result !== 'failed') offer.setState(result);
  }

  const { state } = offer;
  if (state === 'none') return null;
  if (state === 'later') return <p class="aside">{confirm.passkeyLater}</p>;
  if (state === 'added') return <Added />;
  return (
    <section class="offer" aria-labelledby="offer-title">
      <h2 id="offer-title">{confirm.passkeyOffer}</h2>
      <p>{confirm.passkeyOfferText}</p>
      <FailureNotice failure={failure} />
      <p role="status">{state === 'refused' && confirm.passkeyNotAdded}</p>
      <Button look="secondary" isBusy={isBusy} onClick={() => void add()}>
        {confirm.passkeyAdd}
      </Button>
    </section>
  );
}
