import { Stack, Text, Title } from '@mantine/core';
import type {
  BankOrder,
  RecordPage,
} from '@tenant-payments/backoffice/contract/records/records.ts';
import { capitalized, shortened } from '@tenant-payments/contract/core/fields/field.ts';
import { money } from '../../../ui/money.ts';
import { type Face, labelOf, partiesOf, useFace } from '../../api/faces.ts';
import { CustomerConsents } from '../customer_consents.tsx';
import { CustomerMessages } from '../customer_messages.tsx';
import { Facts } from '../facts.tsx';
import { PageTitle } from '../page_title.tsx';
import { RecordLink } from '../record_link.tsx';
import { ShortId } from '../short_id.tsx';
import { StateBadge } from '../state_badge.tsx';
import { inWords } from '../tell.ts';
import { When } from '../when.tsx';
import { Details } from './details.tsx';
import { History } from './history.tsx';
import { Money } from './money.tsx';

/** A record as people read it, in the portal and in the console. */

/** The part for people: a record's money, what happened, its facts and what belongs to it. */
export function OfRecord({ page }: { readonly page: RecordPage }) {
  const { id, resource, timeline, record, bank_order, related } = page;
  // The timeline of an account has the lines of its Transactions alone.
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

/**
 * The head of a record: the people and the money that it is about, its state and time; its id comes
 * last.
 */
export function RecordHead({
  id,
  page,
}: {
  readonly id: string;
  readonly page: RecordPage | undefined;
}) {
  const face = useFace(page ? id : null);
  const kind = page ? inWords(page.resource) : 'record';
  const amount = page ? amountOf(face, page.record) : null;
  const title = [amount === null ? null : money(amount, 'en'), partiesOf(face) ?? labelOf(face)];
  return (
    <PageTitle
      title={
        title.filter((part) => part !== null).join(' · ') || `${capitalized(kind)} ${shortened(id)}`
      }
      text={
        <>
          {capitalized(kind)}
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
            {capitalized(inWords(resource))} <RecordLink id={id} />
          </Text>
        ))}
      </Stack>
    </section>
  );
}

const orderStates: Readonly<Record<BankOrder['status'], string>> = {
  waiting: 'Not handed over yet',
  unclear: 'Handed over without a clear answer',
  sent: 'Taken by the bank',
  withdrawn: 'Withdrawn before the bank got it',
  closing: 'Ended here, and the bank may still execute it',
  closed: 'Ended by the bank',
};

const orderWords: Readonly<Record<NonNullable<BankOrder['word']>, string>> = {
  pending_review: 'It looks at it first',
  sent: 'It was sent to the network',
  accepted: 'The customer accepted, and the money has not come yet',
  settled_pending: 'Settled, and its receiver may still send it back',
  settled: 'Settled',
  failed: 'Failed',
  cancelled: 'Cancelled',
  returned: 'Money came back, and it has not said what it sent',
};

const cancelWords: Readonly<Record<NonNullable<BankOrder['cancel']>, string>> = {
  wanted: 'The bank is being asked',
  asked: 'The bank was asked',
  cannot: 'The bank takes no such call',
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
          ['Order', `${capitalized(inWords(kind))} of ${money(amount, 'en')}`],
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
          ['Order id', <ShortId key="id" id={id} />],
          ...(provider_id === null ? [] : [["Bank's id", provider_id] as const]),
        ]}
      />
    </section>
  );
}
