import { useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { usePage } from '../../ui/page_context.ts';
import { Step } from '../../ui/step.tsx';
import { DocumentList } from '../parts/document_list.tsx';
import { Ended } from '../parts/ended.tsx';
import { useCall, useSession } from '../session/session.ts';

/** terms_acceptance: the documents that wait, or those in force; declining also completes it. */
export default function TermsFlow() {
  const { texts } = usePage();
  const { terms, common } = texts;
  const { view, call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  const [isDeclining, setDeclining] = useState(false);
  const documents = view.terms ?? [];
  const [isWaiting] = useState(documents.some(({ is_waiting }) => is_waiting));
  const decide = (decision: 'accepted' | 'declined') => void call('decideTerms', { decision });

  if (view.status !== 'created') {
    const isDeclined = view.terms_decision === 'declined';
    if (isDeclined) return <Ended tone="calm" title={terms.declinedTitle} text={terms.declined} />;
    return <Ended title={terms.acceptedTitle} text={terms.accepted} />;
  }
  if (isDeclining)
    return (
      <Step name="decline" title={terms.declineTitle}>
        <p class="lead">{terms.declineText}</p>
        <FailureNotice failure={failure} />
        <Actions>
          <Button look="danger" isBusy={isBusy} onClick={() => decide('declined')}>
            {terms.declineYes}
          </Button>
          <Button look="secondary" onClick={() => setDeclining(false)}>
            {terms.declineNo}
          </Button>
        </Actions>
      </Step>
    );
  return (
    <Step name="terms" title={isWaiting ? terms.title : terms.inForceTitle}>
      <p class="lead">{isWaiting ? terms.text : terms.inForce}</p>
      <DocumentList />
      <FailureNotice failure={failure} />
      <Actions>
        <Button isBusy={isBusy} onClick={() => decide('accepted')}>
          {isWaiting ? terms.accept : common.done}
        </Button>
        {isWaiting && (
          <Button look="quiet" onClick={() => setDeclining(true)}>
            {terms.decline}
          </Button>
        )}
      </Actions>
    </Step>
  );
}
