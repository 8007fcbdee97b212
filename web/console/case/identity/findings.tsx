import { Alert, Stack, Table, Text } from '@mantine/core';
import type { IdentityRecord } from '@tenant-payments/backoffice/contract/operate/identity.ts';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { StateBadge } from '../../../staff/parts/state_badge.tsx';
import { inWords } from '../../../staff/parts/tell.ts';
import { When } from '../../../staff/parts/when.tsx';
import { isolated } from '../../../ui/isolated.ts';
import { capitalized } from '../../desk/words.ts';
import { CaseLink } from '../case_link.tsx';
import { documentsInWords } from './words.ts';

/**
 * The people who gave the same tax number. One person may own several businesses, so this decides
 * nothing by itself.
 */
export const SamePerson = ({ people }: { readonly people: IdentityRecord['same_person'] }) => (
  <Stack gap="xs">
    <Alert color="yellow" title="The same tax number was given before">
      One person who applies twice, or who owns several businesses. Compare them.
    </Alert>
    <PlainTable label="Given with the same tax number" columns={['Who', 'Check', 'Case']}>
      {people.map(({ resource, id, name, status }) => (
        <Table.Tr key={id}>
          <Table.Td className="breaks">{name === null ? 'erased' : isolated(name)}</Table.Td>
          <Table.Td>
            <StateBadge state={status} />
          </Table.Td>
          <Table.Td>
            <CaseLink resource={resource} id={id} />
          </Table.Td>
        </Table.Tr>
      ))}
    </PlainTable>
  </Stack>
);

/** The people behind a business, each of whom is a case. */
export const OwnersOf = ({ owners }: { readonly owners: IdentityRecord['owners'] }) => (
  <PlainTable label="Owners" columns={['Owner', 'Check', 'Missing', 'Case']}>
    {owners.map(({ id, name, status, missing }) => (
      <Table.Tr key={id}>
        <Table.Td className="breaks">{name ?? 'erased'}</Table.Td>
        <Table.Td>
          <StateBadge state={status} />
        </Table.Td>
        <Table.Td>{missing.length > 0 ? documentsInWords(missing) : 'Complete'}</Table.Td>
        <Table.Td>
          <CaseLink resource="owners" id={id} />
        </Table.Td>
      </Table.Tr>
    ))}
  </PlainTable>
);

/** The decisions of each check with their reasons, in the words of the one who made them. */
export const Said = ({ checks }: { readonly checks: IdentityRecord['checks'] }) => (
  <PlainTable label="What the check said" columns={['The check', 'Why', 'When']}>
    {checks.map(({ decision, reasons, signals, created_at }) => (
      <Table.Tr key={created_at}>
        <Table.Td>
          <StateBadge state={decision} />
        </Table.Td>
        <Table.Td className="breaks">
          {reasons.map((reason) => capitalized(inWords(reason))).join('; ') || 'It said nothing'}
          {signals.map((signal) => (
            <Text key={signal} size="xs" c="dimmed">
              {inWords(signal)}
            </Text>
          ))}
        </Table.Td>
        <Table.Td>
          <When at={created_at} />
        </Table.Td>
      </Table.Tr>
    ))}
  </PlainTable>
);
