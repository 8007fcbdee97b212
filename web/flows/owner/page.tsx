import type { OwnerView } from '@tenant-payments/contract/hosted/view.ts';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import type { Failure } from '../../ui/failure.ts';
import { Frame, Waiting } from '../../ui/frame.tsx';
import { CheckIcon, LockIcon } from '../../ui/icons.tsx';
import { isolated } from '../../ui/isolated.ts';
import { FailureNotice } from '../../ui/notice.tsx';
import { isWorthRetrying, Problem, problemOf } from '../../ui/problem.tsx';
import { Step } from '../../ui/step.tsx';
import type { Values } from '../../ui/use_form.ts';
import { AboutForm } from '../parts/about_form.tsx';
import { AddressForm } from '../parts/address_form.tsx';
import { Papers, type PapersProps } from '../parts/papers.tsx';
import {
  type AboutField,
  type AddressField,
  noAbout,
  noAddress,
  personData,
} from '../parts/person.ts';
import { openApi } from '../session/api.ts';
import type { Opening } from '../session/use_session.ts';
import { usePage } from '../use_page.ts';

type Page = 'welcome' | 'about' | 'papers' | 'address';

interface StepsProps {
  readonly view: OwnerView;
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  readonly onPaper: PapersProps['give'];
  readonly onSubmit: (about: Values<AboutField>, address: Values<AddressField>) => void;
}

/** The steps: why the owner is asked, identity, home address. */
function OwnerSteps({ view, isBusy, failure, onPaper, onSubmit }: StepsProps) {
  const { texts } = usePage();
  const { owner, onboarding, business } = texts;
  const [page, setPage] = useState<Page>('welcome');
  const [about, setAbout] = useState(noAbout);
  const papers = view.identity_documents;
  const all = papers ? 3 : 2;
  if (page === 'welcome')
    return (
      <Step name="welcome" title={owner.welcomeTitle(isolated(view.business_name))}>
        <p class="lead">{owner.welcome(isolated(view.owner_name))}</p>
        <p class="lead">{owner.asRole(business.roles[view.role])}</p>
        <Actions>
          <Button onClick={() => setPage('about')}>{onboarding.start}</Button>
        </Actions>
      </Step>
    );
  if (page === 'about')
    return (
      <Step
        name="about"
        title={onboarding.aboutTitle}
        progress={{ now: 1, all }}
        onBack={() => setPage('welcome')}
        startsIn="field"
      >
        <FailureNotice failure={failure} />
        <AboutForm
          initial={about}
          now={view.now}
          onNext={(values) => {
            setAbout(values);
            setPage(papers ? 'papers' : 'address');
          }}
        />
      </Step>
    );
  if (page === 'papers' && papers)
    return (
      <Step
        name="identity_documents"
        title={texts.papers.title}
        progress={{ now: 2, all }}
        onBack={() => setPage('about')}
      >
        <Papers {...papers} give={onPaper} onNext={() => setPage('address')} />
      </Step>
    );
  return (
    <Step
      name="address"
      title={onboarding.addressTitle}
      progress={{ now: all, all }}
      onBack={() => setPage(papers ? 'papers' : 'about')}
      startsIn="field"
    >
      <FailureNotice failure={failure} />
      <AddressForm
        initial={noAddress}
        isBusy={isBusy}
        label={owner.submit}
        onNext={(address) => onSubmit(about, address)}
      />
    </Step>
  );
}

/** Opens the link and submits the data. */
function useLink(token: string) {
  const api = useMemo(() => openApi(() => {}), []);
  const [view, setView] = useState<OwnerView | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const open = useCallback(async () => {
    setFailure(null);
    const answer = await api.call('openOwnerLink', { token });
    api.take(token);
    if (answer.ok) setView(answer.value);
    else setFailure(answer.failure);
  }, [api, token]);
  useEffect(() => {
    void open();
  }, [open]);
  const submit: StepsProps['onSubmit'] = async (about, address) => {
    setBusy(true);
    setFailure(null);
    const person = personData(about, address);
    const answer = await api.call('submitOwner', { token, person });
    setBusy(false);
    if (answer.ok) setView(answer.value);
    else setFailure(answer.failure);
  };
  const give: StepsProps['onPaper'] = async (kind, file) => {
    const answer = await api.call('giveOwnerDocument', { kind, file });
    if (answer.ok) setView(answer.value);
    return answer;
  };
  return { view, failure, isBusy, open, give, submit };
}

/** The page of an owner: its link is valid for seven days and can be opened more than once. */
export function OwnerPage({ token }: Opening) {
  const { texts } = usePage();
  const { owner, common } = texts;
  const { view, failure, isBusy, open, give, submit } = useLink(token);
  const isSandbox = document.documentElement.dataset.environment === 'sandbox';
  const isDead = failure?.kind === 'refused' && failure.code === 'session_invalid';
  const body = () => {
    if (isDead)
      return (
        <Step name="dead" title={owner.linkTitle} sign={{ tone: 'calm', icon: <LockIcon /> }}>
          <p class="lead">{owner.link}</p>
        </Step>
      );
    if (!view && failure)
      return (
        <Problem
          name={problemOf(failure)}
          requestId={failure.requestId}
          onRetry={isWorthRetrying(failure) ? () => void open() : undefined}
        />
      );
    if (!view) return <Waiting />;
    if (view.status === 'invited')
      return (
        <OwnerSteps
          view={view}
          isBusy={isBusy}
          failure={failure}
          onPaper={give}
          onSubmit={submit}
        />
      );
    return (
      <Step name="done" title={owner.doneTitle} sign={{ tone: 'good', icon: <CheckIcon /> }}>
        <p class="lead">{owner.done(isolated(view.business_name))}</p>
        <p class="aside">{common.mayClose}</p>
      </Step>
    );
  };
  return <Frame isSandbox={isSandbox}>{body()}</Frame>;
}
