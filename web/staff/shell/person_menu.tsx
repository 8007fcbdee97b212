import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { call } from '../api/call.ts';
import { hasDocs } from '../api/environment.ts';
import { useAct } from './starting.tsx';

const schemes = [
  ['auto', 'As the device'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Where the session acts, how the page looks, and the way out. */
export function PersonMenu({ session }: { readonly session: CurrentSession }) {
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const act = useAct();
  const signOut = useMutation({
    mutationFn: () => call('DELETE /portal/api/session', {}),
    onSettled: () => location.assign('/portal/sign-in'),
  });
  const { visit } = session;
  const own = session.scopes.find(({ scope }) => scope === session.scope)?.name ?? 'Tenant';
  const name = visit?.tenant_name ?? own;
  // A visitor leaves before all else.
  const scopes = visit ? [] : session.scopes;
  const isStaff = scopes.some(({ scope }) => scope === 'platform');
  const others = scopes.filter(({ scope }) => scope !== session.scope && scope !== 'platform');
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" size="compact-md" maw={200}>
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {session.person && <Menu.Label>{session.person.email}</Menu.Label>}
        {others.map(({ scope, name: other }) => (
          <Menu.Item key={scope} onClick={() => act.mutate(scope)}>
            {`Act in ${other}`}
          </Menu.Item>
        ))}
        {isStaff && (
          <Menu.Item component="a" href="/console">
            Operations console
          </Menu.Item>
        )}
        <Menu.Item component="a" href="/portal/sign-in">
          Your sign-in
        </Menu.Item>
        {hasDocs && (
          <Menu.Item component="a" href="/docs">
            Docs
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {schemes.map(([scheme, label]) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            onClick={() => setColorScheme(scheme)}
          >
            {colorScheme === scheme ? `${label} ✓` : label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => signOut.mutate()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
