import { useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { Step } from '../../ui/step.tsx';
import { useDocuments, versionsOf } from '../documents/use_documents.ts';
import { DocumentList, OnceRead } from '../parts/document_list.tsx';
import { Ended } from '../parts/ended.tsx';
import type { Input } from '../session/api.ts';
import { useCall, useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';

/** terms_acceptance: the documents that wait, or those in force; declining also completes it. */
export function TermsFlow() {
  const { texts } = usePage();
  const { terms, common } = texts;
  const { view, call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  const [isDeclining, setDeclining] = useState(false);
  const reading = useDocuments();
  const [wasWaiting] = useState((view.terms ?? []).some(({ is_waiting }) => is_waiting));
  const isWaiting = reading.shown?.isWaiting ?? wasWaiting;

  async function decide(input: Input<'decideTerms'>): Promise<void> {
    const answer = await call('decideTerms', input);
    if (!answer.ok && answer.failure.kind === 'refused')
      if (answer.failure.reason === 'documents_changed') reading.fetchAgain();
  }

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
          <Button
            look="danger"
            isBusy={isBusy}
            onClick={() => void decide({ decision: 'declined' })}
          >
            {terms.declineYes}
          </Button>
          <Button look="secondary" onClick={() => setDeclining(false)}>
            {terms.declineNo}
          </Button>
        </Actions>
      </Step>
    );
  return (
    <Step key={reading.round} name="terms" title={isWaiting ? terms.title : terms.inForceTitle}>
      <p class="lead">{isWaiting ? terms.text : terms.inForce}</p>
      <FailureNotice failure={failure} />
      <OnceRead reading={reading}>
        {(shown) => (
          <>
            <DocumentList {...shown} />
            <Actions>
              <Button
                isBusy={isBusy}
                onClick={() => void decide({ decision: 'accepted', documents: versionsOf(shown) })}
              >
                {isWaiting ? terms.accept : common.done}
              </Button>
              {isWaiting && (
                <Button look="quiet" onClick={() => setDeclining(true)}>
                  {terms.decline}
                </Button>
              )}
            </Actions>
          </>
        )}
      </OnceRead>
    </Step>
  );
}
