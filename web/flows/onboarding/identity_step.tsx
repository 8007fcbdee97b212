import { useEffect, useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { Waiting } from '../../ui/frame.tsx';
import { ClockIcon } from '../../ui/icons.tsx';
import { isolated } from '../../ui/isolated.ts';
import { FailureNotice } from '../../ui/notice.tsx';
import { Step } from '../../ui/step.tsx';
import { Ended } from '../parts/ended.tsx';
import { EndAction } from '../session/end_action.tsx';
import { useCall, useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';

type Asked = { readonly token: string | null } | null;

/** The provider's own step: a page of its own, which may use the camera, and which no other page frames. */
export function IdentityStep() {
  const { texts, tenantName } = usePage();
  const words = texts.identityStep;
  const { call: request } = useSession();
  const { failure, isBusy, call } = useCall(request);
  const [asked, setAsked] = useState<Asked>(null);
  const ask = async () => {
    const answer = await call('openIdentityStep', {});
    if (answer.ok) setAsked({ token: answer.value.link_token });
  };
  useEffect(() => void ask(), []);
  const { onboarding } = texts;
  if (asked?.token === null)
    return <Ended title={onboarding.doneTitle} text={onboarding.done(isolated(tenantName))} />;
  return (
    <Step name="identity" title={words.title} sign={{ tone: 'calm', icon: <ClockIcon /> }}>
      <p class="lead">{words.text}</p>
      <FailureNotice failure={failure} />
      <Actions>
        {asked ? (
          <a
            class="button is-primary"
            href={`${location.pathname}/identity#${asked.token}`}
            target="_blank"
            rel="noopener"
          >
            <span class="label">{words.start}</span>
          </a>
        ) : failure ? (
          <Button onClick={() => void ask()} isBusy={isBusy}>
            {texts.common.retry}
          </Button>
        ) : (
          <Waiting />
        )}
        <EndAction />
      </Actions>
    </Step>
  );
}
