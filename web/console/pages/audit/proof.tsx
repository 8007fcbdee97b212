import { Code } from '@mantine/core';
import { useRead } from '../../../staff/api/queries.ts';
import { Facts } from '../../../staff/parts/facts.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Mark } from '../../../staff/parts/state_badge.tsx';
import { counted } from '../../../staff/parts/tell.ts';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';

/** The head of a chain, and the findings of its last verification. */
export function ChainProof({ scope }: { readonly scope: 'tenant' | 'platform' }) {
  const { data, error, refetch } = useRead('GET /portal/api/audit/proof', { scope });
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const { head, verified } = data;
  return (
    <Section
      title="The chain"
      text="Each row holds the hash of the one before. Workers follow every chain at 04:30 Eastern Time."
    >
      <Facts
        rows={[
          ['Result', <Result key="result" verified={verified} />],
          ['Verified', <When key="at" at={verified?.at ?? null} />],
          ['Up to', verified === null ? 'no row yet' : `number ${verified.number}`],
          ['Last row', head === null ? 'No rows yet' : `number ${head.number}`],
          ['Its hash', head === null ? 'No rows yet' : <Code key="hash">{head.hash}</Code>],
        ]}
      />
    </Section>
  );
}

type Verified = NonNullable<
  ReturnType<typeof useRead<'GET /portal/api/audit/proof'>>['data']
>['verified'];

function Result({ verified }: { readonly verified: Verified }) {
  if (verified === null) return <Mark tone="plain" text="not verified yet" />;
  const { ok, checked, faults } = verified;
  if (ok) return <Mark tone="good" text={`${counted(checked, 'row')}, all as written`} />;
  const where = faults.map(({ number, fault }) => `${fault.replaceAll('_', ' ')} at ${number}`);
  return (
    <>
      <Mark tone="bad" text={counted(faults.length, 'fault')} /> {where.join(', ')}
    </>
  );
}
