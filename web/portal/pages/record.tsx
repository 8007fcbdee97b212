import { Stack, Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { LifecycleTable } from '@tenant-payments/backoffice/contract/records/lifecycles.ts';
import type { RecordPage } from '@tenant-payments/backoffice/contract/records/records.ts';
import { useAddress } from '../../staff/api/address.ts';
import { isSandbox } from '../../staff/api/environment.ts';
import { useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { JsonView } from '../../staff/parts/json_view.tsx';
import { OfRecord, RecordHead } from '../../staff/parts/record/view.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { Lifecycle } from '../parts/lifecycle.tsx';
import { useFollowed } from '../parts/record/follow.ts';
import { Simulate } from '../parts/record/simulate.tsx';

/** The part of the page with what developers use. */
const developer = 'developer';

/** One record: what it is, what happened to it, and what may happen next. */
export function RecordDetail() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const { data, error, refetch } = useRead('GET /portal/api/records/:id', { id });
  const lifecycles = useRead('GET /portal/api/lifecycles', {});
  const session = useSession();
  const maySimulate = holds(session, ['developer', 'admin']);
  useFollowed(id, holds(session, ['developer', 'support']));
  const table = lifecycles.data?.data.find(({ resource }) => resource === data?.resource);
  const [{ part }] = useAddress(['part']);
  return (
    <>
      <RecordHead id={id} page={data} />
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <nav className="parts" aria-label="Parts of the page">
            <ToPart id={id}>Record</ToPart>
            <ToPart id={id} part={developer}>
              Developer
            </ToPart>
          </nav>
          {part !== developer && <OfRecord page={data} />}
          {part === developer && (
            <Stack gap="xl" className="shrinks">
              {isSandbox && maySimulate && <Simulate key={id} id={id} />}
              {table && <Progress table={table} page={data} />}
              <JsonView title="As the API shows it" value={data.record} />
            </Stack>
          )}
        </>
      )}
    </>
  );
}

interface ToPartProps {
  readonly id: string;
  readonly part?: string;
  readonly children: string;
}

/** Leads to a part of the record's page, and tells whether the reader is there. */
const ToPart = ({ id, part, children }: ToPartProps) => (
  <Link
    to="/record/$id"
    params={{ id } as never}
    search={(part ? { part } : {}) as never}
    activeOptions={{ exact: true, includeSearch: true }}
    className="part"
  >
    {children}
  </Link>
);

/** The states that its events tell, and where it began. */
function passedStates({ moves }: LifecycleTable, { timeline }: RecordPage): ReadonlySet<string> {
  const types = new Set(timeline.map((row) => (row.kind === 'event' ? row.type : '')));
  const beginnings = moves.filter(({ from }) => from === null);
  const seen = moves.filter(({ event }) => event !== null && types.has(event));
  const began = beginnings.length === 1 ? beginnings : [];
  return new Set([...seen, ...began].flatMap(({ to }) => to ?? []));
}

const Progress = ({ table, page }: { table: LifecycleTable; page: RecordPage }) => (
  <section aria-labelledby="lifecycle">
    <Title order={2} size="h4" id="lifecycle" mb="xs">
      Lifecycle
    </Title>
    <Lifecycle table={table} state={page.status} passed={passedStates(table, page)} />
  </section>
);
