import type { Owner } from '@tenant-payments/contract/resources/owners.ts';
import { useState } from 'preact/hooks';
import { FailureNotice } from '../../ui/notice.tsx';
import { Step } from '../../ui/step.tsx';
import { AboutForm } from '../parts/about_form.tsx';
import { AddressForm } from '../parts/address_form.tsx';
import { noAbout, noAddress, personData } from '../parts/person.ts';
import { useCall, useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';
import { noOwner, OwnerForm, ownerInput, ownerValues } from './owner_form.tsx';

interface AddProps {
  /** The other owners. */
  readonly others: readonly Owner[];
  readonly onDone: () => void;
}

/** An owner who is not present gets a link. */
export function InviteOwner({ others, onDone }: AddProps) {
  const { texts } = usePage();
  const { call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  return (
    <Step name="invite_owner" title={texts.business.inviteTitle} onBack={onDone} startsIn="field">
      <OwnerForm
        initial={noOwner}
        sending="new"
        others={others}
        isBusy={isBusy}
        failure={failure}
        onNext={async (values) => {
          const email = values.email.trim();
          const answer = await call('nameOwner', { owner: ownerInput(values), email });
          if (answer.ok) onDone();
        }}
      />
    </Step>
  );
}

interface ChangeProps extends AddProps {
  readonly owner: Owner;
}

/** Corrects an owner who has not answered and sends a new link, which names the owner. */
export function ChangeOwner({ owner, others, onDone }: ChangeProps) {
  const { texts } = usePage();
  const { business } = texts;
  const { call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  return (
    <Step name="change_owner" title={business.changeTitle} onBack={onDone}>
      <p class="lead">{business.changeText}</p>
      <OwnerForm
        initial={ownerValues(owner)}
        sending="again"
        others={others}
        isBusy={isBusy}
        failure={failure}
        onNext={async (values) => {
          const email = values.email.trim();
          const given = { owner: ownerInput(values), email: email === '' ? null : email };
          const answer = await call('inviteOwnerAgain', { id: owner.id, ...given });
          if (answer.ok) onDone();
        }}
      />
    </Step>
  );
}

type Page = 'role' | 'about' | 'address';

/** First and last name from a full name, so that it is not typed twice. */
function namesOf(name: string) {
  const words = name.trim().split(/\s+/);
  return {
    first_name: words.slice(0, -1).join(' ') || (words[0] ?? ''),
    last_name: words.at(-1) ?? '',
  };
}

/** An owner who is present enters role, identity and home address at once. */
export function PresentOwner({ others, onDone }: AddProps) {
  const { texts } = usePage();
  const { business } = texts;
  const { view, call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  const [page, setPage] = useState<Page>('role');
  const [owner, setOwner] = useState(noOwner);
  const [about, setAbout] = useState(noAbout);
  if (page === 'role')
    return (
      <Step name="owner_role" title={business.presentTitle} onBack={onDone} startsIn="field">
        <OwnerForm
          initial={owner}
          sending="none"
          others={others}
          onNext={(values) => {
            setOwner(values);
            setAbout((now) => (now.last_name ? now : { ...now, ...namesOf(values.name) }));
            setPage('about');
          }}
        />
      </Step>
    );
  if (page === 'about')
    return (
      <Step
        name="owner_about"
        title={business.theirDetails}
        onBack={() => setPage('role')}
        startsIn="field"
      >
        <AboutForm
          initial={about}
          now={view.now}
          isOthers
          onNext={(values) => {
            setAbout(values);
            setPage('address');
          }}
        />
      </Step>
    );
  return (
    <Step
      name="owner_address"
      title={business.theirAddress}
      onBack={() => setPage('about')}
      startsIn="field"
    >
      <FailureNotice failure={failure} />
      <AddressForm
        initial={noAddress}
        isOthers
        isBusy={isBusy}
        label={business.addPerson}
        onNext={async (address) => {
          const person = personData(about, address);
          const answer = await call('nameOwner', { owner: ownerInput(owner), person });
          if (answer.ok) onDone();
        }}
      />
    </Step>
  );
}
