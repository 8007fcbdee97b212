import type { View } from '@tenant-payments/contract/hosted/view.ts';
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Failure } from '../../ui/failure.ts';
import { Frame, Waiting } from '../../ui/frame.tsx';
import { isolated } from '../../ui/isolated.ts';
import { isWorthRetrying, Problem, problemOf } from '../../ui/problem.tsx';
import { ConfirmFlow } from '../confirm/flow.tsx';
import { ContactChangeFlow } from '../contact_change/flow.tsx';
import { OnboardingFlow } from '../onboarding/flow.tsx';
import { PinReset } from '../pin_reset/flow.tsx';
import { TermsFlow } from '../terms/flow.tsx';
import { usePage } from '../use_page.ts';
import { EndAction } from './end_action.tsx';
import { SessionContext, useSession } from './session.ts';
import { SessionTime } from './time.tsx';
import { type Opening, useOpenedSession } from './use_session.ts';

type FlowName = View['flow'];

const flows: Readonly<Record<FlowName, ComponentType>> = {
  payment_confirm: ConfirmFlow,
  onboarding: OnboardingFlow,
  pin_reset: () => <PinReset />,
  contact_change: ContactChangeFlow,
  terms_acceptance: TermsFlow,
};

/** The flow's own pages, also its end; the pages that all flows share are shown here. */
function Body() {
  const { view } = useSession();
  const { flow, status } = view;
  if (status === 'expired')
    return (
      <Problem name="expired">
        <EndAction />
      </Problem>
    );
  if (status === 'canceled' && !(flow === 'payment_confirm' && view.confirmation))
    return (
      <Problem name={view.has_result ? 'canceled' : 'ended'}>
        <EndAction />
      </Problem>
    );
  const Flow = flows[flow];
  return <Flow />;
}

function LeaveDialog({ stay, leave }: { stay: () => void; leave: () => void }) {
  const { texts } = usePage();
  const { view } = useSession();
  const { staying } = texts;
  return (
    <Dialog title={staying.leaveTitle} onCancel={stay}>
      <p>{view.flow === 'payment_confirm' ? staying.leavePayment : staying.leaveForm}</p>
      <Actions>
        <Button onClick={stay}>{staying.stay}</Button>
        <Button look="secondary" onClick={leave}>
          {staying.leave}
        </Button>
      </Actions>
    </Dialog>
  );
}

function FailedToOpen(props: { failure: Failure; retry: () => void; end: (() => void) | null }) {
  const { failure, retry, end } = props;
  const { texts, tenantName } = usePage();
  return (
    <Problem
      name={problemOf(failure)}
      requestId={failure.requestId}
      onRetry={isWorthRetrying(failure) ? retry : undefined}
    >
      {end ? (
        <Button look={isWorthRetrying(failure) ? 'secondary' : 'primary'} onClick={end}>
          {texts.common.backTo(isolated(tenantName))}
        </Button>
      ) : (
        !isWorthRetrying(failure) && <p class="aside">{texts.common.mayClose}</p>
      )}
    </Problem>
  );
}

/** A session, from its token to its end. */
export function SessionPage(opening: Opening) {
  const { session, failure, retry, fail, alive, over } = useOpenedSession(opening);
  const [isLeaving, setLeaving] = useState(false);
  const isSandbox = document.documentElement.dataset.environment === 'sandbox';
  if (failure)
    return (
      <Frame isSandbox={isSandbox} onClose={fail ?? undefined}>
        <FailedToOpen failure={failure} retry={retry} end={fail} />
      </Frame>
    );
  if (!session)
    return (
      <Frame isSandbox={isSandbox}>
        <Waiting />
      </Frame>
    );
  const { view, wayBack, end, leave } = session;
  const isOpen = view.status === 'created';
  const close = isOpen ? () => setLeaving(true) : wayBack === 'sdk' ? end : undefined;
  return (
    <SessionContext.Provider value={session}>
      <Frame isSandbox={isSandbox} onClose={close}>
        <Body />
      </Frame>
      {isOpen && isLeaving && (
        <LeaveDialog
          stay={() => setLeaving(false)}
          leave={() => {
            setLeaving(false);
            leave();
          }}
        />
      )}
      {isOpen && view.time && !isLeaving && (
        <SessionTime time={view.time} alive={alive} over={over} />
      )}
    </SessionContext.Provider>
  );
}
