import { Skeleton, Stack, Table, Text } from '@mantine/core';
import { useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { counted } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';

type Status = NonNullable<ReturnType<typeof useRead<'GET /portal/api/keys'>>['data']>;
type Ring = Status['rings'][number];

const rests: Readonly<Record<Ring['name'], string>> = {
  SEALING_KEY: 'Seals secrets and personal data.',
  PIN_PEPPER: 'Goes into the hashes of PINs.',
  QR_SIGNING_KEY: 'Signs QR codes; those that can still be paid are counted.',
  IDENTITY_KEY: 'Seals the vault of identity data.',
};

/**
 * The counts of the values that rest on each key of the service, as `keys status` of the command
 * line says them.
 */
export function Keys() {
  const isAdmin = holds(useSession(), ['admin']);
  return (
    <>
      <PageTitle
        title="Keys"
        text="What rests on each key, and what to do next. A key itself is never shown."
      />
      {isAdmin ? <Rings /> : <Text>Only admins of the platform see the keys.</Text>}
    </>
  );
}

function Rings() {
  const { data, error, refetch } = useRead('GET /portal/api/keys', {});
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} role="status" aria-label="Loading" />;
  const { tenants_waiting, unopened } = data.reseal;
  return (
    <Stack gap="xl" maw={960}>
      {data.rings.map((ring) => (
        <OneRing key={ring.name} ring={ring} />
      ))}
      {(tenants_waiting > 0 || unopened > 0) && (
        <Text size="sm">
          {`Sealing anew: ${counted(tenants_waiting, 'tenant')} waiting, ${counted(unopened, 'value')} could not be opened.`}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {'Counted '}
        <When at={data.at} />
      </Text>
    </Stack>
  );
}

const stateOf = ({ first, revoked, may_be_dropped }: Ring['keys'][number]): string => {
  if (revoked) return 'revoked';
  if (first) return 'in use for what is new';
  return may_be_dropped ? 'may be dropped' : 'still needed';
};

const OneRing = ({ ring: { name, keys, nameless, missing, next } }: { readonly ring: Ring }) => (
  <Section title={name} text={rests[name]}>
    <PlainTable label={`Keys of ${name}`} columns={['Key', 'State', 'Values']} right={['Values']}>
      {keys.map((key) => (
        <Table.Tr key={key.id}>
          <Table.Td>{key.id}</Table.Td>
          <Table.Td>{stateOf(key)}</Table.Td>
          <Table.Td ta="right">{key.values.toLocaleString('en-US')}</Table.Td>
        </Table.Tr>
      ))}
      {missing.map(({ id, values }) => (
        <Table.Tr key={id}>
          <Table.Td>{id}</Table.Td>
          <Table.Td>
            <Mark tone="bad" text="missing" />
          </Table.Td>
          <Table.Td ta="right">{values.toLocaleString('en-US')}</Table.Td>
        </Table.Tr>
      ))}
    </PlainTable>
    {nameless > 0 && <Text size="sm">{`${counted(nameless, 'value')} name no key.`}</Text>}
    <Text size="sm">
      <b>Next: </b>
      {next}
    </Text>
  </Section>
);
