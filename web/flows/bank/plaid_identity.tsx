import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { Frame, Waiting } from '../../ui/frame.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { isolated } from '../../ui/isolated.ts';
import { Problem } from '../../ui/problem.tsx';
import { Step } from '../../ui/step.tsx';
import type { Opening } from '../session/use_session.ts';
import { usePage } from '../use_page.ts';
import { type Link, loaded } from './plaid.tsx';

type Stage = 'loading' | 'open' | 'left' | 'failed' | 'done';

function useVerification(token: string) {
  const [stage, setStage] = useState<Stage>('loading');
  const link = useRef<Link | null>(null);
  const open = useCallback(async () => {
    try {
      await loaded();
      link.current?.destroy();
      const onSuccess = () => setStage('done');
      const onExit = () => setStage('left');
      link.current = window.Plaid?.create({ token, onSuccess, onExit }) ?? null;
      setStage('open');
      link.current?.open();
    } catch {
      setStage('failed');
    }
  }, [token]);
  useEffect(() => {
    void open();
    return () => link.current?.destroy();
  }, [open]);
  return { stage, open };
}

/** Plaid's own step of an application: its window over this page, which Plaid itself tells how it ended. */
export function PlaidIdentityPage({ token }: Opening) {
  const { texts, tenantName } = usePage();
  const { stage, open } = useVerification(token);
  const words = texts.identityStep;
  const body = () => {
    if (stage === 'failed') return <Problem name="service" onRetry={() => location.reload()} />;
    if (stage === 'done')
      return (
        <Step name="done" title={words.doneTitle} sign={{ tone: 'good', icon: <CheckIcon /> }}>
          <p class="lead">{words.done(isolated(tenantName))}</p>
          <p class="aside">{texts.common.mayClose}</p>
        </Step>
      );
    if (stage !== 'left') return <Waiting />;
    return (
      <Step name="left" title={words.title}>
        <p class="lead">{words.left}</p>
        <Actions>
          <Button onClick={() => void open()}>{words.again}</Button>
        </Actions>
      </Step>
    );
  };
  const { environment } = document.documentElement.dataset;
  return <Frame isSandbox={environment === 'sandbox'}>{body()}</Frame>;
}
