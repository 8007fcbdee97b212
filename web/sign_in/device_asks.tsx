import type { DeviceSignIn } from '@tenant-payments/backoffice/contract/people/device.ts';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { usualKey } from '@tenant-payments/contract/core/key_lives.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { useEffect, useState } from 'preact/hooks';
import { Actions, Button } from '../ui/button.tsx';
import { Checks } from '../ui/choices.tsx';
import { focusOn } from '../ui/form.tsx';
import { isolated } from '../ui/isolated.ts';
import { Notice } from '../ui/notice.tsx';
import { Rows } from '../ui/rows.tsx';
import { Step } from '../ui/step.tsx';
import { Elsewhere } from './account.tsx';
import type { Input } from './api.ts';
import { keepCode } from './kept_code.ts';
import { words } from './texts.ts';
import { dayOf, timeOf } from './times.ts';
import { Trouble } from './trouble.tsx';
import { useWork, type Work } from './use_work.ts';

interface AsksProps {
  readonly session: CurrentSession;
  readonly asked: DeviceSignIn;
  readonly code: string;
  /** The session acts elsewhere now, where the program would get something else. */
  readonly onMoved: (session: CurrentSession, asked: DeviceSignIn) => void;
  readonly onDecided: (decided: DeviceSignIn) => void;
  readonly onEnded: (reason: string) => void;
  /** The session may act elsewhere by now: what is shown holds no longer. */
  readonly onMovedAway: () => void;
  readonly onLost: () => void;
}

/** When a key with these roles ends, by the service's clock: that which is shown ends so with the roles of the request. */
function endWith(chosen: readonly Role[], { roles, key_expires_at }: DeviceSignIn): string {
  const longer = usualKey(chosen) - usualKey(roles);
  return new Date(Date.parse(key_expires_at) + longer * 1_000).toISOString();
}

function Facts({ asked, ends }: Pick<AsksProps, 'asked'> & { readonly ends: string }) {
  const { device } = words;
  return (
    <Rows
      rows={[
        { name: device.program, value: isolated(asked.client_name) },
        { name: device.address, value: asked.client_address },
        { name: device.acts, value: isolated(asked.scope_name) },
        { name: device.answerBy, value: timeOf(asked.expires_at) },
        { name: device.keyEnds, value: dayOf(ends) },
      ]}
    />
  );
}

/**
 * Approves; where the session is an organization's, its provider asks for the person again first.
 * @param scope where the person was told that the key acts
 */
async function approve(
  work: Work,
  session: CurrentSession,
  given: Input<'approveDeviceSignIn'>,
  scope: string,
) {
  if (session.opened_by !== 'single_sign_on' || session.fresh_until !== null)
    return work.asked('approveDeviceSignIn', given, scope);
  const begun = await work.ask('beginSingleSignOnStepUp', { return_to: '/portal/device' });
  if (!begun) return null;
  keepCode(given.user_code);
  location.assign(begun.redirect_url);
  return null;
}

/** The program that asks, the roles that it asks for, and the two answers. */
export function DeviceAsks(props: AsksProps) {
  const { session, asked, code, onMoved, onMovedAway, onDecided, onEnded, onLost } = props;
  const { device, roles: names, roleNotes } = words;
  const { scope } = asked;
  const work = useWork();
  const [roles, setRoles] = useState<readonly string[]>(asked.roles);
  const [isEmpty, setEmpty] = useState(false);
  const { failure } = work;
  useEffect(() => {
    if (failure?.kind === 'lost') onLost();
    if (failure?.kind !== 'refused') return;
    if (failure.reason === 'acts_elsewhere') onMovedAway();
    else if (failure.reason && failure.reason in device.ended) onEnded(failure.reason);
    else if (failure.code === 'not_found') onEnded('expired');
  }, [failure]);
  const chosen = asked.allowed_roles.filter((role) => roles.includes(role));
  const expires_at = endWith(chosen, asked);
  const give = () => {
    setEmpty(chosen.length === 0);
    if (chosen.length === 0) return focusOn('roles');
    void work.run(async () => {
      const given = { user_code: code, roles: chosen, expires_at };
      const decided = await approve(work, session, given, scope);
      if (decided) onDecided(decided);
    });
  };
  const refuse = () =>
    work.run(async () => {
      const decided = await work.ask('denyDeviceSignIn', { user_code: code }, scope);
      if (decided) onDecided(decided);
    });
  const move = async (now: CurrentSession) => {
    const anew = await work.ask('openDeviceSignIn', { user_code: code });
    if (anew) onMoved(now, anew);
    else onMovedAway();
  };
  const isPossible = asked.allowed_roles.length > 0;
  return (
    <Step name="device_asks" title={device.asks}>
      <Notice>{device.warning}</Notice>
      <Facts asked={asked} ends={expires_at} />
      <Elsewhere session={{ ...session, scope }} work={work} onSession={move} />
      {isPossible ? (
        <Checks
          name="roles"
          label={device.roles}
          values={roles}
          onValues={setRoles}
          options={asked.allowed_roles.map((role) => [role, names[role], roleNotes[role]] as const)}
          error={isEmpty && chosen.length === 0 ? device.needRole : undefined}
        />
      ) : (
        <Notice tone="bad">{device.none(isolated(asked.scope_name))}</Notice>
      )}
      <Trouble work={work} />
      <Actions>
        {isPossible && (
          <Button isBusy={work.isBusy} onClick={give}>
            {device.approve}
          </Button>
        )}
        <Button look="secondary" isBusy={work.isBusy} onClick={() => void refuse()}>
          {device.deny}
        </Button>
      </Actions>
    </Step>
  );
}
