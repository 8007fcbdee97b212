import type { OwnSession } from '@tenant-payments/backoffice/contract/people/my.ts';
import { useState } from 'preact/hooks';
import { Actions, Button } from '../ui/button.tsx';
import { words } from './texts.ts';
import { browserOf, timeOf } from './times.ts';
import { Trouble } from './trouble.tsx';
import { useWork } from './use_work.ts';

interface SessionsProps {
  readonly sessions: readonly OwnSession[];
  readonly onChange: () => Promise<void>;
  readonly onSignedOut: () => void;
}

/** The open sessions: one or all others can be ended. */
export function Sessions({ sessions, onChange, onSignedOut }: SessionsProps) {
  const { account } = words;
  const work = useWork();
  const [isDone, setDone] = useState(false);
  const nameOf = ({ browser }: OwnSession) => browserOf(browser) ?? account.unknownBrowser;

  const end = ({ id, current }: OwnSession) =>
    work.run(async () => {
      if (!(await work.ask('endMySession', { id }))) return;
      if (current) return onSignedOut();
      setDone(true);
      await onChange();
    });
  const endOthers = () =>
    work.run(async () => {
      if (!(await work.ask('endMyOtherSessions', {}))) return;
      setDone(true);
      await onChange();
    });

  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions" tabIndex={-1}>
        {account.sessions}
      </h2>
      <ul class="entries">
        {sessions.map((one) => (
          <li key={one.id}>
            <div>
              <p class="entry-name">
                {nameOf(one)} {one.current && <span class="hint">({account.current})</span>}
              </p>
              <p class="hint">{account.from(one.client_address, timeOf(one.created_at))}</p>
              {one.moved_at !== null && (
                <p class="hint">
                  {account.moved(
                    one.last_address,
                    browserOf(one.last_browser) ?? account.unknownBrowser,
                  )}
                </p>
              )}
            </div>
            <button
              type="button"
              class="link"
              aria-label={account.endOf(nameOf(one))}
              onClick={() => void end(one)}
            >
              {account.end}
            </button>
          </li>
        ))}
      </ul>
      <Trouble work={work} />
      <p role="status">{isDone && account.isEnded}</p>
      {sessions.length > 1 && (
        <Actions>
          <Button look="secondary" isBusy={work.isBusy} onClick={() => void endOthers()}>
            {account.endOthers}
          </Button>
        </Actions>
      )}
    </section>
  );
}
