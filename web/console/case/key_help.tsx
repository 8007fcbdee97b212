import { Kbd, Table, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../staff/parts/dialog.tsx';
import { keysOf, ownKeys } from '../desk/move_keys.ts';
import { useKeys } from '../desk/use_keys.ts';
import { moveName } from '../desk/words.ts';

/** The keys of a case, on demand. */
export function KeyHelp({ moves }: { readonly moves: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  useKeys({ [ownKeys.help]: () => setOpen(true) });
  const rows = [
    [ownKeys.take, 'Take this case, or take it over'],
    ...[...keysOf(moves)].map(([move, key]) => [key, moveName(move)] as const),
    ['Ctrl+Enter', 'Do what the open form is for'],
    ['Esc', 'Close the form'],
    [ownKeys.next, 'Go to the next case of the desk'],
    [ownKeys.help, 'Show these keys'],
  ] as const;
  return (
    <>
      <UnstyledButton
        fz="xs"
        c="dimmed"
        aria-keyshortcuts={ownKeys.help}
        onClick={() => setOpen(true)}
      >
        Keys: <Kbd size="xs">{ownKeys.help}</Kbd>
      </UnstyledButton>
      <Dialog title="Keys" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Table aria-label="Keys">
          <Table.Tbody>
            {rows.map(([key, text]) => (
              <Table.Tr key={key}>
                <Table.Th scope="row" w={110}>
                  <Kbd size="xs">{key}</Kbd>
                </Table.Th>
                <Table.Td>{text}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Dialog>
    </>
  );
}
