import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** Names and values of one thing. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" className="fact-name">
              {name}
            </Table.Th>
            <Table.Td className="breaks">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
