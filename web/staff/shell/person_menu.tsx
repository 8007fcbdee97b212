import { Menu, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { call } from '../api/call.ts';
import { hasDocs } from '../api/environment.ts';

const schemes = [
  ['auto', 'As the device'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** The letters of a name: `AR` of Ana Reyes. */
const lettersOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .slice(0, 2)
    .join('');

/** The menu of the signed-in person: the own account, the look of the pages, and the way out. */
export function PersonMenu({ session }: { readonly session: CurrentSession }) {
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const signOut = useMutation({
    mutationFn: () => call('DELETE /portal/api/session', {}),
    onSettled: () => location.assign('/portal/sign-in'),
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <button type="button" className="person" aria-label="Your account">
          {lettersOf(session.person?.name ?? 'Program')}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {session.person && <Menu.Label>{session.person.email}</Menu.Label>}
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
