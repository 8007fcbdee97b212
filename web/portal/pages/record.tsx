import { Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { LifecycleTable } from '@tenant-payments/backoffice/contract/records/lifecycles.ts';
import type {
  BankOrder,
  RecordPage,
} from '@tenant-payments/backoffice/contract/records/records.ts';
import { shortened } from '@tenant-payments/contract/core/fields/field.ts';
import { useAddress } from '../../staff/api/address.ts';
import { isSandbox } from '../../staff/api/environment.ts';
import { type Face, labelOf, partiesOf, useFace } from '../../staff/api/faces.ts';
import { useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { CustomerConsents } from '../../staff/parts/customer_consents.tsx';
import { CustomerMessages } from '../../staff/parts/customer_messages.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { JsonView } from '../../staff/parts/json_view.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { ShortId } from '../../staff/parts/short_id.tsx';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { money } from '../../ui/money.ts';
import { Lifecycle } from '../parts/lifecycle/lifecycle.tsx';
import { Details } from '../parts/record/details.tsx';
import { useFollowed } from '../parts/record/follow.ts';
import { History } from '../parts/record/history.tsx';
import { Money } from '../parts/record/money.tsx';
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

/** The part for people: a record's money, what happened, its facts and what belongs to it. */
function OfRecord({ page }: { readonly page: RecordPage }) {
  const { id, resource, timeline, record, bank_order, related } = page;
  // Of an account the timeline has the lines of its Transactions alone.
  const hasMoney = resource !== 'account';
  return (
    <div className="record">
      <Stack gap="xl" className="shrinks">
        {hasMoney && <Money id={id} rows={timeline} />}
        <History rows={timeline.filter(({ kind }) => kind !== 'entry' || !hasMoney)} />
      </Stack>
      <Stack gap="xl" className="shrinks">
        <Details record={record} />
        {bank_order && <BankOrderFacts order={bank_order} />}
        {resource === 'customer' && <CustomerConsents id={id} />}
        {resource === 'customer' && <CustomerMessages id={id} />}
        <Related records={related} />
      </Stack>
    </div>
  );
}

/** Kinds whose own fields hold no amount, and whose face has one. */
const amountOf = (face: Face | null, { amount }: RecordPage['record']): number | null =>
  typeof amount === 'number' ? amount : (face?.amount ?? null);

/** Whose record it is and how much it is about, its state and time; its id comes last. */
function RecordHead({ id, page }: { readonly id: string; readonly page: RecordPage | undefined }) {
  const face = useFace(page ? id : null);
  const kind = page ? inWords(page.resource) : 'record';
  const amount = page ? amountOf(face, page.record) : null;
  const title = [amount === null ? null : money(amount, 'en'), partiesOf(face) ?? labelOf(face)];
  return (
    <PageTitle
      title={title.filter((part) => part !== null).join(' · ') || `${kind} ${shortened(id)}`}
      text={
        <>
          {kind}
          {face?.at && (
            <>
              , <When at={face.at} />
            </>
          )}{' '}
          <ShortId id={id} />
        </>
      }
    >
      {page?.status && <StateBadge state={page.status} resource={page.resource} />}
    </PageTitle>
  );
}

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

function Related({ records }: { readonly records: RecordPage['related'] }) {
  if (records.length === 0) return null;
  return (
    <section aria-labelledby="related">
      <Title order={2} size="h4" id="related" mb="xs">
        Related
      </Title>
      <Stack gap={4}>
        {records.map(({ id, resource }) => (
          <Text key={id} size="sm" className="breaks" component="div">
            {resource.replaceAll('_', ' ')} <RecordLink id={id} />
          </Text>
        ))}
      </Stack>
    </section>
  );
}

const orderStates: Readonly<Record<BankOrder['status'], string>> = {
  waiting: 'not handed over yet',
  unclear: 'handed over without a clear answer',
  sent: 'taken by the bank',
  withdrawn: 'withdrawn before the bank got it',
  closing: 'ended here, and the bank may still execute it',
  closed: 'ended by the bank',
};

const orderWords: Readonly<Record<NonNullable<BankOrder['word']>, string>> = {
  pending_review: 'it looks at it first',
  sent: 'it was sent to the network',
  accepted: 'the customer accepted, and the money has not come yet',
  settled_pending: 'settled, and its receiver may still send it back',
  settled: 'settled',
  failed: 'failed',
  cancelled: 'cancelled',
};

const cancelWords: Readonly<Record<NonNullable<BankOrder['cancel']>, string>> = {
  wanted: 'the bank is being asked',
  asked: 'the bank was asked',
  cannot: 'the bank takes no such call',
};

/** The record's order at the bank, and what the bank said of it. */
function BankOrderFacts({ order }: { readonly order: BankOrder }) {
  const { id, kind, amount, status, sent_at, expires_at, said_by, said_text } = order;
  const { provider_id, word, cancel, asked_at } = order;
  const said = [said_by && `The ${said_by}`, said_text && `“${said_text}”`];
  return (
    <section aria-labelledby="bank-order">
      <Title order={2} size="h4" id="bank-order" mb="xs">
        Order at the bank
      </Title>
      <Facts
        rows={[
          ['Order', `${inWords(kind)} of ${money(amount, 'en')}`],
          ['State', orderStates[status]],
          ...(sent_at === null ? [] : [['Taken', <When key="sent" at={sent_at} />] as const]),
          ...(expires_at === null
            ? []
            : [['Answerable until', <When key="expires" at={expires_at} />] as const]),
          ...(said_by === null && said_text === null
            ? []
            : [['Refused by', said.filter(Boolean).join(': ')] as const]),
          ...(word === null ? [] : [["The bank's last word", orderWords[word]] as const]),
          ...(cancel === null ? [] : [['Cancelling', cancelWords[cancel]] as const]),
          ...(asked_at === null
            ? []
            : [['The bank is asked since', <When key="asked" at={asked_at} />] as const]),
          ['Order id', id],
          ...(provider_id === null ? [] : [["Bank's id", provider_id] as const]),
        ]}
      />
    </section>
  );
}
