import { Anchor, Code, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Magic } from '@tenant-payments/contract/sandbox/magic.ts';
import { type ItemOf, useRead } from '../../../staff/api/queries.ts';
import { CopyText } from '../../../staff/parts/json_view.tsx';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { StateBadge } from '../../../staff/parts/state_badge.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';

type Customer = ItemOf<'GET /portal/api/customers'>;
type SamplePerson = Magic['people'][number];

const few = 20;

interface PeopleProps {
  readonly magic: Magic;
}

/** This Tenant's own customers, and the parts that the sample people play. */
export function People({ magic: { people, pin, message_code } }: PeopleProps) {
  const { data, error, refetch } = useRead('GET /portal/api/customers', { limit: few });
  const plays = new Map(people.map((person) => [person.external_ref, person]));
  const customers = data?.data ?? [];
  const hasSample = customers.some(({ external_ref }) => plays.has(external_ref));
  return (
    <>
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {data && !hasSample && <Elsewhere people={people} isEmpty={customers.length === 0} />}
      {customers.length > 0 && (
        <>
          {hasSample && (
            <Text size="sm">
              The PIN of the sample people is <Code>{pin}</Code>, the code of every message{' '}
              <Code>{message_code}</Code>.
            </Text>
          )}
          <PlainTable
            label="Customers of this tenant"
            columns={['Customer', 'Reference', 'Type', 'State', 'Bank']}
          >
            {customers.map((customer) => (
              <Person
                key={customer.id}
                customer={customer}
                sample={plays.get(customer.external_ref)}
              />
            ))}
          </PlainTable>
        </>
      )}
      {data?.has_more && (
        <Anchor component={Link} to="/records/customers" size="sm">
          All customers
        </Anchor>
      )}
    </>
  );
}

interface PersonProps {
  readonly customer: Customer;
  readonly sample: SamplePerson | undefined;
}

const Person = ({ customer: { id, external_ref, type, verification }, sample }: PersonProps) => (
  <Table.Tr>
    <Table.Td>
      <RecordLink id={id} isBare />
    </Table.Td>
    <Table.Td>
      <Code>{external_ref}</Code> <CopyText label={`Copy ${external_ref}`} text={external_ref} />
    </Table.Td>
    <Table.Td>{type}</Table.Td>
    <Table.Td>
      <StateBadge state={verification.status} />
    </Table.Td>
    <Table.Td>{sample && (sample.bank ?? 'not linked: still onboarding')}</Table.Td>
  </Table.Tr>
);

interface ElsewhereProps {
  readonly people: Magic['people'];
  readonly isEmpty: boolean;
}

/** A text that says in which Tenant the sample people are, since this one was made without them. */
const Elsewhere = ({ people, isEmpty }: ElsewhereProps) => (
  <Text size="sm">
    {isEmpty ? 'This tenant has no customers yet. ' : ''}
    {`The sample people (${people.map(({ name }) => name).join(', ')}) are not in this tenant: they live in each sandbox tenant that is made with them. `}
    <Anchor component={Link} to="/sandbox" hash="new" size="sm" underline="always">
      Make a sandbox tenant
    </Anchor>
    {' with them, or choose the sample tenant at the top.'}
  </Text>
);
