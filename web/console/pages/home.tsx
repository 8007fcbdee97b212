import { Anchor, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Operations } from '@tenant-payments/backoffice/contract/operate/operations.ts';
import { useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { TroubleStrip } from '../../staff/attention/trouble_strip.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { counted } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { DueThisWeek } from './home/due.tsx';
import { Queue } from './home/queue.tsx';
import { Waiting } from './home/waiting.tsx';

const everyMs = 30_000;

/**
 * The first page of the staff: late work, waiting work with its age, and the state of the service.
 */
export function Home() {
  const isReviewer = holds(useSession(), ['reviewer']);
  return (
    <>
      <PageTitle title="Home" text="What is late, what waits, and how the service does." />
      <Stack gap="xl">
        <TroubleStrip />
        <Waiting />
        {isReviewer && <Cases />}
        <Running />
      </Stack>
    </>
  );
}

/** The cases of the desk: how old they are, and when they are due. */
function Cases() {
  const { data, error, refetch } = useRead('GET /portal/api/desk-summary', {}, everyMs);
  if (error && !data) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={240} role="status" aria-label="Loading the cases" />;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Queue kinds={data.kinds} />
      <DueThisWeek due={data.due} />
    </SimpleGrid>
  );
}

/** The processes and the proofs of the ledgers. */
function Running() {
  const { data, error, refetch } = useRead('GET /portal/api/operations', {}, everyMs);
  if (error && !data) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={160} role="status" aria-label="Loading the operations" />;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Proofs proofs={data.proofs} />
      <Processes processes={data.processes} />
    </SimpleGrid>
  );
}

const Count = ({ count, one }: { readonly count: number; readonly one: string }) =>
  count === 0 ? 'None' : <Mark tone="bad" text={counted(count, one)} />;

function Proofs({ proofs }: Pick<Operations, 'proofs'>) {
  const { tenants, proven, violated, not_proven, oldest_at } = proofs;
  return (
    <Section title="Proofs of the ledgers">
      <Facts
        rows={[
          ['Proven', `${proven} of ${counted(tenants, 'ledger')} older than a day`],
          ['Violated', <Count key="violated" count={violated} one="ledger" />],
          ['Not proven', <Count key="not" count={not_proven} one="ledger" />],
          ['Oldest proof', <When key="at" at={oldest_at} />],
        ]}
      />
      <Anchor component={Link} to="/ledger-proofs" size="sm">
        Ledger proofs
      </Anchor>
    </Section>
  );
}

const Live = ({ count }: { readonly count: number }) =>
  count === 0 ? <Mark tone="bad" text="none" /> : `${count} live`;

const roles = { api: 'Answering the API', worker: 'Doing the work' } as const;

function Processes({ processes }: Pick<Operations, 'processes'>) {
  const live = processes.filter(({ state }) => state === 'live');
  const lost = processes.length - live.length;
  return (
    <Section title="Processes">
      <Facts
        rows={[
          ...(['api', 'worker'] as const).map((role) => {
            const count = live.filter((one) => one.roles.includes(role)).length;
            return [roles[role], <Live key={role} count={count} />] as const;
          }),
          ['Lost', <Count key="lost" count={lost} one="process" />],
        ]}
      />
      <Anchor component={Link} to="/operations" size="sm">
        Operations
      </Anchor>
    </Section>
  );
}
