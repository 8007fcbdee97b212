import type { Owner } from '@tenant-payments/contract/resources/owners.ts';
import { useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { Step } from '../../ui/step.tsx';
import { useCall, useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';
import { ChangeOwner, InviteOwner, PresentOwner } from './add_owner.tsx';
import { runs } from './roles.ts';

interface PersonProps {
  readonly owner: Owner;
  readonly onSent: (name: string) => void;
  readonly onChange: () => void;
}

/** One person; one who has not answered can get the link again or be corrected. */
function Person({ owner, onSent, onChange }: PersonProps) {
  const { texts } = usePage();
  const { business } = texts;
  const { call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  const { id, name, role, ownership_percent: percent, verification_status: status } = owner;
  const facts = [business.roles[role], percent === null ? null : business.percentOf(percent)];
  const mayRemind = status === 'invited' || status === 'rejected';
  async function remind(): Promise<void> {
    const answer = await call('inviteOwnerAgain', { id });
    if (answer.ok) onSent(name);
  }
  return (
    <li class="person">
      <strong>{name}</strong>
      <p>{facts.filter(Boolean).join(', ')}</p>
      <p>{business.statuses[status]}</p>
      <FailureNotice failure={failure} />
      {mayRemind && (
        <div class="links">
          <button
            type="button"
            class="link"
            aria-disabled={isBusy ? 'true' : undefined}
            aria-label={business.againTo(name)}
            onClick={() => void (isBusy || remind())}
          >
            {business.again}
          </button>
          <button
            type="button"
            class="link"
            aria-label={texts.onboarding.changeWhat(name)}
            onClick={onChange}
          >
            {texts.onboarding.change}
          </button>
        </div>
      )}
    </li>
  );
}

interface OwnersProps {
  readonly progress: { readonly now: number; readonly all: number };
  readonly onBack: (() => void) | undefined;
  readonly onNext: () => void;
}

/** The owners and the control person; each person is stored as soon as it is added. */
export function OwnersStep({ progress, onBack, onNext }: OwnersProps) {
  const { texts } = usePage();
  const { business, common } = texts;
  const { view } = useSession();
  const [adding, setAdding] = useState<'present' | 'invite' | Owner | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const people = view.onboarding?.owners ?? [];
  const inCharge = people.filter(runs).length;
  const back = () => setAdding(null);
  if (adding === 'present') return <PresentOwner others={people} onDone={back} />;
  if (adding === 'invite') return <InviteOwner others={people} onDone={back} />;
  if (adding) {
    const others = people.filter(({ id }) => id !== adding.id);
    return <ChangeOwner owner={adding} others={others} onDone={back} />;
  }
  const go = () => {
    if (inCharge === 1) return onNext();
    setFault(inCharge === 0 ? business.ownersMissing : business.ownersTwo);
  };
  const add = (way: 'present' | 'invite' | Owner) => () => {
    setFault(null);
    setSentTo(null);
    setAdding(way);
  };
  return (
    <Step name="owners" title={business.ownersTitle} progress={progress} onBack={onBack}>
      <p class="lead">{business.ownersText}</p>
      {people.length === 0 ? (
        <Notice>{business.ownersNone}</Notice>
      ) : (
        <ul class="cards">
          {people.map((owner) => (
            <Person key={owner.id} owner={owner} onSent={setSentTo} onChange={add(owner)} />
          ))}
        </ul>
      )}
      <p class="visually-hidden" role="status">
        {sentTo && business.sentAgain(sentTo)}
      </p>
      {sentTo && <Notice tone="good">{business.sentAgain(sentTo)}</Notice>}
      <p class="hint">{business.ownersAlone}</p>
      {fault && <Notice tone="bad">{fault}</Notice>}
      <Actions>
        <Button look="secondary" onClick={add('present')}>
          {business.addPresent}
        </Button>
        <Button look="secondary" onClick={add('invite')}>
          {business.invite}
        </Button>
        <Button onClick={go}>{common.next}</Button>
      </Actions>
    </Step>
  );
}
