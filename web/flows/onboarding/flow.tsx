import type { View } from '@tenant-payments/contract/hosted/view.ts';
import { useState } from 'preact/hooks';
import { isolated } from '../../ui/isolated.ts';
import { FailureNotice } from '../../ui/notice.tsx';
import { Step } from '../../ui/step.tsx';
import { AboutForm } from '../parts/about_form.tsx';
import { AddressForm } from '../parts/address_form.tsx';
import { CodeSteps } from '../parts/code_steps.tsx';
import { DocumentsStep } from '../parts/documents_step.tsx';
import { Ended } from '../parts/ended.tsx';
import { NewPinForm } from '../parts/new_pin_form.tsx';
import { useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';
import { FactsForm } from './facts_form.tsx';
import { IdentityStep } from './identity_step.tsx';
import { OwnersStep } from './owners_step.tsx';
import { PapersStep } from './papers_step.tsx';
import { Review } from './review.tsx';
import { useReviewParts } from './review_parts.ts';
import { StandingStep } from './standing.tsx';
import { type StepName, standingOf, stepsOf } from './steps.ts';
import { useApplication } from './use_application.ts';

type Onboarding = NonNullable<View['onboarding']>;

interface PagesProps {
  readonly onboarding: Onboarding;
  readonly steps: readonly StepName[];
}

type Held = ReturnType<typeof useApplication>;
interface PageProps {
  readonly held: Held;
  readonly progress: { readonly now: number; readonly all: number };
  readonly next: () => void;
  readonly back: (() => void) | undefined;
}

function AboutPage({ held, progress, next, back }: PageProps) {
  const { texts } = usePage();
  const { aboutTitle } = texts.onboarding;
  const { view } = useSession();
  const { application, keep, failure } = held;
  return (
    <Step name="about" title={aboutTitle} progress={progress} onBack={back} startsIn="field">
      <FailureNotice failure={failure} />
      <AboutForm
        initial={application.about}
        now={view.now}
        onNext={(about) => {
          keep({ about });
          next();
        }}
      />
    </Step>
  );
}

function FactsPage({ held, progress, next, back }: PageProps) {
  const { texts } = usePage();
  const { view } = useSession();
  const { application, keep, failure } = held;
  return (
    <Step
      name="facts"
      title={texts.business.factsTitle}
      progress={progress}
      onBack={back}
      startsIn="field"
    >
      <FailureNotice failure={failure} />
      <FactsForm
        initial={application.facts}
        industries={view.onboarding?.industries ?? []}
        onNext={(facts) => {
          keep({ facts });
          next();
        }}
      />
    </Step>
  );
}

function AddressPage({ held, progress, next, back }: PageProps) {
  const { texts } = usePage();
  const { view } = useSession();
  const isPerson = view.customer.type === 'individual';
  const title = isPerson ? texts.onboarding.addressTitle : texts.business.addressTitle;
  const { application, keep, failure } = held;
  return (
    <Step name="address" title={title} progress={progress} onBack={back} startsIn="field">
      <FailureNotice failure={failure} />
      <AddressForm
        initial={application.address}
        onNext={(address) => {
          keep({ address });
          next();
        }}
      />
    </Step>
  );
}

function PinPage({ held, progress, next, back }: PageProps) {
  const { texts } = usePage();
  const { pinTitle, pinText } = texts.onboarding;
  return (
    <Step name="new_pin" title={pinTitle} progress={progress} onBack={back} startsIn="field">
      <p class="lead" id="lead">
        {pinText}
      </p>
      <NewPinForm
        describedBy="lead"
        label={texts.common.next}
        failure={held.failure}
        onNext={(pin) => {
          held.keep({ pin });
          next();
        }}
      />
    </Step>
  );
}

function ReviewPage({ held, progress, back }: PageProps) {
  const { texts } = usePage();
  const parts = useReviewParts(held.application);
  const { go, submit, isBusy, failure } = held;
  return (
    <Step name="review" title={texts.onboarding.reviewTitle} progress={progress} onBack={back}>
      <Review
        parts={parts}
        onChange={go}
        onSubmit={() => submit()}
        isBusy={isBusy}
        failure={failure}
      />
    </Step>
  );
}

function Pages({ onboarding, steps }: PagesProps) {
  const held = useApplication(onboarding, steps);
  const { view } = useSession();
  const { application, step, keep, go, submit, failure, isBusy, readings, isReviewed } = held;
  const at = steps.indexOf(step);
  const progress = { now: at + 1, all: steps.length };
  // A verified code stays verified, so going back skips its step.
  const skips = (name: StepName | undefined) => name === 'code' && view.is_code_verified;
  // A PIN that was chosen is kept when the texts are read again.
  const isDone = (name: StepName | undefined) =>
    skips(name) || (name === 'pin' && application.pin !== null);
  const following = isDone(steps[at + 1]) ? steps[at + 2] : steps[at + 1];
  const nextStep = isReviewed ? 'review' : following;
  const backStep = skips(steps[at - 1]) ? steps[at - 2] : steps[at - 1];
  const next = () => (nextStep ? go(nextStep) : submit());
  const back = backStep ? () => go(backStep) : undefined;
  const page: PageProps = { held, progress, next, back };
  switch (step) {
    case 'about':
      return <AboutPage {...page} />;
    case 'facts':
      return <FactsPage {...page} />;
    case 'address':
      return <AddressPage {...page} />;
    case 'owners':
      return <OwnersStep progress={progress} onBack={back} onNext={next} />;
    case 'code':
      return (
        <CodeSteps
          progress={progress}
          onBack={back}
          onProven={(mobile) => {
            keep({ mobile });
            next();
          }}
          mayChange
        />
      );
    case 'papers':
      return <PapersStep progress={progress} onBack={back} onNext={next} />;
    case 'documents':
      return (
        <DocumentsStep
          key={readings}
          progress={progress}
          onBack={back}
          onNext={(read) => {
            keep({ read });
            nextStep ? go(nextStep) : submit(read);
          }}
          isBusy={isBusy}
          failure={failure}
          isSampleOpened={application.isSampleOpened}
          onSample={() => keep({ isSampleOpened: true })}
        />
      );
    case 'pin':
      return <PinPage {...page} />;
    default:
      return <ReviewPage {...page} />;
  }
}

/** onboarding of a person or a business: the first time, again, or for missing data. */
export function OnboardingFlow() {
  const { texts, tenantName } = usePage();
  const { view } = useSession();
  const { onboarding, customer, status } = view;
  const [steps] = useState(() => (onboarding ? stepsOf(customer, onboarding) : []));
  const [standing, setStanding] = useState(() =>
    onboarding ? standingOf(customer.type, onboarding, view.now) : 'open',
  );
  if (!onboarding) return null;
  if (onboarding.has_identity_step && (status !== 'created' || standing === 'waiting'))
    return <IdentityStep />;
  if (status !== 'created') {
    const { doneTitle, done, approvedTitle, approved } = texts.onboarding;
    const isApproved = onboarding.status === 'approved';
    return (
      <Ended
        title={isApproved ? approvedTitle : doneTitle}
        text={isApproved ? approved : done(isolated(tenantName))}
      />
    );
  }
  if (standing !== 'open')
    return (
      <StandingStep
        standing={standing}
        onboarding={onboarding}
        onStart={() => setStanding('open')}
      />
    );
  return <Pages onboarding={onboarding} steps={steps} />;
}
