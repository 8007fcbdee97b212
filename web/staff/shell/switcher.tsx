import { Menu, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { CurrentSession, Scope } from '@tenant-payments/backoffice/contract/people/session.ts';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { isSandbox } from '../api/environment.ts';
import { Icon } from './icons.tsx';

/** The length of the list from which it is searched rather than read. */
const searchedFrom = 6;
const kept = 'recent_scopes';
const keptAtMost = 3;
const readRecent = (): readonly string[] => (localStorage.getItem(kept) ?? '').split(',');

function keepRecent(scope: string): void {
  const others = readRecent().filter((one) => one !== '' && one !== scope);
  localStorage.setItem(kept, [scope, ...others].slice(0, keptAtMost).join(','));
}

const environment = isSandbox ? 'Sandbox' : 'Production';

/** The first letter of a name, where a picture would be. */
const Letter = ({ name }: { readonly name: string }) => (
  <span className="initial" aria-hidden="true">
    {[...name.trim()][0]?.toUpperCase()}
  </span>
);

/**
 * Goes to another place: the pages of a Tenant are the portal's, those of the platform the console's.
 * What was read stays until the browser is there: these pages could not show another place.
 */
function useSwitch(session: CurrentSession) {
  const { mutate } = useMutation({
    mutationFn: (scope: string) => call('POST /portal/api/session/act', { scope }),
    onSuccess: (_, scope) => {
      if (session.scope !== null) keepRecent(session.scope);
      location.assign(scope === 'platform' ? '/console' : '/portal');
    },
  });
  return (scope: string) => mutate(scope);
}

interface OthersProps {
  readonly scopes: readonly Scope[];
  readonly onChoose: (scope: string) => void;
}

/** The Tenants that the session may go to, those of lately first. */
function Others({ scopes, onChoose }: OthersProps) {
  const [text, setText] = useState('');
  const recent = readRecent();
  const placeOf = ({ scope }: Scope) =>
    recent.includes(scope) ? recent.indexOf(scope) : keptAtMost;
  const asked = text.trim().toLowerCase();
  const found = scopes
    .filter(({ name }) => name.toLowerCase().includes(asked))
    .sort((one, other) => placeOf(one) - placeOf(other) || one.name.localeCompare(other.name));
  return (
    <>
      <Menu.Label>Switch to</Menu.Label>
      {scopes.length >= searchedFrom && (
        <TextInput
          aria-label="Search tenants"
          placeholder="Search tenants"
          size="xs"
          m={4}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <div className="tenants">
        {found.map(({ scope, name }) => (
          <Menu.Item
            key={scope}
            leftSection={<Letter name={name} />}
            rightSection={<small>{recent.includes(scope) ? 'Recent' : ''}</small>}
            onClick={() => onChoose(scope)}
          >
            {name}
          </Menu.Item>
        ))}
        {found.length === 0 && <Menu.Label role="status">No tenant has this name.</Menu.Label>}
      </div>
    </>
  );
}

/** Which Tenant the pages are about, in which environment, and the way to another. */
export function Switcher({ session }: { readonly session: CurrentSession }) {
  const go = useSwitch(session);
  const { visit, scope: here } = session;
  const own = session.scopes.find(({ scope }) => scope === here)?.name ?? 'Tenant';
  const name = visit?.tenant_name ?? own;
  // A visitor leaves before all else.
  const scopes = (visit ? [] : session.scopes).filter(({ scope }) => scope !== here);
  const tenants = scopes.filter(({ scope }) => scope !== 'platform');
  const isStaff = scopes.length > tenants.length;
  if (scopes.length === 0) return <span className="switcher is-still">{name}</span>;
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <button type="button" className="switcher" title="Switch tenant">
          <Letter name={name} />
          <span className="switcher-name">{name}</span>
          <Icon name="choose" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name} · {environment}
        </Menu.Label>
        {tenants.length > 0 && <Others scopes={tenants} onChoose={go} />}
        {isStaff && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<Icon name="platform" />} onClick={() => go('platform')}>
              Operations console
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
